//===--- task_memory.c - the stack of memory that each task has -----------===//
//
// Owns: swift_task_alloc and its kin.
//
// The last memory allocated is given back first. Slabs are linked from the
// newest to the oldest. An address alone tells where the memory in use ends
// once it is given back.
//
//===----------------------------------------------------------------------===//

#include "concurrency.h"

// How large a slab is, and what allocations are rounded up to.
#ifdef HAS_SYSTEM
enum { SLAB_SIZE = 1008 };
#else
enum { SLAB_SIZE = 128 };
#endif
enum { ALIGNMENT = 16 };

struct Slab {
  Slab *previous;
  char *end_of_previous;
  // The memory follows, at the next multiple of the alignment.
};

enum { SLAB_HEADER = (sizeof(Slab) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT };

static char *slab_memory(Slab *slab) { return (char *)slab + SLAB_HEADER; }

static void add_slab(Task *task, size_t size) {
  const size_t all = SLAB_HEADER + size;
  const size_t slab_size = all < SLAB_SIZE ? SLAB_SIZE : all;
  Slab *slab = silc_allocate(slab_size, ALIGNMENT - 1);
  slab->previous = task->slab;
  slab->end_of_previous = task->memory_end;
  task->slab = slab;
  task->memory_top = slab_memory(slab);
  task->memory_end = (char *)slab + slab_size;
}

// The top of the slab before is not known here; the next address that is
// given back tells it.
static void remove_slab(Task *task) {
  Slab *slab = task->slab;
  task->slab = slab->previous;
  task->memory_end = slab->end_of_previous;
  silc_deallocate(slab);
}

static bool is_in_slab(const Task *task, const char *memory) {
  return memory >= (char *)task->slab && memory < task->memory_end;
}

RUNTIME_ENTRY void *silc_allocateInTask(Task *task, size_t size) {
  size = (size + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
  if (size == 0)
    size = ALIGNMENT;
  if (UNLIKELY((size_t)(task->memory_end - task->memory_top) < size))
    add_slab(task, size);
  char *memory = task->memory_top;
  task->memory_top += size;
  return memory;
}

// Gives back `memory`, and all that was allocated after it.
RUNTIME_ENTRY void silc_deallocateInTask(Task *task, void *memory) {
  while (UNLIKELY(!is_in_slab(task, memory)))
    remove_slab(task);
  task->memory_top = memory;
}

RUNTIME_ENTRY void silc_freeTaskMemory(Task *task) {
  while (task->slab != NULL)
    remove_slab(task);
  task->memory_top = task->memory_end = NULL;
}

static Task *task_that_runs(void) {
  Task *task = swift_task_getCurrent();
  if (UNLIKELY(task == NULL))
    silc_fatalError("async code runs outside of a task");
  return task;
}

RUNTIME_ENTRY SWIFT_CALL void *swift_task_alloc(size_t size) {
  return silc_allocateInTask(task_that_runs(), size);
}

RUNTIME_ENTRY SWIFT_CALL void swift_task_dealloc(void *memory) {
  silc_deallocateInTask(task_that_runs(), memory);
}

RUNTIME_ENTRY SWIFT_CALL void swift_task_dealloc_through(void *memory) {
  silc_deallocateInTask(task_that_runs(), memory);
}

RUNTIME_ENTRY SWIFT_CALL void *swift_job_allocate(Job *job, size_t size) {
  return is_task(job) ? silc_allocateInTask((Task *)job, size) : NULL;
}

RUNTIME_ENTRY SWIFT_CALL void swift_job_deallocate(Job *job, void *memory) {
  if (is_task(job))
    silc_deallocateInTask((Task *)job, memory);
}
