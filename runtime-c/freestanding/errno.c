//===--- errno.c - the number of the last error ---------------------------===//
//
// Owns: errno, by the functions that the headers of C libraries ask for its
// address: those of Linux, and newlib's.
//
//===----------------------------------------------------------------------===//

#include "c_library.h"

static int number;

C_FUNCTION int *__errno_location(void) { return &number; }

C_FUNCTION int *__errno(void) { return &number; }

C_FUNCTION void silc_setErrno(int error) { *__errno_location() = error; }
