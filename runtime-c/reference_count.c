//===--- reference_count.c - strong references ----------------------------===//
//
// Owns: retaining and releasing, atomically or not, and uniqueness.
// Does not own: weak.c and unowned.c, which use swift_tryRetain.
//
// Counts are changed by plain instructions while the process has one thread
// (see is_single_threaded) and atomically from then on. The nonatomic entry
// points are for code that was compiled under -assume-single-threaded.
//
// A release that takes the last reference sets the count to immortal for the
// time of the deinit, as Embedded Swift does: retains and releases of `self` in
// there have no effect, and weak references see that the object is gone.
//
//===----------------------------------------------------------------------===//

#include "runtime.h"

ALWAYS_INLINE intptr_t load(HeapObject *object) {
  return atomic_load_explicit(&object->refcount, memory_order_relaxed);
}

ALWAYS_INLINE void store(HeapObject *object, intptr_t refcount) {
  atomic_store_explicit(&object->refcount, refcount, memory_order_relaxed);
}

// The count as a plain variable, which LLVM may combine with other accesses.
ALWAYS_INLINE intptr_t *plain_refcount(HeapObject *object) {
  return (intptr_t *)&object->refcount;
}

//===--- Retain -----------------------------------------------------------===//

ALWAYS_INLINE HeapObject *retain_nonatomic(HeapObject *object, uint32_t count) {
  if (!is_counted(object))
    return object;
  intptr_t *refcount = plain_refcount(object);
  if (!is_immortal(*refcount))
    *refcount += (intptr_t)count;
  return object;
}

// Out of line: a program that has threads pays a call, all others have less
// code where references are counted.
RUNTIME_ENTRY __attribute__((noinline)) HeapObject *
silc_retainAtomic(HeapObject *object, uint32_t count) {
  if (is_counted(object) && !is_immortal(load(object)))
    atomic_fetch_add_explicit(&object->refcount, (intptr_t)count,
                              memory_order_relaxed);
  return object;
}

ALWAYS_INLINE HeapObject *retain(HeapObject *object, uint32_t count) {
  return LIKELY(is_single_threaded()) ? retain_nonatomic(object, count)
                                      : silc_retainAtomic(object, count);
}

RUNTIME_ENTRY HeapObject *swift_retain(HeapObject *object) {
  return retain(object, 1);
}

RUNTIME_ENTRY HeapObject *swift_retain_n(HeapObject *object, uint32_t count) {
  return retain(object, count);
}

RUNTIME_ENTRY HeapObject *swift_nonatomic_retain(HeapObject *object) {
  return retain_nonatomic(object, 1);
}

RUNTIME_ENTRY HeapObject *swift_nonatomic_retain_n(HeapObject *object,
                                                   uint32_t count) {
  return retain_nonatomic(object, count);
}

// One more strong reference, or null where the object's deinit has begun. The
// object's memory must be valid.
RUNTIME_ENTRY HeapObject *swift_tryRetain(HeapObject *object) {
  if (!is_counted(object))
    return object;
  intptr_t refcount = load(object);
  do {
    if (is_past_life(refcount))
      return NULL;
    if (is_immortal(refcount))
      return object;
  } while (!atomic_compare_exchange_weak_explicit(
      &object->refcount, &refcount, refcount + 1, memory_order_relaxed,
      memory_order_relaxed));
  return object;
}

//===--- Release ----------------------------------------------------------===//

// The last reference is gone. `refcount` has the rest: the do-not-free bit. Out
// of line, so that the many places that release have no call with `self` in its
// register.
RUNTIME_ENTRY __attribute__((noinline)) void
silc_destroyObject(HeapObject *object, intptr_t refcount) {
  store(object, IMMORTAL_REFCOUNT | (refcount & DO_NOT_FREE_BIT));
  object->metadata->destroy(object);
}

ALWAYS_INLINE void release_nonatomic(HeapObject *object, uint32_t count) {
  if (!is_counted(object))
    return;
  intptr_t refcount = *plain_refcount(object);
  if (is_immortal(refcount))
    return;
  refcount -= (intptr_t)count;
  if ((refcount & REFCOUNT_MASK) != 0)
    *plain_refcount(object) = refcount;
  else
    silc_destroyObject(object, refcount);
}

RUNTIME_ENTRY __attribute__((noinline)) void
silc_releaseAtomic(HeapObject *object, uint32_t count) {
  if (!is_counted(object) || is_immortal(load(object)))
    return;
  intptr_t refcount =
      atomic_fetch_sub_explicit(&object->refcount, (intptr_t)count,
                                memory_order_acq_rel) -
      (intptr_t)count;
  if ((refcount & REFCOUNT_MASK) == 0)
    silc_destroyObject(object, refcount);
}

ALWAYS_INLINE void release(HeapObject *object, uint32_t count) {
  if (LIKELY(is_single_threaded()))
    release_nonatomic(object, count);
  else
    silc_releaseAtomic(object, count);
}

