//===--- side_table.c - the data of weak and unowned references -----------===//
//
// Owns: the map from an object's address to its side table, and the lifetime
// of both.
// Does not own: the entry points (weak.c, unowned.c).
//
// An Embedded object has two words of header and no room for further counts.
// No bit of its refcount is free for a mark either: the retain, release and
// uniqueness functions that a dump of SIL brings along compare the whole word.
// So weak and unowned counts live outside, in a side table found by address,
// and the header stays as it is:
//
// - A weak variable holds a pointer to the side table, or null. A load takes
//   the table's lock and then a strong reference by compare-and-exchange, which
//   fails once the count has reached zero or the deinit's immortal value. The
//   lock keeps the memory valid meanwhile: swift_deallocClassInstance comes
//   here first (silc_sideTableObjectDies), under the same lock.
// - An unowned variable holds the object's address. Its count keeps the memory
//   allocated after the deinit, so the address means this object for as long as
//   someone may ask, and asking needs no lock.
//
// A program without either never has a side table, and pays one load of
// silc_sideTableCount per deallocated object. Stack-promoted objects work too,
// as long as no such reference outlives the object's frame.
//
// The map is split into stripes by address, each with its lock.
//
//===----------------------------------------------------------------------===//

#include "side_table.h"
#include "libc.h"

struct SideTable {
  HeapObject *object;
  SideTable *next; // in the same bucket
  size_t weak_count;
  size_t unowned_count;
  bool is_in_map;
  bool is_dead; // the object's deinit is over
};

typedef struct Stripe {
  atomic_flag lock;
  SideTable **buckets;
  size_t bucket_count; // zero or a power of two
  size_t table_count;
} Stripe;

enum { STRIPE_COUNT = 64, FIRST_BUCKET_COUNT = 16 };

RUNTIME_STATE Stripe silc_sideTableStripes[STRIPE_COUNT] = {0};
RUNTIME_STATE _Atomic(size_t) silc_sideTableCount = 0;

//===--- Stripes ----------------------------------------------------------===//

// Mixes the bits of an address: objects lie at multiples of 16.
ALWAYS_INLINE size_t hash(const HeapObject *object) {
  uintptr_t bits = (uintptr_t)object >> 4;
  return bits ^ (bits >> 7) ^ (bits >> 17);
}

static Stripe *lock_stripe(const HeapObject *object) {
  Stripe *stripe = &silc_sideTableStripes[hash(object) % STRIPE_COUNT];
  while (atomic_flag_test_and_set_explicit(&stripe->lock, memory_order_acquire))
    yield_to_others();
  return stripe;
}

static void unlock_stripe(Stripe *stripe) {
  atomic_flag_clear_explicit(&stripe->lock, memory_order_release);
}

static SideTable **bucket_of(Stripe *stripe, const HeapObject *object) {
  size_t index = (hash(object) / STRIPE_COUNT) & (stripe->bucket_count - 1);
  return &stripe->buckets[index];
}

// Where the pointer to the object's table is or would be.
static SideTable **find_link(Stripe *stripe, const HeapObject *object) {
  SideTable **link = bucket_of(stripe, object);
  while (*link != NULL && (*link)->object != object)
    link = &(*link)->next;
  return link;
}

static void grow(Stripe *stripe) {
  SideTable **old_buckets = stripe->buckets;
  size_t old_count = stripe->bucket_count;
  size_t new_count = old_count != 0 ? 2 * old_count : FIRST_BUCKET_COUNT;
  size_t size = new_count * sizeof(SideTable *);
  stripe->buckets = memset(silc_allocate(size, SIZE_MAX), 0, size);
  stripe->bucket_count = new_count;
  for (size_t index = 0; index < old_count; ++index) {
    SideTable *table = old_buckets[index];
    while (table != NULL) {
      SideTable *next = table->next;
      SideTable **bucket = bucket_of(stripe, table->object);
      table->next = *bucket;
      *bucket = table;
      table = next;
    }
  }
  silc_deallocate(old_buckets);
}

static SideTable *find(Stripe *stripe, const HeapObject *object) {
  return stripe->bucket_count != 0 ? *find_link(stripe, object) : NULL;
}

