//===--- current.c - what runs on a thread --------------------------------===//
//
// Owns: the task and the executor that each thread is busy with.
//
//===----------------------------------------------------------------------===//

#include "concurrency.h"

extern THREAD_LOCAL Task *silc_currentTask;
RUNTIME_STATE THREAD_LOCAL Task *silc_currentTask;

// The innermost executor that the thread has entered, or null.
extern THREAD_LOCAL Tracking *silc_currentTracking;
RUNTIME_STATE THREAD_LOCAL Tracking *silc_currentTracking;

RUNTIME_ENTRY Task *silc_setCurrentTask(Task *task) {
  Task *before = silc_currentTask;
  silc_currentTask = task;
  return before;
}

RUNTIME_ENTRY SWIFT_CALL Task *swift_task_getCurrent(void) {
  return silc_currentTask;
}

RUNTIME_ENTRY Tracking *silc_tracking(void) { return silc_currentTracking; }

RUNTIME_ENTRY void silc_enterExecutor(Tracking *tracking, Executor executor) {
  tracking->executor = executor;
  tracking->outer = silc_currentTracking;
  silc_currentTracking = tracking;
}

RUNTIME_ENTRY void silc_leaveExecutor(Tracking *tracking) {
  silc_currentTracking = tracking->outer;
}

RUNTIME_ENTRY Executor silc_currentExecutor(void) {
  return silc_currentTracking != NULL ? silc_currentTracking->executor
                                      : generic_executor();
}

RUNTIME_ENTRY SWIFT_CALL Executor swift_task_getCurrentExecutor(void) {
  return silc_currentExecutor();
}
