"""Compiles .sil files on one thread and on several, at -O0 and at -O2, each alone and all of a folder at once, and says where the objects
or the messages differ: same_bytes.py SILC FOLDER. Where SILC_CORPUS in the environment names a folder, its files are compiled too."""

import os
import subprocess
import sys
import tempfile

SILC = os.path.abspath(sys.argv[1])


def build(files, level, jobs):
    """What becomes of the files: their objects by name, the messages, the status."""
    with tempfile.TemporaryDirectory() as folder:
        command = [SILC, "build", "--emit", "obj", level, f"-j{jobs}", *files]
        done = subprocess.run(command, cwd=folder, capture_output=True)
        objects = {}
        for name in sorted(os.listdir(folder)):
            with open(os.path.join(folder, name), "rb") as file:
                objects[name] = file.read()
        return objects, done.stderr, done.returncode


def files_in(folder):
    found = (os.path.join(place, name) for place, _, names in os.walk(folder) for name in names if name.endswith(".sil"))
    return sorted(os.path.abspath(path) for path in found)


compared = 0
for folder in filter(None, [sys.argv[2], os.environ.get("SILC_CORPUS")]):
    files = files_in(folder)
    # Objects have the names of their files.
    distinct = list({os.path.basename(path): path for path in files}.values())
    for together in [[path] for path in files] + [distinct]:
        for level in ("-O0", "-O2"):
            one, several = build(together, level, 1), build(together, level, 4)
            compared += len(one[0])
            if one != several:
                print("differs:", level, *together)
print("compared:", "some" if compared else "none")
