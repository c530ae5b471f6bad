//===--- unowned.c - unowned references -----------------------------------===//
//
// Owns: the entry points for `unowned let` and `unowned var`. Such a variable
// holds the object's address; the count is in the side table (side_table.c) and
// keeps the object's memory allocated.
//
//===----------------------------------------------------------------------===//

#include "side_table.h"

typedef struct UnownedReference {
  HeapObject *object;
} UnownedReference;

RUNTIME_ENTRY HeapObject *swift_unownedRetain(HeapObject *object) {
  if (is_counted(object))
    silc_sideTableRetainUnowned(object);
  return object;
}

RUNTIME_ENTRY void swift_unownedRelease(HeapObject *object) {
  if (is_counted(object))
    silc_sideTableReleaseUnowned(object);
}

RUNTIME_ENTRY HeapObject *swift_nonatomic_unownedRetain(HeapObject *object) {
  return swift_unownedRetain(object);
}

RUNTIME_ENTRY void swift_nonatomic_unownedRelease(HeapObject *object) {
  swift_unownedRelease(object);
}

COLD __attribute__((noreturn)) static void report_dead_object(void) {
  silc_fatalError("Attempted to read an unowned reference but the object was "
                  "already deallocated");
}

RUNTIME_ENTRY void swift_unownedCheck(HeapObject *object) {
  if (swift_isDeallocating(object))
    report_dead_object();
}

RUNTIME_ENTRY HeapObject *swift_unownedRetainStrong(HeapObject *object) {
  if (is_counted(object) && swift_tryRetain(object) == NULL)
    report_dead_object();
  return object;
}

RUNTIME_ENTRY void swift_unownedRetainStrongAndRelease(HeapObject *object) {
  swift_unownedRetainStrong(object);
  swift_unownedRelease(object);
}

RUNTIME_ENTRY HeapObject *
swift_nonatomic_unownedRetainStrong(HeapObject *object) {
  return swift_unownedRetainStrong(object);
}

RUNTIME_ENTRY void
swift_nonatomic_unownedRetainStrongAndRelease(HeapObject *object) {
  swift_unownedRetainStrongAndRelease(object);
}

//===--- Variables --------------------------------------------------------===//

RUNTIME_ENTRY UnownedReference *swift_unownedInit(UnownedReference *reference,
                                                  HeapObject *object) {
  reference->object = swift_unownedRetain(object);
  return reference;
}

RUNTIME_ENTRY UnownedReference *swift_unownedAssign(UnownedReference *reference,
                                                    HeapObject *object) {
  HeapObject *old = reference->object;
  reference->object = swift_unownedRetain(object);
  swift_unownedRelease(old);
  return reference;
}

RUNTIME_ENTRY HeapObject *swift_unownedLoadStrong(UnownedReference *reference) {
  return swift_unownedRetainStrong(reference->object);
}

RUNTIME_ENTRY HeapObject *swift_unownedTakeStrong(UnownedReference *reference) {
  HeapObject *object = reference->object;
  swift_unownedRetainStrongAndRelease(object);
  reference->object = NULL;
  return object;
}

RUNTIME_ENTRY void swift_unownedDestroy(UnownedReference *reference) {
  swift_unownedRelease(reference->object);
  reference->object = NULL;
}

RUNTIME_ENTRY UnownedReference *
swift_unownedCopyInit(UnownedReference *destination, UnownedReference *source) {
  return swift_unownedInit(destination, source->object);
}

RUNTIME_ENTRY UnownedReference *
swift_unownedTakeInit(UnownedReference *destination, UnownedReference *source) {
  destination->object = source->object;
  source->object = NULL;
  return destination;
}

RUNTIME_ENTRY UnownedReference *
swift_unownedCopyAssign(UnownedReference *destination,
                        UnownedReference *source) {
  return swift_unownedAssign(destination, source->object);
}

RUNTIME_ENTRY UnownedReference *
swift_unownedTakeAssign(UnownedReference *destination,
                        UnownedReference *source) {
  swift_unownedRelease(destination->object);
  return swift_unownedTakeInit(destination, source);
}
