//===--- embedded.c - EmbeddedShims.h -------------------------------------===//
//
// Owns: the functions that reach the parts of objects and metadata that Swift
// cannot spell: they take `self` in its register.
//
//===----------------------------------------------------------------------===//

#include "../runtime.h"

void *
_swift_embedded_get_heap_object_metadata_pointer(void *object) {
  return (void *)((HeapObject *)object)->metadata;
}

void
_swift_embedded_set_heap_object_metadata_pointer(void *object, void *metadata) {
  ((HeapObject *)object)->metadata = metadata;
}

void _swift_embedded_invoke_heap_object_destroy(void *object) {
  ((HeapObject *)object)->metadata->destroy(object);
}

void
_swift_embedded_invoke_heap_object_optional_ivardestroyer(void *object,
                                                          void *metadata) {
  HeapObjectDestroyer destroyer = ((ClassMetadata *)metadata)->ivar_destroyer;
  if (destroyer != NULL)
    destroyer(object);
}
