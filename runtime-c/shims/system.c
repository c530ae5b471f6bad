//===--- system.c - LibcOverlayShims.h ------------------------------------===//
//
// Owns: the parts of the C library that Swift's modules of it (Glibc, Darwin,
// WASILibc) use and cannot spell: macros and functions with variable arguments.
//
//===----------------------------------------------------------------------===//

#if defined(__linux__) || defined(__APPLE__) || defined(__wasi__)

#include <stddef.h>

#define IMPORTED __attribute__((visibility("default")))

//===--- errno ------------------------------------------------------------===//

#if defined(__APPLE__)
int *__error(void) IMPORTED;
static int *errno_address(void) { return __error(); }
#elif defined(__linux__)
int *__errno_location(void) IMPORTED;
static int *errno_address(void) { return __errno_location(); }
#else
extern _Thread_local int errno IMPORTED;
static int *errno_address(void) { return &errno; }
#endif

int _swift_stdlib_getErrno(void) { return *errno_address(); }
void _swift_stdlib_setErrno(int value) { *errno_address() = value; }

//===--- Files ------------------------------------------------------------===//

#ifdef __APPLE__
typedef unsigned short Mode;
#else
typedef unsigned int Mode;
#endif

int fcntl(int file, int command, ...) IMPORTED;
int open(const char *path, int flags, ...) IMPORTED;
int openat(int folder, const char *path, int flags, ...) IMPORTED;

// WASI's C library has int for the request.
#ifdef __wasi__
int ioctl(int file, int request, ...) IMPORTED;
#define REQUEST(number) ((int)(number))
#else
int ioctl(int file, unsigned long request, ...) IMPORTED;
#define REQUEST(number) (number)
#endif

int _swift_stdlib_fcntl(int file, int command, int value) {
  return fcntl(file, command, value);
}

int _swift_stdlib_fcntlPtr(int file, int command, void *value) {
  return fcntl(file, command, value);
}

int _swift_stdlib_ioctl(int file, unsigned long request, int value) {
  return ioctl(file, REQUEST(request), value);
}

int _swift_stdlib_ioctlPtr(int file, unsigned long request, void *value) {
  return ioctl(file, REQUEST(request), value);
}

int _swift_stdlib_open(const char *path, int flags, Mode mode) {
  return open(path, flags, mode);
}

int _swift_stdlib_openat(int folder, const char *path, int flags, Mode mode) {
  return openat(folder, path, flags, mode);
}

//===--- Semaphores and the environment -----------------------------------===//

#ifndef __wasi__

void *sem_open(const char *name, int flags, ...) IMPORTED;

void *_stdlib_sem_open2(const char *name, int flags) {
  return sem_open(name, flags);
}

void *_stdlib_sem_open4(const char *name, int flags, Mode mode,
                        unsigned int value) {
  return sem_open(name, flags, mode, value);
}

#endif

#ifdef __APPLE__

char ***_NSGetEnviron(void) IMPORTED;
char **_swift_stdlib_getEnviron(void) { return *_NSGetEnviron(); }

#endif

#endif
