//===--- default_actor.c - actors without an executor of their own --------===//
//
// Owns: default actors: the queue of each, who runs what is in it, and its end.
//
// An actor that is busy and has jobs is itself a job of the generic executor's
// afterwards: its turn.
//
//===----------------------------------------------------------------------===//

#include "concurrency.h"

enum { ACTOR_WORDS = 12, STORAGE_OFFSET = sizeof(HeapObject) };

typedef enum ActorState {
  IDLE,
  SCHEDULED, // its turn is in a queue, which retains it
  RUNNING
} ActorState;

// The content of an actor's object after its head. The lock guards it.
typedef struct Actor {
  Job turn;
  Job *first, *last; // by priority, then as they came
  uint8_t state;
  bool is_dead; // and to be deallocated by who runs it
} Actor;

_Static_assert(sizeof(Actor) <= ACTOR_WORDS * sizeof(void *),
               "an actor has 12 words");

static Actor *storage_of(HeapObject *object) {
  return (Actor *)((char *)object + STORAGE_OFFSET);
}

static HeapObject *object_of(Job *turn) {
  return (HeapObject *)((char *)turn - STORAGE_OFFSET);
}

static ASYNC_CALL void take_turn(Job *turn);

RUNTIME_ENTRY SWIFT_CALL void swift_defaultActor_initialize(HeapObject *object) {
  Actor *actor = storage_of(object);
  *actor = (Actor){0};
  actor->turn.flags = JOB_IS_ACTOR_TURN;
  actor->turn.run = take_turn;
}

RUNTIME_ENTRY SWIFT_CALL void swift_defaultActor_destroy(HeapObject *object) {
  (void)object;
}

// Frees the object, unless a job of the actor's itself let go of it.
RUNTIME_ENTRY SWIFT_CALL void swift_defaultActor_deallocate(HeapObject *object) {
  Actor *actor = storage_of(object);
  const bool locked = silc_lockTasks();
  actor->is_dead = true;
  const bool is_running = actor->state == RUNNING;
  silc_unlockTasks(locked);
  if (!is_running)
    swift_deallocClassInstance(object, 0, 0);
}

RUNTIME_ENTRY SWIFT_CALL void
swift_defaultActor_deallocateResilient(HeapObject *object) {
  swift_defaultActor_deallocate(object);
}

//===--- The queue --------------------------------------------------------===//

static void put(Actor *actor, Job *job) {
  Job **place = &actor->first;
  if (actor->last != NULL && job_priority(actor->last) >= job_priority(job))
    place = &actor->last->next;
  while (*place != NULL && job_priority(*place) >= job_priority(job))
    place = &(*place)->next;
  job->next = *place;
  *place = job;
  if (job->next == NULL)
    actor->last = job;
}

static Job *take(Actor *actor) {
  Job *job = actor->first;
  if (job != NULL)
    actor->first = job->next;
  if (actor->first == NULL)
    actor->last = NULL;
  return job;
}

// Puts the turn of the actor into the queue, with the lock held.
static void schedule(HeapObject *object) {
  Actor *actor = storage_of(object);
  actor->state = SCHEDULED;
  swift_retain(object);
  set_job_priority(&actor->turn, job_priority(actor->first));
  silc_putJob(&actor->turn);
}

RUNTIME_ENTRY void silc_enqueueOnActor(HeapObject *object, Job *job) {
  Actor *actor = storage_of(object);
  const bool locked = silc_lockTasks();
  put(actor, job);
  if (actor->state == IDLE)
    schedule(object);
  silc_unlockTasks(locked);
}

RUNTIME_ENTRY SWIFT_CALL void swift_defaultActor_enqueue(Job *job,
                                                         HeapObject *object) {
  silc_enqueueOnActor(object, job);
}

//===--- Running ----------------------------------------------------------===//

RUNTIME_ENTRY bool silc_tryEnterActor(HeapObject *object) {
  Actor *actor = storage_of(object);
  const bool locked = silc_lockTasks();
  const bool is_idle = actor->state == IDLE;
  if (is_idle)
    actor->state = RUNNING;
  silc_unlockTasks(locked);
  return is_idle;
}

RUNTIME_ENTRY void silc_leaveActor(HeapObject *object) {
  Actor *actor = storage_of(object);
  const bool locked = silc_lockTasks();
  const bool is_dead = actor->is_dead;
  if (!is_dead) {
    if (actor->first != NULL)
      schedule(object);
    else
      actor->state = IDLE;
  }
  silc_unlockTasks(locked);
  if (is_dead)
    swift_deallocClassInstance(object, 0, 0);
}

// The next job of the actor, which becomes idle where there is none.
static Job *next_job(Actor *actor) {
  const bool locked = silc_lockTasks();
  Job *job = take(actor);
  actor->state = job != NULL ? RUNNING : IDLE;
  silc_unlockTasks(locked);
  return job;
}

// Runs the jobs of an actor until there are none, or until one of them leaves
// it: the thread is that job's then.
static ASYNC_CALL void take_turn(Job *turn) {
  HeapObject *object = object_of(turn);
  const Executor executor = {(uintptr_t)object, 0};
  Job *job;
  while ((job = next_job(storage_of(object))) != NULL) {
    Tracking tracking = {.executor = executor, .may_switch = true};
    silc_runJob(job, &tracking);
    if (tracking.executor.identity != executor.identity) {
      if (is_default_actor(tracking.executor))
        silc_leaveActor((HeapObject *)tracking.executor.identity);
      break;
    }
  }
  swift_release(object);
}