static SideTable *find_or_make(Stripe *stripe, HeapObject *object) {
  SideTable *table = find(stripe, object);
  if (table != NULL)
    return table;
  if (stripe->table_count == stripe->bucket_count)
    grow(stripe);
  table = silc_allocate(sizeof(SideTable), SIZE_MAX);
  SideTable **bucket = bucket_of(stripe, object);
  *table = (SideTable){.object = object, .next = *bucket, .is_in_map = true};
  *bucket = table;
  ++stripe->table_count;
  atomic_fetch_add_explicit(&silc_sideTableCount, 1, memory_order_relaxed);
  return table;
}

static void remove_from_map(Stripe *stripe, SideTable *table) {
  *find_link(stripe, table->object) = table->next;
  table->is_in_map = false;
  --stripe->table_count;
  atomic_fetch_sub_explicit(&silc_sideTableCount, 1, memory_order_relaxed);
}

//===--- Lifetime ---------------------------------------------------------===//

// Frees the memory that the counts no longer need, after one of them has fallen
// or the object has died.
static void settle(Stripe *stripe, SideTable *table) {
  bool is_found_by_address =
      table->unowned_count != 0 || (table->weak_count != 0 && !table->is_dead);
  if (table->is_in_map && !is_found_by_address)
    remove_from_map(stripe, table);
  if (table->weak_count == 0 && table->unowned_count == 0)
    silc_deallocate(table);
}

RUNTIME_ENTRY MemoryFate silc_sideTableObjectDies(HeapObject *object) {
  Stripe *stripe = lock_stripe(object);
  MemoryFate fate = MEMORY_IS_FREE;
  SideTable *table = find(stripe, object);
  if (table != NULL) {
    fate = table->unowned_count != 0 ? MEMORY_IS_KEPT : MEMORY_IS_FREE;
    table->is_dead = true;
    settle(stripe, table);
  }
  unlock_stripe(stripe);
  return fate;
}

//===--- Weak variables ---------------------------------------------------===//

RUNTIME_ENTRY SideTable *silc_sideTableFormWeak(HeapObject *object) {
  Stripe *stripe = lock_stripe(object);
  SideTable *table = find_or_make(stripe, object);
  ++table->weak_count;
  unlock_stripe(stripe);
  return table;
}

RUNTIME_ENTRY void silc_sideTableRetainWeak(SideTable *table) {
  Stripe *stripe = lock_stripe(table->object);
  ++table->weak_count;
  unlock_stripe(stripe);
}

RUNTIME_ENTRY void silc_sideTableReleaseWeak(SideTable *table) {
  Stripe *stripe = lock_stripe(table->object);
  --table->weak_count;
  settle(stripe, table);
  unlock_stripe(stripe);
}

RUNTIME_ENTRY HeapObject *silc_sideTableLoadStrong(SideTable *table) {
  Stripe *stripe = lock_stripe(table->object);
  HeapObject *object = table->is_dead ? NULL : swift_tryRetain(table->object);
  unlock_stripe(stripe);
  return object;
}

//===--- Unowned references -----------------------------------------------===//

RUNTIME_ENTRY void silc_sideTableRetainUnowned(HeapObject *object) {
  Stripe *stripe = lock_stripe(object);
  ++find_or_make(stripe, object)->unowned_count;
  unlock_stripe(stripe);
}

static void free_memory_of(HeapObject *object) {
  intptr_t refcount =
      atomic_load_explicit(&object->refcount, memory_order_relaxed);
  if ((refcount & DO_NOT_FREE_BIT) == 0)
    silc_deallocateObject(object);
}

RUNTIME_ENTRY void silc_sideTableReleaseUnowned(HeapObject *object) {
  Stripe *stripe = lock_stripe(object);
  SideTable *table = find(stripe, object);
  if (table == NULL || table->unowned_count == 0)
    silc_fatalError("Object's unowned reference was over-released");
  bool was_last_of_dead = --table->unowned_count == 0 && table->is_dead;
  settle(stripe, table);
  unlock_stripe(stripe);
  if (was_last_of_dead)
    free_memory_of(object);
}
