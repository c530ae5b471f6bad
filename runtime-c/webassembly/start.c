//===--- start.c - from the engine to main --------------------------------===//
//
// Owns: _start: the arguments and the environment, initialisers, main. With
// the system interface the program then ends; without it, _start gives the
// status to who called it.
//
//===----------------------------------------------------------------------===//

#include "../freestanding/c_library.h"
#include "wasi.h"

// The name of `main` in WebAssembly's C ABI, where a function is of one type.
extern int __main_argc_argv(int argument_count, char **arguments);

// The linker's: calls all initialisers.
extern void __wasm_call_ctors(void);

#ifdef __wasi__

typedef uint16_t GetSizes(size_t *count, size_t *size);
typedef uint16_t GetTexts(char **texts, char *bytes);

// Null-terminated; null where there is nothing.
static char **texts(GetSizes *get_sizes, GetTexts *get_texts, size_t *count) {
  size_t size;
  if (get_sizes(count, &size) != 0)
    *count = 0;
  char **result = malloc((*count + 1) * sizeof(char *) + size);
  if (result == NULL)
    abort();
  if (*count != 0 && get_texts(result, (char *)(result + *count + 1)) != 0)
    *count = 0;
  result[*count] = NULL;
  return result;
}

C_FUNCTION void _start(void) {
  size_t argument_count, variable_count;
  char **arguments =
      texts(wasi_args_sizes_get, wasi_args_get, &argument_count);
  environ =
      texts(wasi_environ_sizes_get, wasi_environ_get, &variable_count);
  __wasm_call_ctors();
  exit(__main_argc_argv((int)argument_count, arguments));
}

#else

extern void silc_runExitFunctions(void) __attribute__((weak));

C_FUNCTION int _start(void) {
  static char *no_arguments[] = {NULL};
  __wasm_call_ctors();
  int status = __main_argc_argv(0, no_arguments);
  if (silc_runExitFunctions != NULL)
    silc_runExitFunctions();
  return status;
}

#endif
