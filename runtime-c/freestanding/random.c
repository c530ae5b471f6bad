//===--- random.c - random numbers from the kernel ------------------------===//
//
// Owns: arc4random_buf, arc4random and arc4random_uniform.
//
//===----------------------------------------------------------------------===//

#include "c_library.h"
#include "system.h"

C_FUNCTION void arc4random_buf(void *memory, size_t length) {
  char *bytes = memory;
  while (length != 0) {
    // The kernel gives at most 256 bytes without an interruption.
    size_t wanted = length < 256 ? length : 256;
    intptr_t received = system_call(SYSTEM_getrandom, (intptr_t)bytes,
                                    (intptr_t)wanted, 0, 0, 0, 0);
    if (received <= 0)
      continue;
    bytes += received;
    length -= (size_t)received;
  }
}

C_FUNCTION uint32_t arc4random(void) {
  uint32_t number;
  arc4random_buf(&number, sizeof(number));
  return number;
}

// Below `bound`, each number as likely as the other: of the 2^32 numbers the
// last incomplete round is thrown away.
C_FUNCTION uint32_t arc4random_uniform(uint32_t bound) {
  if (bound < 2)
    return 0;
  uint32_t smallest = -bound % bound;
  uint32_t number;
  do
    number = arc4random();
  while (number < smallest);
  return number % bound;
}
