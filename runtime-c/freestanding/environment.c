//===--- environment.c - the process's environment ------------------------===//
//
// Owns: environ and getenv. Without a system the environment is empty.
//
//===----------------------------------------------------------------------===//

#include "c_library.h"

C_FUNCTION char **environ = NULL;

C_FUNCTION char *getenv(const char *name) {
  size_t length = strlen(name);
  for (char **entry = environ; entry != NULL && *entry != NULL; ++entry) {
    size_t index = 0;
    while (index < length && (*entry)[index] == name[index])
      ++index;
    if (index == length && (*entry)[length] == '=')
      return *entry + length + 1;
  }
  return NULL;
}
