"""Prints a library as SIL of more than a megabyte, whose function `number` gives the number that is asked for."""

import sys

LINE = "// What nobody reads.\n"

print("sil_stage canonical\n\nimport Builtin\n")
print(LINE * ((1 << 20) // len(LINE)))
print("sil [transparent] [canonical] [ossa] @number : $@convention(thin) () -> Builtin.Int32 {")
print(f"bb0:\n  %0 = integer_literal $Builtin.Int32, {sys.argv[1]}\n  return %0 : $Builtin.Int32\n}}")
