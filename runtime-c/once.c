//===--- once.c - initialisers that run once ------------------------------===//
//
// Owns: swift_once.
//
// The predicate is a word, zero at first: 0 not begun, 1 running, -1 done.
//
//===----------------------------------------------------------------------===//

#include "libc.h"
#include "runtime.h"

enum { NOT_BEGUN = 0, RUNNING = 1, DONE = -1 };

COLD static void wait_until_done(_Atomic(intptr_t) *predicate) {
  while (atomic_load_explicit(predicate, memory_order_acquire) != DONE) {
    // Without another thread, the initialiser that runs is one that waits here.
    if (is_single_threaded())
      silc_fatalError("a global's initializer uses the global itself");
    yield_to_others();
  }
}

COLD static void run_or_wait(_Atomic(intptr_t) *predicate,
                             void (*initializer)(void *), void *context) {
  intptr_t expected = NOT_BEGUN;
  if (!atomic_compare_exchange_strong_explicit(predicate, &expected, RUNNING,
                                               memory_order_acquire,
                                               memory_order_acquire)) {
    wait_until_done(predicate);
    return;
  }
  initializer(context);
  atomic_store_explicit(predicate, DONE, memory_order_release);
}

RUNTIME_ENTRY void swift_once(_Atomic(intptr_t) *predicate,
                              void (*initializer)(void *), void *context) {
  if (UNLIKELY(atomic_load_explicit(predicate, memory_order_acquire) != DONE))
    run_or_wait(predicate, initializer, context);
}
