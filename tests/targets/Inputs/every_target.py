"""Builds the files of a folder for every target that silc lists, at -O0 and -O2: every_target.py SILC FOLDER

Executables where silc lists those, objects elsewhere.

Prints what is not built, and the number of targets.
"""

import pathlib
import subprocess
import sys
import tempfile


def main():
    silc, folder = sys.argv[1:]
    listed = subprocess.run([silc, "targets"], stdout=subprocess.PIPE, text=True, check=True).stdout
    targets = [line.split()[:2] for line in listed.splitlines()]
    forms = {"executables": "exe", "objects": "obj"}
    files = sorted(pathlib.Path(folder).glob("*.sil"))
    with tempfile.TemporaryDirectory() as output:
        for target, support in targets:
            for level in ["-O0", "-O2"]:
                for file in files:
                    words = [silc, "build", "--emit", forms[support], "--target", target, level, str(file), "-o", f"{output}/x.o"]
                    ended = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
                    if ended.returncode != 0:
                        print(f"failed: {file.name} for {target} at {level}: {ended.stdout}")
    print(f"{len(files)} files for {len(targets)} targets")


main()
