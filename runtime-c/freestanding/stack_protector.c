//===--- stack_protector.c - the functions of -fstack-protector -----------===//
//
// Owns: the canary (where it is a variable) and the report of a broken one.
//
//===----------------------------------------------------------------------===//

#include "../runtime.h"
#include "c_library.h"

C_FUNCTION uintptr_t __stack_chk_guard = 0;

C_FUNCTION __attribute__((noreturn)) void __stack_chk_fail(void) {
  silc_fatalError("stack smashing detected");
}
