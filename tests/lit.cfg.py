"""How lit runs the tests of this folder. tests/README.md explains it."""

import os
import platform
import shutil
import subprocess
import sys

import lit.formats

config.name = "silc"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".sil", ".ll"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)


def llvm_folder():
    """The folder of LLVM 22's programs, which Debian keeps out of PATH."""
    try:
        return subprocess.check_output(["llvm-config-22", "--bindir"], text=True).strip()
    except OSError:
        return "/usr/lib/llvm-22/bin"


def target_folder():
    root = os.path.dirname(config.test_source_root)
    return os.environ.get("CARGO_TARGET_DIR", os.path.join(root, "target"))


silc = lit_config.params.get("silc") or os.environ.get("SILC") or os.path.join(target_folder(), "release", "silc")
if not os.path.exists(silc):
    lit_config.fatal(f"{silc} does not exist; build it (cargo build --release) or name it with -Dsilc=PATH")
silc = os.path.abspath(silc)

# Outputs go beside the build, so that the sources stay clean.
config.test_exec_root = os.path.join(target_folder(), "lit")
config.environment["SILC_CORPUS"] = os.environ.get("SILC_CORPUS", "")
config.environment["PATH"] = os.pathsep.join([llvm_folder(), os.environ.get("PATH", "")])

X86_64 = "x86_64-unknown-linux-gnu"
AARCH64 = "aarch64-unknown-linux-gnu"

# lit replaces in this order, so a name comes before its own beginning.
config.substitutions += [
    ("%silc", silc),
    ("%target_x86", f"--target {X86_64}"),
    ("%target_aarch64", f"--target {AARCH64}"),
    ("%run_aarch64", "qemu-aarch64"),
    ("%python", sys.executable),
    ("%valgrind", "env SILC_MALLOC=system valgrind -q --leak-check=full --errors-for-leak-kinds=definite --error-exitcode=77"),
]

# Tests with Swift's own library need a toolchain: `lib/swift` of it, and the system that it lies in where that is not this one.
swift_sdk = os.environ.get("SILC_SWIFT_SDK")
if swift_sdk:
    swift_sysroot = os.environ.get("SILC_SWIFT_SYSROOT")
    options = f"--runtime swift --swift-sdk {swift_sdk}" + (f" --sysroot {swift_sysroot}" if swift_sysroot else "")
    config.substitutions.append(("%swift_library", options))
    config.available_features.add("swift-sdk")

# Tests that build packages need all of a toolchain: one on PATH, or what its programs are started by.
toolchain = os.environ.get("SILC_TOOLCHAIN_COMMAND", "")
if toolchain or shutil.which("swiftc"):
    script = os.path.join(os.path.dirname(config.test_source_root), "scripts", "packages-of-swift")
    packages = f"{sys.executable} {script} --silc {silc} --toolchain '{toolchain}' --folder %t"
    config.substitutions.append(("%packages", packages))
    config.available_features.add("swift-toolchain")

config.available_features.add(f"host-{platform.machine()}")
for program in ["qemu-aarch64", "qemu-arm", "qemu-i386", "qemu-system-arm", "qemu-system-aarch64", "qemu-system-riscv32", "qemu-system-riscv64", "node", "valgrind", "cc", "chromedriver"]:
    if shutil.which(program):
        config.available_features.add(program)
