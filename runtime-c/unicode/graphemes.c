//===--- graphemes.c - where characters end ---------------------------===//
//
// Owns: the properties for breaking a string into characters. README.md
// explains the numbers.
//
//===----------------------------------------------------------------------===//

#include "lookup.h"

#include "graphemes.inc"

RUNTIME_ENTRY uint8_t _swift_stdlib_getGraphemeBreakProperty(uint32_t scalar) {
  return (uint8_t)RUN_VALUE(grapheme_breaks, scalar);
}

RUNTIME_ENTRY bool _swift_stdlib_isInCB_Consonant(uint32_t scalar) {
  return RUN_VALUE(consonants, scalar) != 0;
}
