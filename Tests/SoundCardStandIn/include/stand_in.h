// A sound card that is none, for ALSA's library: plugins of the type `swiftlet_stand_in`, which tests configure in an
// asoundrc. Its folder is what the test has of it:
//
//   gone       is there: the card is not (ENODEV)
//   gone-at-R  exists: the card goes (ENODEV) when it is set to R frames a second
//   busy       is there: another program has it (EBUSY), as when it is opened twice
//   forbidden  is there: only others may have it (EACCES)
//   xrun       is there: the card has run out of samples once, and the file goes
//   recording  the samples that it was given, without silence in between
//   log        a line for each opening and closing, format and underrun
//   mixer      a line for each control:
//              volume NAME MINIMUM MAXIMUM LEFT RIGHT [LEAST_DB STEP_DB [mute]]    in hundredths of a decibel
//              switch NAME LEFT RIGHT
#pragma once
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>

enum { STAND_IN_PATH = 512 };

static inline void stand_in_path(char *path, const char *folder, const char *name) {
  snprintf(path, STAND_IN_PATH, "%s/%s", folder, name);
}

/// Adds a line to the log.
static inline void stand_in_tell(const char *folder, const char *format, ...) {
  char path[STAND_IN_PATH];
  stand_in_path(path, folder, "log");
  FILE *file = fopen(path, "a");
  if (!file) return;
  va_list arguments;
  va_start(arguments, format);
  vfprintf(file, format, arguments);
  va_end(arguments);
  fputc('\n', file);
  fclose(file);
}
