//===--- fatal.c - the end of a program that cannot go on -----------------===//
//
// Owns: silc_fatalError, which generated code calls for a failed cond_fail.
//
//===----------------------------------------------------------------------===//

#include "libc.h"
#include "runtime.h"

// Defined by the freestanding standard output, where that is linked in: never
// by a shared library, so executables need not ask for it when they start.
extern void silc_flushStandardOutput(void)
    __attribute__((weak, visibility("hidden")));

COLD RUNTIME_ENTRY void silc_writeError(const char *text, size_t length) {
  while (length != 0) {
    ptrdiff_t written = write(2, text, length);
    if (written <= 0)
      return;
    text += written;
    length -= (size_t)written;
  }
}

COLD RUNTIME_ENTRY void silc_fatalError(const char *message) {
  static const char prefix[] = "Fatal error: ";
  if (IS_LINKED(silc_flushStandardOutput))
    silc_flushStandardOutput();
  silc_writeError(prefix, sizeof(prefix) - 1);
  silc_writeError(message, strlen(message));
  silc_writeError("\n", 1);
  __builtin_trap();
}
