// ALSA for Swift. Macros and variadic functions, which Swift cannot import, are wrapped in static inline functions.
#pragma once
#include <alsa/asoundlib.h>

static void swiftlet_alsa_hear_nothing(const char *file, int line, const char *function, int error, const char *format,
                                       ...) {
  (void)file, (void)line, (void)function, (void)error, (void)format;
}
/// Stops the library from printing errors to the standard error. Its functions return them as well.
static inline void swiftlet_alsa_silence(void) { snd_lib_error_set_handler(swiftlet_alsa_hear_nothing); }
