//===--- random.c - random numbers ----------------------------------------===//
//
// Owns: arc4random and arc4random_uniform, on the system's arc4random_buf.
//
//===----------------------------------------------------------------------===//

#include "c_library.h"

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
