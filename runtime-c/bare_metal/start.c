//===--- start.c - from the first instruction to main ---------------------===//
//
// Owns: silc_start: data and zeroes in their places, initialisers, main. Each
// architecture's own file has the code before it.
//
// The symbols are the linker script's; docs/book/src/targets.md lists them.
//
//===----------------------------------------------------------------------===//

#include "../freestanding/c_library.h"

extern const char __data_load[];
extern char __data_start[], __data_end[], __bss_start[], __bss_end[];

typedef void (*Initializer)(void);
extern const Initializer __init_array_start[]
    __attribute__((weak, visibility("hidden")));
extern const Initializer __init_array_end[]
    __attribute__((weak, visibility("hidden")));

extern int main(int argument_count, char **arguments, char **environment);

// Where the script places data at once where it is used, nothing is to be done.
static void fill_memory(void) {
  if ((uintptr_t)__data_load != (uintptr_t)__data_start)
    memcpy(__data_start, __data_load, (size_t)(__data_end - __data_start));
  memset(__bss_start, 0, (size_t)(__bss_end - __bss_start));
}

C_FUNCTION __attribute__((noreturn)) void silc_start(void) {
  fill_memory();
  for (const Initializer *next = __init_array_start; next != __init_array_end;
       ++next)
    (*next)();
  static char *no_arguments[] = {NULL};
  exit(main(0, no_arguments, no_arguments));
}
