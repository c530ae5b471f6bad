// An object file as swiftc makes one of Embedded Swift: it brings the runtime's functions along, under Swift's names and as strong
// symbols, with their code inlined; so it takes objects from malloc and gives them to free, its own and those of others.

#include <stddef.h>
#include <stdint.h>

typedef struct Metadata {
  const struct Metadata *superclass;
  void (*destroy)(void *self __attribute__((swift_context)))
      __attribute__((swiftcall));
  void *ivar_destroyer;
} Metadata;

typedef struct Object {
  const Metadata *metadata;
  intptr_t refcount;
  intptr_t value;
} Object;

void abort(void);
void free(void *memory);
int posix_memalign(void **memory, size_t alignment, size_t size);
int putchar(int character);

Object *swift_allocObject(const Metadata *metadata, size_t size,
                          size_t alignment_mask) {
  void *object = NULL;
  if (posix_memalign(&object, alignment_mask + 1, size) != 0)
    abort();
  ((Object *)object)->metadata = metadata;
  ((Object *)object)->refcount = 1;
  return object;
}

void swift_deallocClassInstance(Object *object, size_t size,
                                size_t alignment_mask) {
  (void)size, (void)alignment_mask;
  if (object->refcount >= 0)
    free(object);
}

Object *swift_retain(Object *object) {
  ++object->refcount;
  return object;
}

void swift_release(Object *object) {
  if (--object->refcount == 0) {
    object->refcount = INTPTR_MAX;
    object->metadata->destroy(object);
  }
}

static __attribute__((swiftcall)) void
destroy(void *self __attribute__((swift_context))) {
  putchar((int)((Object *)self)->value);
  free(self);
}

static const Metadata metadata = {NULL, destroy, NULL};

// An object of this file, whose end prints the character.
Object *make_foreign(intptr_t value) {
  Object *object = swift_allocObject(&metadata, sizeof(Object), 15);
  object->value = value;
  return object;
}

void drop_foreign(Object *object) { swift_release(object); }

// What swiftc makes of the end of an object whose class it knows.
void free_object(Object *object) { free(object); }

// The program may begin here as well.
#ifdef WITH_MAIN
void silc_main(void);
int main(void) {
  silc_main();
  return 0;
}
#endif
