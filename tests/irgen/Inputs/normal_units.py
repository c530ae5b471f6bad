"""Writes a module of normal Swift that is large enough to be compiled in units: each uses a generic class whose methods have descriptors, and
enums whose layouts have."""

STEPS = 120

print(
    """sil_stage canonical

import Builtin
import Swift

open class Node<Element> {
  @_hasStorage public final var count: Int { get set }
  public func size() -> Int
  init()
}

enum First {
  case one(Node<Int>), two(Node<Bool>)
}

enum Second {
  case one(Node<Int>), two(Node<Bool>), three(Node<String>)
}

public protocol Sized {
  associatedtype Part
  func size() -> Int
}

sil @take : $@convention(thin) (Builtin.Int64) -> Builtin.Int64
sil @look : $@convention(thin) (@thick any Any.Type) -> ()

sil @$s6module4NodeC4sizeSiyF : $@convention(method) <Element> (@guaranteed Node<Element>) -> Int {
bb0(%0 : $Node<Element>):
  %1 = ref_element_addr %0, #Node.count
  %2 = load %1
  return %2
} // end sil function '$s6module4NodeC4sizeSiyF'
"""
)
for step in range(STEPS):
    print(f"sil @step_{step} : $@convention(thin) (Builtin.Int64) -> Builtin.Int64 {{")
    print("bb0(%0 : $Builtin.Int64):")
    print("  %1 = metatype $@thick Node<Int>.Type")
    print("  %2 = init_existential_metatype %1, $@thick any Any.Type")
    print("  %3 = function_ref @look : $@convention(thin) (@thick any Any.Type) -> ()")
    print("  %4 = apply %3(%2) : $@convention(thin) (@thick any Any.Type) -> ()")
    print("  %5 = metatype $@thick (any Sized).Type")
    print("  %6 = init_existential_metatype %5, $@thick any Any.Type")
    print("  %7 = apply %3(%6) : $@convention(thin) (@thick any Any.Type) -> ()")
    print("  %8 = alloc_box ${ var First }")
    print("  dealloc_box %8")
    print("  %9 = alloc_box ${ var Second }")
    print("  dealloc_box %9")
    print("  %10 = function_ref @take : $@convention(thin) (Builtin.Int64) -> Builtin.Int64")
    value = "%0"
    for number in range(11, 280):
        print(f"  %{number} = apply %10({value}) : $@convention(thin) (Builtin.Int64) -> Builtin.Int64")
        value = f"%{number}"
    print(f"  return {value}")
    print("}\n")
print(
    """sil_vtable Node {
  #Node.size: <Element> (Node<Element>) -> () -> Int : @$s6module4NodeC4sizeSiyF
}"""
)
