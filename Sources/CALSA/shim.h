// ALSA's library for Swift: what the importer cannot see (macros, variadics) as static inline functions.
#pragma once
#include <alsa/asoundlib.h>
#include <sys/eventfd.h>

static void swiftlet_alsa_hear_nothing(const char *file, int line, const char *function, int error, const char *format,
                                       ...) {
  (void)file, (void)line, (void)function, (void)error, (void)format;
}
/// Keeps the library from writing to the standard error what its functions return anyway.
static inline void swiftlet_alsa_silence(void) { snd_lib_error_set_handler(swiftlet_alsa_hear_nothing); }

/// A descriptor to wake with whoever polls the library's; -1 if there is none to be had.
static inline int swiftlet_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }
