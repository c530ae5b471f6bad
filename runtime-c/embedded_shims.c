//===--- embedded_shims.c - what Embedded Swift's SIL asks of C -----------===//
//
// Owns: the functions of stdlib/public/SwiftShims/swift/shims/EmbeddedShims.h.
// There they are static inline, so a dump of SIL only declares them. They reach
// what Swift cannot spell: functions that take `self` in its register.
//
//===----------------------------------------------------------------------===//

#include "runtime.h"

RUNTIME_ENTRY void *
_swift_embedded_get_heap_object_metadata_pointer(void *object) {
  return (void *)((HeapObject *)object)->metadata;
}

RUNTIME_ENTRY void
_swift_embedded_set_heap_object_metadata_pointer(void *object, void *metadata) {
  ((HeapObject *)object)->metadata = metadata;
}

RUNTIME_ENTRY void _swift_embedded_invoke_heap_object_destroy(void *object) {
  ((HeapObject *)object)->metadata->destroy(object);
}

RUNTIME_ENTRY void
_swift_embedded_invoke_heap_object_optional_ivardestroyer(void *object,
                                                          void *metadata) {
  HeapObjectDestroyer destroyer = ((ClassMetadata *)metadata)->ivar_destroyer;
  if (destroyer != NULL)
    destroyer(object);
}
