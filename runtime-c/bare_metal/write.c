//===--- write.c - bytes to the debugger's console ------------------------===//
//
// Owns: write to standard output and standard error, by semihosting. A program
// whose board has no debugger brings `write` or `putchar` itself.
//
//===----------------------------------------------------------------------===//

#include "../freestanding/c_library.h"
#include "semihosting.h"

// The console's name stands for one of C's three files, by the mode.
static intptr_t open_console(int file) {
  enum { WRITE = 4, APPEND = 8 };
  static const char console[] = ":tt";
  const uintptr_t block[] = {(uintptr_t)console, file == 1 ? WRITE : APPEND,
                             sizeof(console) - 1};
  return semihosting(SEMIHOSTING_open, block);
}

C_FUNCTION ptrdiff_t write(int file, const void *bytes, size_t length) {
  static intptr_t handles[2]; // one more than the debugger's, zero at first
  if (file != 1 && file != 2)
    return -1;
  intptr_t *handle = &handles[file - 1];
  if (*handle == 0)
    *handle = open_console(file) + 1;
  const uintptr_t block[] = {(uintptr_t)(*handle - 1), (uintptr_t)bytes, length};
  intptr_t left = semihosting(SEMIHOSTING_write, block);
  return left < 0 ? -1 : (ptrdiff_t)length - left;
}
