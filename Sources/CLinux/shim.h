// Linux and glibc APIs that are missing from Swift's Glibc module.
#pragma once

#include <link.h>
#include <linux/if_addr.h>
#include <linux/if_link.h>
#include <linux/input.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <spawn.h>
#include <stdint.h>
#include <sys/auxv.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

// From <net/if_arp.h>. That header includes <sys/socket.h>, whose names Swift may then find in files that import CLinux
// only, depending on the order in which modules are loaded.
static const int swiftlet_arphrd_ether = 1;
static const int swiftlet_arphrd_infiniband = 32;

// Since glibc 2.34. Declared here because the header declares it only with _GNU_SOURCE.
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int first);

static inline int swiftlet_add_close_from(posix_spawn_file_actions_t *actions, int first) {
  return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

/// Whether this program was started directly. False after `ld.so PROGRAM`: then the dynamic loader is the program that the
/// kernel knows.
static inline int swiftlet_is_started_directly(void) { return getauxval(AT_BASE) != 0; }

/// An eventfd that wakes a thread in poll(2); -1 on failure.
static inline int swiftlet_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

/// The first members of struct dl_phdr_info, which <link.h> declares only with _GNU_SOURCE.
struct swiftlet_module {
  ElfW(Addr) address;
  const char *name;
  const ElfW(Phdr) *headers;
  ElfW(Half) count;
};
int swiftlet_iterate_modules(int (*body)(struct swiftlet_module *, size_t, void *), void *data)
    __asm__("dl_iterate_phdr");

static inline int swiftlet_drop_module(struct swiftlet_module *module, size_t size, void *data) {
  for (int index = 0; index < module->count; index++) {
    const ElfW(Phdr) *header = &module->headers[index];
    // DT_TEXTREL: the loader wrote to segments that are not writable.
    if (header->p_type != PT_DYNAMIC) continue;
    const ElfW(Dyn) *entry = (const ElfW(Dyn) *)(module->address + header->p_vaddr);
    for (; entry->d_tag != DT_NULL; entry++) {
      if (entry->d_tag == DT_TEXTREL) return 0;
      if (entry->d_tag == DT_FLAGS && (entry->d_un.d_val & DF_TEXTREL)) return 0;
    }
  }
  const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  for (int index = 0; index < module->count; index++) {
    const ElfW(Phdr) *header = &module->headers[index];
    if (header->p_type != PT_LOAD || (header->p_flags & PF_W)) continue;
    // Whole pages only: the first and the last one may be shared with a writable segment.
    uintptr_t begin = (module->address + header->p_vaddr + page - 1) & ~(page - 1);
    uintptr_t end = (module->address + header->p_vaddr + header->p_memsz) & ~(page - 1);
    if (begin < end) madvise((void *)begin, end - begin, MADV_DONTNEED);
  }
  return 0;
}

/// Unmaps the pages of code and constants of the program and its libraries. A page that is used again is mapped again from the
/// page cache. Pages that were ever written to, such as relocated ones, are in writable segments and stay.
static inline void swiftlet_drop_file_pages(void) { swiftlet_iterate_modules(swiftlet_drop_module, NULL); }

// The ioctls of input devices (linux/input.h). Swift cannot call ioctl(2), which is variadic. All return -1 on failure.

/// Sets the clock of the timestamps.
static inline int swiftlet_input_set_clock(int device, int clock) { return ioctl(device, EVIOCSCLOCKID, &clock); }

/// Grabs the device, so that no other descriptor gets its events, or releases it.
static inline int swiftlet_input_grab(int device, int is_on) { return ioctl(device, EVIOCGRAB, is_on); }

/// Reads the keys that are pressed: one bit for each code.
static inline int swiftlet_input_keys(int device, unsigned char *bits, unsigned size) {
  return ioctl(device, EVIOCGKEY(size), bits);
}

static inline int swiftlet_input_name(int device, char *text, unsigned size) {
  return ioctl(device, EVIOCGNAME(size), text);
}

/// Reads the address of a Bluetooth device, or the serial number of a USB one.
static inline int swiftlet_input_unique(int device, char *text, unsigned size) {
  return ioctl(device, EVIOCGUNIQ(size), text);
}

/// Reads the physical path of the device: its port or adapter.
static inline int swiftlet_input_place(int device, char *text, unsigned size) {
  return ioctl(device, EVIOCGPHYS(size), text);
}
