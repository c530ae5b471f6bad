//===--- random.c - numbers that look random ------------------------------===//
//
// Owns: arc4random_buf for machines of whose sources of chance nothing is
// known: the same numbers in every run, unless silc_randomState is set before.
// They are no secret; a program that needs secrets brings the function itself.
//
//===----------------------------------------------------------------------===//

#ifndef __wasi__

#include "../freestanding/c_library.h"

C_FUNCTION uint32_t silc_randomState = 2463534242;

// Marsaglia's xorshift.
static uint32_t next_number(void) {
  uint32_t state = silc_randomState;
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return silc_randomState = state;
}

C_FUNCTION void arc4random_buf(void *memory, size_t length) {
  char *bytes = memory;
  for (size_t index = 0; index < length; ++index)
    bytes[index] = (char)(next_number() >> 24);
}

#endif
