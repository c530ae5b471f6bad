//===--- stream_lock.c - the locks of async streams -----------------------===//
//
// Owns: the lock that each async stream has in its storage.
//
// It is held for a few instructions, while nothing is called that waits.
//
//===----------------------------------------------------------------------===//

#include "concurrency.h"

#ifdef __linux__

// A mutex of POSIX's, in memory that is aligned as pointers are. Zeroes are a
// new one.
typedef struct StreamLock {
  void *content[8];
} StreamLock;

int pthread_mutex_lock(StreamLock *lock)
    __attribute__((weak, visibility("default")));
int pthread_mutex_unlock(StreamLock *lock)
    __attribute__((weak, visibility("default")));

static void initialize(StreamLock *lock) { *lock = (StreamLock){{NULL}}; }

static void acquire(StreamLock *lock) {
  if (IS_LINKED(pthread_mutex_lock))
    pthread_mutex_lock(lock);
}

static void release(StreamLock *lock) {
  if (IS_LINKED(pthread_mutex_unlock))
    pthread_mutex_unlock(lock);
}

#else

// Remembers whether the lock of tasks was taken.
typedef struct StreamLock {
  bool was_locked;
} StreamLock;

static void initialize(StreamLock *lock) { *lock = (StreamLock){false}; }

static void acquire(StreamLock *lock) { lock->was_locked = silc_lockTasks(); }

static void release(StreamLock *lock) { silc_unlockTasks(lock->was_locked); }

#endif

// In words, for which the library makes room behind the storage of a stream
// (stdlib/public/Concurrency/AsyncStream.cpp).
RUNTIME_ENTRY SWIFT_CALL size_t _swift_async_stream_lock_size(void) {
  return (sizeof(StreamLock) + sizeof(void *) - 1) / sizeof(void *);
}

RUNTIME_ENTRY SWIFT_CALL void _swift_async_stream_lock_init(StreamLock *lock) {
  initialize(lock);
}

RUNTIME_ENTRY SWIFT_CALL void _swift_async_stream_lock_lock(StreamLock *lock) {
  acquire(lock);
}

RUNTIME_ENTRY SWIFT_CALL void _swift_async_stream_lock_unlock(StreamLock *lock) {
  release(lock);
}
