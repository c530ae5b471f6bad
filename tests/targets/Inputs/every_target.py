"""Compiles the files of a folder for every target that silc lists, at -O0 and -O2: every_target.py SILC FOLDER

Prints what does not compile, and the number of targets.
"""

import pathlib
import subprocess
import sys
import tempfile


def main():
    silc, folder = sys.argv[1:]
    listed = subprocess.run([silc, "targets"], stdout=subprocess.PIPE, text=True, check=True).stdout
    targets = [line.split()[0] for line in listed.splitlines()]
    files = sorted(pathlib.Path(folder).glob("*.sil"))
    with tempfile.TemporaryDirectory() as output:
        for target in targets:
            for level in ["-O0", "-O2"]:
                for file in files:
                    words = [silc, "build", "--emit", "obj", "--target", target, level, str(file), "-o", f"{output}/x.o"]
                    ended = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
                    if ended.returncode != 0:
                        print(f"failed: {file.name} for {target} at {level}: {ended.stdout}")
    print(f"{len(files)} files for {len(targets)} targets")


main()
