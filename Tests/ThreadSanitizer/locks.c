// Tells the thread sanitizer about locks that it does not see: GLib's locks are futexes, and the contended path of Swift's
// Mutex is in a library without the sanitizer. Without this, data guarded by such locks is reported as a race. Loaded by
// LD_PRELOAD; has no effect in programs without the sanitizer.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>

__attribute__((weak)) void __tsan_acquire(void *lock);
__attribute__((weak)) void __tsan_release(void *lock);

static void acquired(void *lock) {
  if (__tsan_acquire) __tsan_acquire(lock);
}

static void releasing(void *lock) {
  if (__tsan_release) __tsan_release(lock);
}

// The original function of this name, looked up once.
#define NEXT(type, name) \
  static type next;      \
  if (next == NULL) next = (type)dlsym(RTLD_NEXT, name)

typedef void (*Change)(void *lock);
typedef int (*Trial)(void *lock);
typedef void (*Wait)(void *condition, void *lock);
typedef int (*TimedWait)(void *condition, void *lock, int64_t end);

#define LOCK(name)         \
  void name(void *lock) {  \
    NEXT(Change, #name);   \
    next(lock);            \
    acquired(lock);        \
  }

#define TRYLOCK(name)          \
  int name(void *lock) {       \
    NEXT(Trial, #name);        \
    int taken = next(lock);    \
    if (taken) acquired(lock); \
    return taken;              \
  }

#define UNLOCK(name)      \
  void name(void *lock) { \
    NEXT(Change, #name);  \
    releasing(lock);      \
    next(lock);           \
  }

LOCK(g_mutex_lock)
TRYLOCK(g_mutex_trylock)
UNLOCK(g_mutex_unlock)
LOCK(g_rec_mutex_lock)
TRYLOCK(g_rec_mutex_trylock)
UNLOCK(g_rec_mutex_unlock)
LOCK(g_rw_lock_reader_lock)
TRYLOCK(g_rw_lock_reader_trylock)
UNLOCK(g_rw_lock_reader_unlock)
LOCK(g_rw_lock_writer_lock)
TRYLOCK(g_rw_lock_writer_trylock)
UNLOCK(g_rw_lock_writer_unlock)

void g_cond_wait(void *condition, void *lock) {
  NEXT(Wait, "g_cond_wait");
  releasing(lock);
  next(condition, lock);
  acquired(lock);
}

int g_cond_wait_until(void *condition, void *lock, int64_t end) {
  NEXT(TimedWait, "g_cond_wait_until");
  releasing(lock);
  int woken = next(condition, lock, end);
  acquired(lock);
  return woken;
}

// Synchronization._MutexHandle._lockSlow(UInt32) and _unlockSlow(), as Swift names and calls them.
#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define SELF __attribute__((swift_context)) void *
#define SWIFT __attribute__((swiftcall))

typedef SWIFT void (*LockSlow)(uint32_t thread, SELF lock);
typedef SWIFT void (*UnlockSlow)(SELF lock);

SWIFT void lockSlow(uint32_t thread, SELF lock) __asm__(LOCK_SLOW);
SWIFT void lockSlow(uint32_t thread, SELF lock) {
  NEXT(LockSlow, LOCK_SLOW);
  next(thread, lock);
  acquired(lock);
}

SWIFT void unlockSlow(SELF lock) __asm__(UNLOCK_SLOW);
SWIFT void unlockSlow(SELF lock) {
  NEXT(UnlockSlow, UNLOCK_SLOW);
  releasing(lock);
  next(lock);
}
