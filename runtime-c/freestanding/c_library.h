//===--- c_library.h - the freestanding C library's functions -------------===//
//
// Owns: the declarations of this folder's functions. All of them are weak: a
// program or another library that defines the function wins.
//
//===----------------------------------------------------------------------===//

#ifndef SILC_FREESTANDING_C_LIBRARY_H
#define SILC_FREESTANDING_C_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define C_FUNCTION __attribute__((weak))

// Shared by the library's own files.
#define HIDDEN __attribute__((visibility("hidden")))

void *memcpy(void *restrict destination, const void *restrict source,
             size_t length);
void *memmove(void *destination, const void *source, size_t length);
void *memset(void *memory, int byte, size_t length);
int memcmp(const void *left, const void *right, size_t length);
size_t strlen(const char *text);
int strcmp(const char *left, const char *right);
int strncmp(const char *left, const char *right, size_t length);
char *strcpy(char *restrict to, const char *restrict from);
char *strchr(const char *text, int character);
size_t strspn(const char *text, const char *characters);
size_t strcspn(const char *text, const char *characters);
size_t strnlen(const char *text, size_t length);

void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *memory, size_t size);
void free(void *memory);
int posix_memalign(void **memory, size_t alignment, size_t size);
void *aligned_alloc(size_t alignment, size_t size);
size_t malloc_usable_size(void *memory);

ptrdiff_t write(int file, const void *bytes, size_t length);
__attribute__((noreturn)) void _exit(int status);
__attribute__((noreturn)) void exit(int status);
__attribute__((noreturn)) void abort(void);
int atexit(void (*function)(void));
char *getenv(const char *name);
void arc4random_buf(void *memory, size_t length);
int putchar(int character);

// The value of errno for a number that its type cannot hold.
enum { SILC_ERANGE = 34 };

void silc_setErrno(int error);

static inline bool silc_isSpace(char character) {
  return character == ' ' || (character >= '\t' && character <= '\r');
}

// Whether the file is a terminal, at which somebody watches.
bool silc_isTerminal(int file);

// Writes the contents of standard output's buffer.
void silc_flushStandardOutput(void);

extern char **environ;

#endif
