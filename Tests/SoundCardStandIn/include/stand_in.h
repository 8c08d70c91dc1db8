// A fake sound card: ALSA plugins of the type `swiftlet_stand_in`, which tests configure in an asoundrc. Tests control
// and observe it by files in its folder:
//
//   gone       if it exists, the card is unplugged (ENODEV)
//   gone-at-R  if it exists, the card is unplugged when it is set to R frames per second
//   busy       if it exists, another program uses the card (EBUSY), as when it is opened twice
//   forbidden  if it exists, the user may not use the card (EACCES)
//   xrun       if it exists, one underrun occurs, and the file is deleted
//   recording  the played samples without silent frames
//   timeline   if it exists, the recording has silent frames too, and the log a line for each start of the card's clock:
//              start SECONDS BYTE    of the monotonic clock, and of the recording
//   log        a line for each open, close, format and underrun
//   mixer      a line for each control:
//              volume NAME MINIMUM MAXIMUM LEFT RIGHT [LOWEST_DB STEP_DB [mute]]    in hundredths of a decibel
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
static inline void stand_in_log(const char *folder, const char *format, ...) {
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
