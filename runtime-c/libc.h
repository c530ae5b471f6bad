//===--- libc.h - the C functions that the runtime calls ------------------===//
//
// Owns: their declarations, so that the runtime is compiled for any target
// without that target's headers. A hosted program finds the functions in its C
// library, a freestanding one in freestanding/.
//
//===----------------------------------------------------------------------===//

#ifndef SILC_LIBC_H
#define SILC_LIBC_H

#include <stddef.h>

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

// How much memory there is behind a pointer of malloc. Absent from the C
// libraries of small boards.
#ifdef __APPLE__
size_t malloc_size(const void *memory) __attribute__((visibility("default")));
#else
size_t malloc_usable_size(void *memory)
    __attribute__((weak, visibility("default")));
#endif

// Absent where there is no scheduler.
int sched_yield(void) __attribute__((weak, visibility("default")));

// Absent where there is no virtual memory.
void *mmap(void *address, size_t length, int protection, int flags, int file,
           long offset) __attribute__((weak, visibility("default")));

#endif
