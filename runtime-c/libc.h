//===--- libc.h - the C functions that the runtime calls ------------------===//
//
// Owns: their declarations, so that the runtime is compiled for any target
// without that target's headers. A hosted program finds the functions in its C
// library, a freestanding one in freestanding/.
//
//===----------------------------------------------------------------------===//

#ifndef SILC_LIBC_H
#define SILC_LIBC_H

#include <stdbool.h>
#include <stddef.h>

// Whether a function or variable that is declared weak is there. The linkers of
// Apple and Windows have no answer to that, so nothing is asked of them that
// their libraries do not have.
#if defined(__MACH__) || defined(_WIN32)
#define IS_LINKED(symbol) false
#else
#define IS_LINKED(symbol) (&(symbol) != NULL)
#endif

// Whether there is an operating system, or a host in its place. Boards have the
// functions that Embedded Swift asks of its platform, and the runtime asks for
// nothing else: posix_memalign, free, putchar, and those that compilers call on
// their own.
#if defined(__linux__) || defined(__APPLE__) || defined(_WIN32) ||             \
    defined(__wasm__)
#define HAS_SYSTEM
#endif

void *malloc(size_t size)
    __attribute__((malloc, alloc_size(1), visibility("default")));
void free(void *memory) __attribute__((visibility("default")));
int posix_memalign(void **memory, size_t alignment, size_t size)
    __attribute__((visibility("default")));
void *memset(void *memory, int byte, size_t length)
    __attribute__((visibility("default")));
size_t strlen(const char *text) __attribute__((visibility("default")));
int strcmp(const char *left, const char *right)
    __attribute__((visibility("default")));
char *getenv(const char *name) __attribute__((visibility("default")));
ptrdiff_t write(int file, const void *bytes, size_t length)
    __attribute__((visibility("default")));
#ifndef HAS_SYSTEM
int putchar(int character) __attribute__((visibility("default")));
#endif

// The size of the memory at a pointer of malloc.
#ifdef __APPLE__
size_t malloc_size(const void *memory) __attribute__((visibility("default")));
#else
size_t malloc_usable_size(void *memory)
    __attribute__((weak, visibility("default")));
#endif

// Absent where there is no scheduler.
#ifdef __APPLE__
int sched_yield(void) __attribute__((visibility("default")));
#elif defined(HAS_SYSTEM)
int sched_yield(void) __attribute__((weak, visibility("default")));
#endif

// Runs another thread, which may hold the lock that this one waits for.
static inline void yield_to_others(void) {
#ifdef __APPLE__
  sched_yield();
#elif defined(HAS_SYSTEM)
  if (IS_LINKED(sched_yield))
    sched_yield();
#endif
}

// Absent where there is no virtual memory.
void *mmap(void *address, size_t length, int protection, int flags, int file,
           long offset) __attribute__((weak, visibility("default")));

#endif
