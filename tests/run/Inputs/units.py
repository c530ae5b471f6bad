"""Prints a module that is large enough to be compiled in units. Each function calls the next, so that units call each other; all of them
change one variable, and name a constant of their own. One has the name of a function of C: units.py"""

FUNCTIONS = 60
ADDITIONS = 900

print("""sil_stage canonical

import Builtin

class Cell {
  @_hasStorage var value: Builtin.Int64
}

sil @putchar : $@convention(c) (Builtin.Int32) -> Builtin.Int32

sil private @cell_dealloc : $@convention(method) (@owned Cell) -> () {
bb0(%0 : $Cell):
  %1 = integer_literal $Builtin.Int32, 33
  %2 = function_ref @putchar : $@convention(c) (Builtin.Int32) -> Builtin.Int32
  %3 = apply %2(%1) : $@convention(c) (Builtin.Int32) -> Builtin.Int32
  dealloc_ref %0 : $Cell
  %5 = tuple ()
  return %5 : $()
}

sil_vtable Cell {
  #Cell.deinit!deallocator: @cell_dealloc
}

sil_global private @calls : $Builtin.Int64 = {
  %initval = integer_literal $Builtin.Int64, 5
}

sil_global private [let] @one : $Builtin.Int64 = {
  %initval = integer_literal $Builtin.Int64, 1
}

sil private [noinline] @free : $@convention(thin) (@guaranteed Cell, Builtin.Int64) -> Builtin.Int64 {
bb0(%0 : $Cell, %1 : $Builtin.Int64):
  return %1 : $Builtin.Int64
}
""")

for number in range(FUNCTIONS):
    following = f"step_{number + 1}" if number + 1 < FUNCTIONS else "free"
    shown = "shared" if number % 2 else "private"
    print(f"""sil {shown} [noinline] @step_{number} : $@convention(thin) (@guaranteed Cell, Builtin.Int64) -> Builtin.Int64 {{
bb0(%0 : $Cell, %1 : $Builtin.Int64):
  strong_retain %0 : $Cell
  %3 = global_addr @calls : $*Builtin.Int64
  %4 = load %3 : $*Builtin.Int64
  %5 = global_addr @one : $*Builtin.Int64
  %6 = load %5 : $*Builtin.Int64
  %7 = builtin "add_Int64"(%4 : $Builtin.Int64, %6 : $Builtin.Int64) : $Builtin.Int64
  store %7 to %3 : $*Builtin.Int64
  %9 = ref_element_addr %0 : $Cell, #Cell.value""")
    value = "%1"
    for turn in range(ADDITIONS // 3):
        a, b = 10 + 3 * turn, 11 + 3 * turn
        print(f"  %{a} = load %9 : $*Builtin.Int64")
        print(f'  %{b} = builtin "add_Int64"({value} : $Builtin.Int64, %{a} : $Builtin.Int64) : $Builtin.Int64')
        print(f"  store %{b} to %9 : $*Builtin.Int64")
        value = f"%{b}"
    print(f"""  %2000 = function_ref @{following} : $@convention(thin) (@guaranteed Cell, Builtin.Int64) -> Builtin.Int64
  %2001 = apply %2000(%0, {value}) : $@convention(thin) (@guaranteed Cell, Builtin.Int64) -> Builtin.Int64
  strong_release %0 : $Cell
  return %2001 : $Builtin.Int64
}}
""")

print("""sil [noinline] @show : $@convention(thin) (Builtin.Int64) -> () {
bb0(%0 : $Builtin.Int64):
  %1 = integer_literal $Builtin.Int64, 26
  %2 = builtin "urem_Int64"(%0 : $Builtin.Int64, %1 : $Builtin.Int64) : $Builtin.Int64
  %3 = builtin "trunc_Int64_Int32"(%2 : $Builtin.Int64) : $Builtin.Int32
  %4 = integer_literal $Builtin.Int32, 97
  %5 = builtin "add_Int32"(%3 : $Builtin.Int32, %4 : $Builtin.Int32) : $Builtin.Int32
  %6 = function_ref @putchar : $@convention(c) (Builtin.Int32) -> Builtin.Int32
  %7 = apply %6(%5) : $@convention(c) (Builtin.Int32) -> Builtin.Int32
  %8 = tuple ()
  return %8 : $()
}

sil @main : $@convention(c) () -> Builtin.Int32 {
bb0:
  %0 = alloc_ref $Cell
  %1 = ref_element_addr %0 : $Cell, #Cell.value
  %2 = integer_literal $Builtin.Int64, 3
  store %2 to %1 : $*Builtin.Int64
  %4 = function_ref @step_0 : $@convention(thin) (@guaranteed Cell, Builtin.Int64) -> Builtin.Int64
  %5 = apply %4(%0, %2) : $@convention(thin) (@guaranteed Cell, Builtin.Int64) -> Builtin.Int64
  %6 = function_ref @show : $@convention(thin) (Builtin.Int64) -> ()
  %7 = apply %6(%5) : $@convention(thin) (Builtin.Int64) -> ()
  %8 = global_addr @calls : $*Builtin.Int64
  %9 = load %8 : $*Builtin.Int64
  %10 = apply %6(%9) : $@convention(thin) (Builtin.Int64) -> ()
  strong_release %0 : $Cell
  %12 = integer_literal $Builtin.Int32, 10
  %13 = function_ref @putchar : $@convention(c) (Builtin.Int32) -> Builtin.Int32
  %14 = apply %13(%12) : $@convention(c) (Builtin.Int32) -> Builtin.Int32
  %15 = integer_literal $Builtin.Int32, 0
  return %15 : $Builtin.Int32
}""")
