//===--- script_extensions.c - scripts that share a scalar ------------===//
//
// Owns: the scripts that a scalar is used with, where they are several.
// README.md explains the numbers.
//
//===----------------------------------------------------------------------===//

#include "lookup.h"

#include "script_extensions.inc"

RUNTIME_ENTRY const uint8_t *
_swift_stdlib_getScriptExtensions(uint32_t scalar, uint8_t *count) {
  uint16_t place = script_extension_places[RUN_VALUE(script_extensions, scalar)];
  if (place == 0)
    return NULL;
  *count = (uint8_t)(place >> RUN_VALUE_BITS);
  return script_extension_lists + (place & RUN_VALUE_MASK);
}
