// Parts of the C library and the kernel's headers that Swift's Glibc module lacks.
#pragma once

#include <linux/if_addr.h>
#include <linux/if_link.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if_arp.h>
#include <spawn.h>

// glibc 2.34. Declared here because its header hides it unless whoever builds the module defines _GNU_SOURCE.
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int first);

static inline int swiftlet_add_close_from(posix_spawn_file_actions_t *actions, int first) {
  return posix_spawn_file_actions_addclosefrom_np(actions, first);
}
