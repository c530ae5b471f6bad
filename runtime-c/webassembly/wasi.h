//===--- wasi.h - calls of the system interface ---------------------------===//
//
// Owns: the functions of WASI, preview 1, that this C library imports.
//
//===----------------------------------------------------------------------===//

#ifndef SILC_WEBASSEMBLY_WASI_H
#define SILC_WEBASSEMBLY_WASI_H

#include <stddef.h>
#include <stdint.h>

#define WASI(name)                                                             \
  __attribute__((import_module("wasi_snapshot_preview1"), import_name(#name)))

typedef struct WasiBytes {
  const void *bytes;
  size_t length;
} WasiBytes;

typedef struct WasiFileState {
  uint8_t kind;
  uint16_t flags;
  uint64_t rights, inheriting_rights;
} WasiFileState;

enum { WASI_CHARACTER_DEVICE = 2 };

enum { WASI_MONOTONIC_CLOCK = 1, WASI_EVENT_WORDS = 4 };

// Asks for an event when a time has passed.
typedef struct WasiSubscription {
  uint64_t tag;
  uint64_t kind; // zero: a clock
  uint32_t clock;
  uint64_t nanoseconds;
  uint64_t precision;
  uint16_t flags; // zero: from now on
} WasiSubscription;

// Each gives zero or an error's number.
uint16_t wasi_fd_write(int file, const WasiBytes *parts, size_t count,
                       size_t *written) WASI(fd_write);
uint16_t wasi_fd_fdstat_get(int file, WasiFileState *state)
    WASI(fd_fdstat_get);
uint16_t wasi_clock_time_get(uint32_t clock, uint64_t precision,
                             uint64_t *nanoseconds) WASI(clock_time_get);
uint16_t wasi_poll_oneoff(const WasiSubscription *subscriptions,
                          uint64_t *events, size_t count, size_t *happened)
    WASI(poll_oneoff);
uint16_t wasi_random_get(void *memory, size_t length) WASI(random_get);
uint16_t wasi_args_sizes_get(size_t *count, size_t *size)
    WASI(args_sizes_get);
uint16_t wasi_args_get(char **arguments, char *texts) WASI(args_get);
uint16_t wasi_environ_sizes_get(size_t *count, size_t *size)
    WASI(environ_sizes_get);
uint16_t wasi_environ_get(char **variables, char *texts) WASI(environ_get);
__attribute__((noreturn)) void wasi_proc_exit(int status) WASI(proc_exit);

#endif
