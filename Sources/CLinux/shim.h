// What Swift does not see of the C library.
#pragma once

#include <spawn.h>

// glibc 2.34; its header has it for _GNU_SOURCE only, and whether that is defined depends on who builds the module.
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int first);

static inline int swiftlet_add_close_from(posix_spawn_file_actions_t *actions, int first) {
  return posix_spawn_file_actions_addclosefrom_np(actions, first);
}
