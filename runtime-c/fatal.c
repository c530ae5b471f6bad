//===--- fatal.c - the end of a program that cannot go on -----------------===//
//
// Owns: silc_fatalError, which generated code calls for a failed cond_fail, and
// where its message goes.
//
//===----------------------------------------------------------------------===//

#include "libc.h"
#include "runtime.h"

#ifdef HAS_SYSTEM

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

COLD RUNTIME_ENTRY void silc_writeErrorText(const char *text) {
  silc_writeError(text, strlen(text));
}

#else

// A board has one place for characters.
COLD RUNTIME_ENTRY void silc_writeError(const char *text, size_t length) {
  for (; length != 0; --length)
    putchar((unsigned char)*text++);
}

COLD RUNTIME_ENTRY void silc_writeErrorText(const char *text) {
  for (; *text != 0; ++text)
    putchar((unsigned char)*text);
}

#endif

COLD RUNTIME_ENTRY void silc_fatalError(const char *message) {
#ifdef HAS_SYSTEM
  if (IS_LINKED(silc_flushStandardOutput))
    silc_flushStandardOutput();
#endif
  silc_writeErrorText("Fatal error: ");
  silc_writeErrorText(message);
  silc_writeErrorText("\n");
  __builtin_trap();
}
