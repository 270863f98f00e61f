"""The benchmark's examples: rows from inside the package, the Hub or a folder, checked and measured."""
