//===--- casts.c - casts between classes ----------------------------------===//
//
// Owns: swift_dynamicCastClass and its unconditional form, for Embedded class
// metadata.
//
//===----------------------------------------------------------------------===//

#include "runtime.h"

RUNTIME_ENTRY HeapObject *swift_dynamicCastClass(HeapObject *object,
                                                 const ClassMetadata *target) {
  if (object == NULL)
    return NULL;
  for (const ClassMetadata *metadata = object->metadata; metadata != NULL;
       metadata = metadata->superclass)
    if (metadata == target)
      return object;
  return NULL;
}

RUNTIME_ENTRY HeapObject *swift_dynamicCastClassUnconditional(
    HeapObject *object, const ClassMetadata *target, const char *file,
    unsigned line, unsigned column) {
  (void)file, (void)line, (void)column;
  if (object != NULL && swift_dynamicCastClass(object, target) == NULL)
    silc_fatalError("failed cast");
  return object;
}
