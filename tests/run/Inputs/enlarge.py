"""Prints a SIL file, and after it functions that nobody calls, so that the module counts as large: enlarge.py FILE"""

import sys

FUNCTIONS = 25
INSTRUCTIONS = 1000

sys.stdout.write(open(sys.argv[1]).read())
for function in range(FUNCTIONS):
    print(f"\nsil private @unused_{function} : $@convention(thin) () -> () {{\nbb0:")
    for value in range(INSTRUCTIONS):
        print(f"  %{value} = integer_literal $Builtin.Int64, {value}")
    print(f"  %{INSTRUCTIONS} = tuple ()\n  return %{INSTRUCTIONS} : $()\n}}")
