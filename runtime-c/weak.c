//===--- weak.c - weak variables ------------------------------------------===//
//
// Owns: the entry points for `weak var`. Such a variable is one word: a side
// table (see side_table.c), or null.
//
// Several threads may load one variable at the same time; to store to it is the
// privilege of one, as for any variable.
//
//===----------------------------------------------------------------------===//

#include "side_table.h"

typedef struct WeakReference {
  SideTable *table;
} WeakReference;

static SideTable *form(HeapObject *object) {
  if (!is_counted(object) || swift_isDeallocating(object))
    return NULL;
  return silc_sideTableFormWeak(object);
}

static SideTable *copy(const WeakReference *source) {
  if (source->table != NULL)
    silc_sideTableRetainWeak(source->table);
  return source->table;
}

static WeakReference *replace(WeakReference *reference, SideTable *table) {
  SideTable *old = reference->table;
  reference->table = table;
  if (old != NULL)
    silc_sideTableReleaseWeak(old);
  return reference;
}

static SideTable *take(WeakReference *reference) {
  SideTable *table = reference->table;
  reference->table = NULL;
  return table;
}

RUNTIME_ENTRY WeakReference *swift_weakInit(WeakReference *reference,
                                            HeapObject *object) {
  reference->table = form(object);
  return reference;
}

RUNTIME_ENTRY WeakReference *swift_weakAssign(WeakReference *reference,
                                              HeapObject *object) {
  return replace(reference, form(object));
}

RUNTIME_ENTRY HeapObject *swift_weakLoadStrong(WeakReference *reference) {
  if (reference->table == NULL)
    return NULL;
  return silc_sideTableLoadStrong(reference->table);
}

RUNTIME_ENTRY void swift_weakDestroy(WeakReference *reference) {
  replace(reference, NULL);
}

RUNTIME_ENTRY HeapObject *swift_weakTakeStrong(WeakReference *reference) {
  HeapObject *object = swift_weakLoadStrong(reference);
  swift_weakDestroy(reference);
  return object;
}

RUNTIME_ENTRY WeakReference *swift_weakCopyInit(WeakReference *destination,
                                                WeakReference *source) {
  destination->table = copy(source);
  return destination;
}

RUNTIME_ENTRY WeakReference *swift_weakTakeInit(WeakReference *destination,
                                                WeakReference *source) {
  destination->table = take(source);
  return destination;
}

RUNTIME_ENTRY WeakReference *swift_weakCopyAssign(WeakReference *destination,
                                                  WeakReference *source) {
  return replace(destination, copy(source));
}

RUNTIME_ENTRY WeakReference *swift_weakTakeAssign(WeakReference *destination,
                                                  WeakReference *source) {
  return replace(destination, take(source));
}
