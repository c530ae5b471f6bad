//===--- exit_functions.c - functions that run at exit --------------------===//
//
// Owns: atexit.
//
//===----------------------------------------------------------------------===//

#include "../freestanding/c_library.h"

typedef void (*Function)(void);

// As many as C promises.
enum { EXIT_FUNCTIONS = 32 };

static Function functions[EXIT_FUNCTIONS];
static size_t count;

C_FUNCTION int atexit(Function function) {
  if (count == EXIT_FUNCTIONS)
    return -1;
  functions[count++] = function;
  return 0;
}

void silc_runExitFunctions(void) {
  while (count != 0)
    functions[--count]();
}
