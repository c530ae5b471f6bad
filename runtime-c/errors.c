//===--- errors.c - thrown errors, and calls that must not happen ---------===//
//
// Owns: the end of a program by an error that is thrown, leaves main, or meets
// `try!`, and the entry of a vtable whose method was removed.
//
//===----------------------------------------------------------------------===//

#include "libc.h"
#include "runtime.h"

// For a debugger to stop at. Errors come in the error's own register.
RUNTIME_ENTRY SWIFT_CALL void swift_willThrow(SWIFT_SELF void *context,
                                              SWIFT_ERROR void **error) {
  (void)context, (void)error;
}

RUNTIME_ENTRY SWIFT_CALL void swift_errorInMain(void *error) {
  (void)error;
  silc_fatalError("Error raised at top level");
}

COLD static void write_number(uintptr_t number) {
  char digits[3 * sizeof(number)];
  char *first = digits + sizeof(digits);
  do {
    *--first = (char)('0' + number % 10);
    number /= 10;
  } while (number != 0);
  silc_writeError(first, (size_t)(digits + sizeof(digits) - first));
}

RUNTIME_ENTRY SWIFT_CALL void
swift_unexpectedError(void *error, const char *file, uintptr_t file_length,
                      bool file_is_ascii, uintptr_t line) {
  (void)error, (void)file_is_ascii;
  if (file_length != 0) {
    silc_writeError(file, file_length);
    silc_writeError(":", 1);
    write_number(line);
    silc_writeError(": ", 2);
  }
  silc_fatalError("'try!' expression unexpectedly raised an error");
}

RUNTIME_ENTRY void swift_deletedMethodError(void) {
  silc_fatalError("Call of deleted method");
}
