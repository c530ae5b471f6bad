//===--- host.c - the functions of a module's host ------------------------===//
//
// Owns: output and the end of programs that have no system interface. The host
// gives `putchar`, unless the program has its own, and `exit` to programs that
// call it, as functions of its module `env`.
//
//===----------------------------------------------------------------------===//

#if defined(__wasm__) && !defined(__wasi__)

#include "../freestanding/c_library.h"

int putchar(int character);
__attribute__((noreturn, import_module("env"), import_name("exit"))) void
host_exit(int status);

C_FUNCTION ptrdiff_t write(int file, const void *bytes, size_t length) {
  (void)file;
  for (size_t index = 0; index < length; ++index)
    putchar(((const unsigned char *)bytes)[index]);
  return (ptrdiff_t)length;
}

C_FUNCTION int putchar_unlocked(int character) { return putchar(character); }

C_FUNCTION int puts(const char *text) {
  write(1, text, strlen(text));
  return putchar('\n');
}

C_FUNCTION int fflush(void *stream) {
  (void)stream;
  return 0;
}

extern void silc_runExitFunctions(void) __attribute__((weak));

C_FUNCTION void _exit(int status) { host_exit(status); }

C_FUNCTION void exit(int status) {
  if (silc_runExitFunctions != NULL)
    silc_runExitFunctions();
  _exit(status);
}

C_FUNCTION void abort(void) { __builtin_trap(); }

#endif