RUNTIME_ENTRY void swift_release(HeapObject *object) { release(object, 1); }

RUNTIME_ENTRY void swift_release_n(HeapObject *object, uint32_t count) {
  release(object, count);
}

RUNTIME_ENTRY void swift_nonatomic_release(HeapObject *object) {
  release_nonatomic(object, 1);
}

RUNTIME_ENTRY void swift_nonatomic_release_n(HeapObject *object,
                                             uint32_t count) {
  release_nonatomic(object, count);
}

// For an object that is destroyed in place, without a last release.
RUNTIME_ENTRY void swift_setDeallocating(HeapObject *object) {
  store(object, IMMORTAL_REFCOUNT | (load(object) & DO_NOT_FREE_BIT));
}

RUNTIME_ENTRY bool swift_isDeallocating(HeapObject *object) {
  return is_counted(object) && is_past_life(load(object));
}

//===--- References with spare bits in use --------------------------------===//

// A bridge object without the bits that are not its address.
ALWAYS_INLINE HeapObject *plain_object(HeapObject *bridge_object) {
#if UINTPTR_MAX > UINT32_MAX
  return (HeapObject *)((uintptr_t)bridge_object & 0x8FFFFFFFFFFFFFF8u);
#else
  return bridge_object;
#endif
}

RUNTIME_ENTRY HeapObject *swift_bridgeObjectRetain(HeapObject *object) {
  swift_retain(plain_object(object));
  return object;
}

RUNTIME_ENTRY HeapObject *swift_bridgeObjectRetain_n(HeapObject *object,
                                                     uint32_t count) {
  swift_retain_n(plain_object(object), count);
  return object;
}

RUNTIME_ENTRY void swift_bridgeObjectRelease(HeapObject *object) {
  swift_release(plain_object(object));
}

RUNTIME_ENTRY void swift_bridgeObjectRelease_n(HeapObject *object,
                                               uint32_t count) {
  swift_release_n(plain_object(object), count);
}

//===--- By a convention that keeps registers -----------------------------===//

// The functions that optimised code calls where it does not inline: a fast path
// that works in one register, and the rest out of line.

#define OUT_OF_LINE KEEPS_REGISTERS RUNTIME_ENTRY __attribute__((noinline))

OUT_OF_LINE void silc_retainSlowly(HeapObject *object) {
  silc_retainAtomic(object, 1);
}

OUT_OF_LINE void silc_releaseSlowly(HeapObject *object) {
  silc_releaseAtomic(object, 1);
}

OUT_OF_LINE void silc_destroySlowly(HeapObject *object) {
  silc_destroyObject(object, load(object));
}

OUT_OF_LINE void silc_retain(HeapObject *object) {
  if (UNLIKELY(!is_single_threaded()))
    TAIL_CALL silc_retainSlowly(object);
  retain_nonatomic(object, 1);
}

// Counts down before it looks whether that was the last reference, since the
// difference then needs no second register.
OUT_OF_LINE void silc_release(HeapObject *object) {
  if (UNLIKELY(!is_single_threaded()))
    TAIL_CALL silc_releaseSlowly(object);
  if (!is_counted(object) || is_immortal(*plain_refcount(object)))
    return;
  intptr_t refcount = *plain_refcount(object) -= 1;
  if (UNLIKELY((refcount & REFCOUNT_MASK) == 0))
    TAIL_CALL silc_destroySlowly(object);
}

OUT_OF_LINE void silc_bridgeObjectRetain(HeapObject *object) {
  silc_retain(plain_object(object));
}

OUT_OF_LINE void silc_bridgeObjectRelease(HeapObject *object) {
  silc_release(plain_object(object));
}

//===--- Questions --------------------------------------------------------===//

RUNTIME_ENTRY bool swift_isUniquelyReferenced_nonNull_native(HeapObject *obj) {
  return atomic_load_explicit(&obj->refcount, memory_order_acquire) == 1;
}

RUNTIME_ENTRY bool swift_isUniquelyReferenced_native(HeapObject *object) {
  return is_counted(object) &&
         swift_isUniquelyReferenced_nonNull_native(object);
}

RUNTIME_ENTRY intptr_t swift_retainCount(HeapObject *object) {
  if (!is_counted(object))
    return 0;
  return atomic_load_explicit(&object->refcount, memory_order_acquire) &
         REFCOUNT_MASK;
}

// At the end of withoutActuallyEscaping: the closure's context must not have
// found another owner. The file and place are for a debugger.
RUNTIME_ENTRY bool
swift_isEscapingClosureAtFileLocation(HeapObject *context, const char *file,
                                      int32_t file_length, int32_t line,
                                      int32_t column, uint32_t verification) {
  (void)file, (void)file_length, (void)line, (void)column, (void)verification;
  if (context == NULL)
    return false;
  if (!swift_isUniquelyReferenced_native(context))
    silc_fatalError("non-escaping closure escaped");
  return false;
}
