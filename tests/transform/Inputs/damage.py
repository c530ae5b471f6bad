"""Changes a byte in the middle of a file."""

import sys

with open(sys.argv[1], "r+b") as file:
    contents = bytearray(file.read())
    contents[len(contents) // 2] ^= 1
    file.seek(0)
    file.write(contents)
