// Linux and glibc APIs that are missing from Swift's Glibc module.
#pragma once

#include <linux/if_addr.h>
#include <linux/if_link.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <spawn.h>
#include <sys/eventfd.h>

// From <net/if_arp.h>. That header includes <sys/socket.h>, whose names Swift may then find in files that import CLinux
// only, depending on the order in which modules are loaded.
static const int swiftlet_arphrd_ether = 1;
static const int swiftlet_arphrd_infiniband = 32;

// Since glibc 2.34. Declared here because the header declares it only with _GNU_SOURCE.
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int first);

static inline int swiftlet_add_close_from(posix_spawn_file_actions_t *actions, int first) {
  return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

/// An eventfd that wakes a thread in poll(2); -1 on failure.
static inline int swiftlet_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }
