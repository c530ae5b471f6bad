//===--- process.c - the end of the program -------------------------------===//
//
// Owns: exit, _exit, abort: the report to the debugger or the emulator, after
// which the processor stands still.
//
//===----------------------------------------------------------------------===//

#include "../freestanding/c_library.h"
#include "semihosting.h"

extern void silc_flushStandardOutput(void) __attribute__((weak));
extern void silc_runExitFunctions(void) __attribute__((weak));

C_FUNCTION void _exit(int status) {
  enum { APPLICATION_EXIT = 0x20026, RUN_TIME_ERROR = 0x20023 };
  const uintptr_t block[] = {APPLICATION_EXIT, (uintptr_t)status};
  semihosting(SEMIHOSTING_exit_extended, block);
  // Older debuggers of 32-bit processors know only whether all went well.
#if UINTPTR_MAX == UINT32_MAX
  semihosting(SEMIHOSTING_exit,
              (void *)(status == 0 ? APPLICATION_EXIT : RUN_TIME_ERROR));
#else
  semihosting(SEMIHOSTING_exit, block);
#endif
  for (;;)
    ;
}

C_FUNCTION void exit(int status) {
  if (silc_runExitFunctions != NULL)
    silc_runExitFunctions();
  if (silc_flushStandardOutput != NULL)
    silc_flushStandardOutput();
  _exit(status);
}

// As a shell shows a program that was aborted.
C_FUNCTION void abort(void) {
  enum { STATUS_OF_SIGNAL = 128, ABORT = 6 };
  _exit(STATUS_OF_SIGNAL + ABORT);
}

// The processor met an instruction that it does not know, or an address that
// it has not: the end of a program that a runtime failure trapped.
C_FUNCTION __attribute__((noreturn)) void silc_trapped(void) {
  enum { STATUS_OF_SIGNAL = 128, ILLEGAL_INSTRUCTION = 4 };
  if (silc_flushStandardOutput != NULL)
    silc_flushStandardOutput();
  _exit(STATUS_OF_SIGNAL + ILLEGAL_INSTRUCTION);
}
