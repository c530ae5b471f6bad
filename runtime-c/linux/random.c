//===--- random.c - random numbers from the kernel ------------------------===//
//
// Owns: arc4random_buf.
//
//===----------------------------------------------------------------------===//

#include "../freestanding/c_library.h"
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
