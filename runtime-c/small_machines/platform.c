//===--- platform.c - Embedded Swift's platform functions -----------------===//
//
// Owns: the functions that later versions of Embedded Swift call under names of
// their own: the place of the list of accesses that overlap, and mutexes. Here
// is one thread. A system with several has its own.
//
//===----------------------------------------------------------------------===//

#include "../freestanding/c_library.h"
#include "../runtime.h"

static void *accesses;

C_FUNCTION void *_swift_getExclusivityTLS(void) { return accesses; }
C_FUNCTION void _swift_setExclusivityTLS(void *list) { accesses = list; }

// A mutex is a word at least: not zero while it is locked.
C_FUNCTION void _swift_mutex_init(void *mutex, uintptr_t flags) {
  (void)flags;
  *(uintptr_t *)mutex = 0;
}

C_FUNCTION void _swift_mutex_destroy(void *mutex) { (void)mutex; }

// Nobody else would ever unlock it.
C_FUNCTION void _swift_mutex_lock(void *mutex) {
  if (*(uintptr_t *)mutex != 0)
    silc_fatalError("a mutex is locked by who has locked it already");
  *(uintptr_t *)mutex = 1;
}

C_FUNCTION void _swift_mutex_unlock(void *mutex) { *(uintptr_t *)mutex = 0; }

C_FUNCTION intptr_t _swift_mutex_tryLock(void *mutex) {
  bool is_free = *(uintptr_t *)mutex == 0;
  *(uintptr_t *)mutex = 1;
  return is_free;
}
