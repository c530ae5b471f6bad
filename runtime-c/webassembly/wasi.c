//===--- wasi.c - the system interface ------------------------------------===//
//
// Owns: write, whether a file is a terminal, the end of the program, random
// numbers.
//
//===----------------------------------------------------------------------===//

#ifdef __wasi__

#include "wasi.h"
#include "../freestanding/c_library.h"

C_FUNCTION ptrdiff_t write(int file, const void *bytes, size_t length) {
  const WasiBytes part = {bytes, length};
  size_t written;
  return wasi_fd_write(file, &part, 1, &written) == 0 ? (ptrdiff_t)written : -1;
}

C_FUNCTION bool silc_isTerminal(int file) {
  WasiFileState state;
  return wasi_fd_fdstat_get(file, &state) == 0 &&
         state.kind == WASI_CHARACTER_DEVICE;
}

C_FUNCTION void arc4random_buf(void *memory, size_t length) {
  if (wasi_random_get(memory, length) != 0)
    abort();
}

extern void silc_flushStandardOutput(void) __attribute__((weak));
extern void silc_runExitFunctions(void) __attribute__((weak));

C_FUNCTION void _exit(int status) { wasi_proc_exit(status); }

C_FUNCTION void exit(int status) {
  if (silc_runExitFunctions != NULL)
    silc_runExitFunctions();
  if (silc_flushStandardOutput != NULL)
    silc_flushStandardOutput();
  _exit(status);
}

C_FUNCTION void abort(void) { __builtin_trap(); }

#endif
