//===--- synchronization.c - _SynchronizationShims.h ----------------------===//
//
// Owns: the futexes of Synchronization's Mutex on Linux.
//
//===----------------------------------------------------------------------===//

#ifdef __linux__

#include <stdint.h>

#define IMPORTED __attribute__((visibility("default")))

long syscall(long number, ...) IMPORTED;
int *__errno_location(void) IMPORTED;

// include/uapi/linux/futex.h and each architecture's unistd.h.
enum {
  LOCK_PI_PRIVATE = 6 | 128,
  UNLOCK_PI_PRIVATE = 7 | 128,
  TRYLOCK_PI = 8,
#if defined(__x86_64__)
  CALL_gettid = 186,
  CALL_futex = 202
#elif defined(__arm__)
  CALL_gettid = 224,
  CALL_futex = 240
#else // the generic table: AArch64, RISC-V
  CALL_gettid = 178,
  CALL_futex = 98
#endif
};

// Zero, or why not.
static uint32_t futex(uint32_t *lock, int operation) {
  long result = syscall(CALL_futex, lock, operation, 0, (void *)0);
  return result == 0 ? 0 : (uint32_t)*__errno_location();
}

uint32_t _swift_stdlib_gettid(void) { return (uint32_t)syscall(CALL_gettid); }

uint32_t _swift_stdlib_futex_lock(uint32_t *lock) {
  return futex(lock, LOCK_PI_PRIVATE);
}

uint32_t _swift_stdlib_futex_trylock(uint32_t *lock) {
  return futex(lock, TRYLOCK_PI);
}

uint32_t _swift_stdlib_futex_unlock(uint32_t *lock) {
  return futex(lock, UNLOCK_PI_PRIVATE);
}

#endif
