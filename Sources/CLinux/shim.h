// Linux and glibc APIs that are missing from Swift's Glibc module.
#pragma once

#include <fcntl.h>
#include <linux/if_addr.h>
#include <linux/if_link.h>
#include <linux/input.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sockios.h>
#include <spawn.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/timex.h>
#include <time.h>
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

// From <resolv.h>, which includes <netinet/in.h> too. Queries the system's name servers; the state is the thread's own.
int res_query(const char *name, int record_class, int type, unsigned char *answer, int size);

/// An eventfd that wakes a thread in poll(2); -1 on failure.
static inline int swiftlet_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

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

/// Reads when the kernel received the last datagram that was read from a socket, by the real-time clock (socket(7)); -1 on
/// failure. The first call makes the kernel take the time.
static inline int swiftlet_receive_time(int socket, struct timespec *time) { return ioctl(socket, SIOCGSTAMPNS, time); }

/// Whether a time server sets the clock (adjtimex(2)); -1 if this may not be asked.
static inline int swiftlet_clock_is_synchronized(void) {
  struct timex state = {.modes = 0};
  if (adjtimex(&state) < 0) return -1;
  return (state.status & STA_UNSYNC) == 0;
}

// Since glibc 2.27. Declared here because the header declares it only with _GNU_SOURCE.
int memfd_create(const char *name, unsigned flags);

/// A file in memory (memfd_create(2)); -1 on failure.
static inline int swiftlet_memory_file(const char *name) { return memfd_create(name, 1 /* MFD_CLOEXEC */); }

/// Gives the calling thread a low priority for the processor, and lets it use disks only while nothing else does
/// (ioprio_set(2), which glibc does not have).
static inline void swiftlet_run_in_background(void) {
  setpriority(PRIO_PROCESS, 0, 10);
  syscall(SYS_ioprio_set, 1 /* IOPRIO_WHO_PROCESS */, 0, 3 << 13 /* IOPRIO_CLASS_IDLE */);
}

/// A descriptor of a process that becomes readable when the process ends (pidfd_open(2)); -1 on failure.
static inline int swiftlet_process_descriptor(pid_t pid) { return (int)syscall(SYS_pidfd_open, pid, 0); }

/// Sets the capacity of a pipe in bytes, rounded up to whole pages; -1 on failure.
static inline int swiftlet_set_pipe_size(int pipe, int size) { return fcntl(pipe, 1031 /* F_SETPIPE_SZ */, size); }

/// Creates a pipe whose ends are not inherited (pipe2(2)); -1 on failure.
static inline int swiftlet_pipe(int ends[2]) {
  if (pipe(ends) != 0) return -1;
  for (int end = 0; end < 2; end++) fcntl(ends[end], F_SETFD, FD_CLOEXEC);
  return 0;
}
