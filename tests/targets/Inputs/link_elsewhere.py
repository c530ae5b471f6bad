"""Links the examples as Windows and macOS do: with lld in the place of their own linkers, and lists of what their C libraries have.

usage: link_elsewhere.py SILC EXAMPLES FOLDER
"""

import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
WINDOWS = [("x86_64-unknown-windows-msvc", "x64"), ("aarch64-unknown-windows-msvc", "arm64")]
MACOS = [("x86_64-apple-macosx13.0", "x86_64"), ("arm64-apple-macosx13.0", "arm64")]


def run(*command):
    result = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if result.returncode:
        print("failed:", *command)
        print(result.stdout + result.stderr)
    return result.returncode == 0


def windows_linker(folder, machine):
    imports = folder / f"{machine}.lib"
    run("lld-link", "/lib", f"/def:{HERE / 'c_library.def'}", f"/machine:{machine}", f"/out:{imports}")

    def link(program, inputs):
        flags = ["/entry:main", "/subsystem:console", f"/machine:{machine}", "/dynamicbase", "/opt:ref"]
        return run("lld-link", *flags, f"/out:{program}", *inputs, imports)

    return link


def macos_linker(machine):
    def link(program, inputs):
        flags = ["-arch", machine, "-platform_version", "macos", "13.0", "13.0", "-dead_strip"]
        return run("ld64.lld", *flags, "-o", program, *inputs, HERE / "libSystem.tbd")

    return link


def main():
    silc, examples, folder = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    folder.mkdir(parents=True, exist_ok=True)
    linkers = [(target, windows_linker(folder, machine)) for target, machine in WINDOWS]
    linkers += [(target, macos_linker(machine)) for target, machine in MACOS]
    for target, link in linkers:
        linked = 0
        runtime = folder / f"{target}.a"
        run(silc, "build", "--emit", "runtime", "--target", target, "-o", runtime)
        for source in sorted(examples.glob("*.sil")):
            for optimize in ["-O0", "-O2"]:
                program = folder / f"{target}-{source.stem}{optimize}"
                unit = program.with_name(program.name + ".o")
                built = run(silc, "build", "--emit", "obj", optimize, "--target", target, source, "-o", unit)
                linked += built and link(program, [unit, runtime])
        print(f"{target}: {linked} programs")


main()
