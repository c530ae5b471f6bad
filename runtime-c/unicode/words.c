//===--- words.c - where words end ------------------------------------===//
//
// Owns: the properties for breaking a string into words. README.md explains the
// numbers.
//
//===----------------------------------------------------------------------===//

#include "lookup.h"

#include "words.inc"

RUNTIME_ENTRY uint8_t _swift_stdlib_getWordBreakProperty(uint32_t scalar) {
  return (uint8_t)RUN_VALUE(word_breaks, scalar);
}
