//===--- scripts.c - the script of a scalar ---------------------------===//
//
// Owns: scripts.
// README.md explains the numbers.
//
//===----------------------------------------------------------------------===//

#include "lookup.h"

#include "scripts.inc"

RUNTIME_ENTRY uint8_t _swift_stdlib_getScript(uint32_t scalar) {
  return (uint8_t)RUN_VALUE(scripts, scalar);
}
