//===--- write.c - bytes to a file descriptor -----------------------------===//
//
// Owns: write, and whether a file is a terminal.
//
//===----------------------------------------------------------------------===//

#include "../freestanding/c_library.h"
#include "system.h"

C_FUNCTION ptrdiff_t write(int file, const void *bytes, size_t length) {
  enum { INTERRUPTED = -4 };
  intptr_t result;
  do
    result = system_call(SYSTEM_write, file, (intptr_t)bytes, (intptr_t)length,
                         0, 0, 0);
  while (result == INTERRUPTED);
  return result < 0 ? -1 : result;
}

C_FUNCTION bool silc_isTerminal(int file) {
  enum { GET_TERMINAL_ATTRIBUTES = 0x5401 };
  char attributes[64];
  return system_call(SYSTEM_ioctl, file, GET_TERMINAL_ATTRIBUTES,
                     (intptr_t)attributes, 0, 0, 0) == 0;
}
