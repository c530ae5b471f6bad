//===--- name_aliases.c - names that correct others -------------------===//
//
// Owns: corrections of names.
// README.md explains the numbers.
//
//===----------------------------------------------------------------------===//

#include "lookup.h"

typedef struct {
  uint32_t scalar;
  const char *name;
} NameAlias;

#include "name_aliases.inc"

RUNTIME_ENTRY const char *_swift_stdlib_getNameAlias(uint32_t scalar) {
  for (size_t index = 0; index < COUNT(name_aliases); index++)
    if (name_aliases[index].scalar == scalar)
      return name_aliases[index].name;
  return NULL;
}
