//===--- key_paths.c - KeyPath.h ------------------------------------------===//
//
// Owns: the address of a table whose type Swift cannot spell.
//
//===----------------------------------------------------------------------===//

extern const void *swift_keyPathGenericWitnessTable[]
    __attribute__((visibility("default")));

const void *__swift_keyPathGenericWitnessTable_addr(void) {
  return swift_keyPathGenericWitnessTable;
}
