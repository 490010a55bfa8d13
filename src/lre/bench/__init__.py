"""The studies: what each policy keeps, measured on real logs, and how it is shown."""
