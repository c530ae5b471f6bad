//===--- process.c - the end of the process -------------------------------===//
//
// Owns: exit, _exit, abort, atexit.
//
//===----------------------------------------------------------------------===//

#include "../freestanding/c_library.h"
#include "system.h"

typedef void (*Function)(void);

enum { EXIT_FUNCTIONS_IN_BLOCK = 32 };

typedef struct ExitBlock {
  struct ExitBlock *older;
  size_t count;
  Function functions[EXIT_FUNCTIONS_IN_BLOCK];
} ExitBlock;

static ExitBlock first_block;
static ExitBlock *exit_block = &first_block;

// Present where standard output is used.
extern void silc_flushStandardOutput(void) __attribute__((weak));

extern const Function __fini_array_start[]
    __attribute__((weak, visibility("hidden")));
extern const Function __fini_array_end[]
    __attribute__((weak, visibility("hidden")));

C_FUNCTION int atexit(Function function) {
  if (exit_block->count == EXIT_FUNCTIONS_IN_BLOCK) {
    ExitBlock *block = system_map(sizeof(ExitBlock));
    if (block == NULL)
      return -1;
    block->older = exit_block;
    exit_block = block;
  }
  exit_block->functions[exit_block->count++] = function;
  return 0;
}

C_FUNCTION void _exit(int status) {
  for (;;)
    system_call(SYSTEM_exit_group, status, 0, 0, 0, 0, 0);
}

// Newest first; a function may register others.
static void run_exit_functions(void) {
  while (exit_block->count != 0 || exit_block->older != NULL) {
    if (exit_block->count == 0)
      exit_block = exit_block->older;
    else
      exit_block->functions[--exit_block->count]();
  }
}

C_FUNCTION void exit(int status) {
  run_exit_functions();
  for (const Function *next = __fini_array_end; next != __fini_array_start;)
    (*--next)();
  if (silc_flushStandardOutput != NULL)
    silc_flushStandardOutput();
  _exit(status);
}

C_FUNCTION void abort(void) {
  enum { SIGNAL_ABORT = 6 };
  intptr_t process = system_call(SYSTEM_getpid, 0, 0, 0, 0, 0, 0);
  intptr_t thread = system_call(SYSTEM_gettid, 0, 0, 0, 0, 0, 0);
  system_call(SYSTEM_tgkill, process, thread, SIGNAL_ABORT, 0, 0, 0);
  __builtin_trap();
}
