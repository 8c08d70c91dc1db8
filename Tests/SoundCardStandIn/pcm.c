// The playback device. It supports only the configured formats and consumes samples at the rate of the monotonic clock, or
// faster or slower by the configured parts per million.
#include <alsa/asoundlib.h>
#include <alsa/pcm_external.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "stand_in.h"

enum { MAXIMUM_VALUES = 32 };

struct card {
  snd_pcm_ioplug_t io;
  char folder[STAND_IN_PATH];
  int lock;
  FILE *recording;
  int runs;
  struct timespec start;
  long drift;
  long first;
  snd_pcm_uframes_t written;
  snd_pcm_uframes_t offset;
};

static int has(const struct card *card, const char *name) {
  char path[STAND_IN_PATH];
  stand_in_path(path, card->folder, name);
  return access(path, F_OK) == 0;
}

static snd_pcm_uframes_t played(const struct card *card) {
  if (!card->runs) return card->offset;
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  int64_t nanoseconds =
      (int64_t)(now.tv_sec - card->start.tv_sec) * 1000000000 + (now.tv_nsec - card->start.tv_nsec);
  nanoseconds += nanoseconds / 1000000 * card->drift;
  return card->offset + (snd_pcm_uframes_t)(nanoseconds / 1000 * card->io.rate / 1000000);
}

static int is_gone(struct card *card) {
  if (!has(card, "gone")) return 0;
  snd_pcm_ioplug_set_state(&card->io, SND_PCM_STATE_DISCONNECTED);
  return 1;
}

static int start(snd_pcm_ioplug_t *io) {
  struct card *card = io->private_data;
  if (is_gone(card)) return -ENODEV;
  clock_gettime(CLOCK_MONOTONIC, &card->start);
  card->runs = 1;
  if (has(card, "timeline"))
    stand_in_log(card->folder, "start %ld.%09ld %ld", (long)card->start.tv_sec, card->start.tv_nsec, card->first);
  long period = (long)((int64_t)io->period_size * 1000000000 / io->rate);
  struct itimerspec tick = {{period / 1000000000, period % 1000000000}, {0, 1000000}};
  timerfd_settime(io->poll_fd, 0, &tick, NULL);
  return 0;
}

static int stop(snd_pcm_ioplug_t *io) {
  struct card *card = io->private_data;
  card->offset = played(card);
  card->runs = 0;
  return 0;
}

static int prepare(snd_pcm_ioplug_t *io) {
  struct card *card = io->private_data;
  if (is_gone(card)) return -ENODEV;
  card->runs = 0;
  card->first = ftell(card->recording);
  card->written = 0;
  card->offset = 0;
  // The empty buffer is writable at once.
  struct itimerspec now = {{0, 0}, {0, 1}};
  timerfd_settime(io->poll_fd, 0, &now, NULL);
  return 0;
}

static snd_pcm_sframes_t pointer(snd_pcm_ioplug_t *io) {
  struct card *card = io->private_data;
  if (is_gone(card)) return -ENODEV;
  snd_pcm_uframes_t position = played(card);
  int starved = card->runs && position > card->written && io->state != SND_PCM_STATE_DRAINING;
  if (has(card, "xrun")) {
    char path[STAND_IN_PATH];
    stand_in_path(path, card->folder, "xrun");
    unlink(path);
    starved = 1;
  }
  if (starved) {
    stand_in_log(card->folder, "xrun");
    card->runs = 0;
    return -EPIPE;
  }
  return (snd_pcm_sframes_t)(position % io->buffer_size);
}

static snd_pcm_sframes_t transfer(snd_pcm_ioplug_t *io, const snd_pcm_channel_area_t *areas, snd_pcm_uframes_t offset,
                                  snd_pcm_uframes_t size) {
  struct card *card = io->private_data;
  if (is_gone(card)) return -ENODEV;
  size_t frame = areas[0].step / 8;
  const char *samples = (const char *)areas[0].addr + areas[0].first / 8 + offset * frame;
  static const char silence[256];
  int is_whole = has(card, "timeline");
  for (snd_pcm_uframes_t index = 0; index < size; index++, samples += frame)
    if (is_whole || (frame <= sizeof silence && memcmp(samples, silence, frame) != 0)) fwrite(samples, frame, 1, card->recording);
  fflush(card->recording);
  card->written += size;
  return (snd_pcm_sframes_t)size;
}

static int hw_params(snd_pcm_ioplug_t *io, snd_pcm_hw_params_t *params) {
  (void)params;
  struct card *card = io->private_data;
  char mark[32], from[STAND_IN_PATH], to[STAND_IN_PATH];
  snprintf(mark, sizeof mark, "gone-at-%u", io->rate);
  if (has(card, mark)) {
    stand_in_path(from, card->folder, mark);
    stand_in_path(to, card->folder, "gone");
    rename(from, to);
  }
  if (is_gone(card)) return -ENODEV;
  stand_in_log(card->folder, "format %s %u %u", snd_pcm_format_name(io->format), io->rate, io->channels);
  return 0;
}

static int poll_revents(snd_pcm_ioplug_t *io, struct pollfd *descriptors, unsigned count, unsigned short *events) {
  struct card *card = io->private_data;
  (void)count;
  uint64_t ticks;
  *events = 0;
  if (!(descriptors[0].revents & POLLIN)) return 0;
  if (card->runs && read(io->poll_fd, &ticks, sizeof ticks) < 0) return 0;
  *events = is_gone(card) ? POLLERR : POLLOUT;
  return 0;
}

static int close_card(snd_pcm_ioplug_t *io) {
  struct card *card = io->private_data;
  stand_in_log(card->folder, "close");
  fclose(card->recording);
  close(io->poll_fd);
  close(card->lock);
  free(card);
  return 0;
}

static const snd_pcm_ioplug_callback_t callbacks = {
    .start = start,
    .stop = stop,
    .pointer = pointer,
    .transfer = transfer,
    .close = close_card,
    .hw_params = hw_params,
    .prepare = prepare,
    .poll_revents = poll_revents,
};

static unsigned numbers(const char *text, unsigned *list, int are_formats) {
  char copy[256];
  snprintf(copy, sizeof copy, "%s", text);
  unsigned count = 0;
  for (char *rest = copy, *word; count < MAXIMUM_VALUES && (word = strsep(&rest, " "));)
    if (*word) list[count++] = are_formats ? (unsigned)snd_pcm_format_value(word) : (unsigned)atoi(word);
  return count;
}

static int restrict_to(snd_pcm_ioplug_t *io, int what, const char *text, int are_formats) {
  unsigned list[MAXIMUM_VALUES];
  unsigned count = numbers(text, list, are_formats);
  return snd_pcm_ioplug_set_param_list(io, what, count, list);
}

SND_PCM_PLUGIN_DEFINE_FUNC(swiftlet_stand_in) {
  (void)root;
  const char *folder = "", *formats = "S16_LE", *rates = "48000", *channels = "2", *drift = "0";
  snd_config_iterator_t entry, next;
  snd_config_for_each(entry, next, conf) {
    snd_config_t *node = snd_config_iterator_entry(entry);
    const char *id;
    if (snd_config_get_id(node, &id) < 0) continue;
    if (strcmp(id, "folder") == 0) snd_config_get_string(node, &folder);
    if (strcmp(id, "formats") == 0) snd_config_get_string(node, &formats);
    if (strcmp(id, "rates") == 0) snd_config_get_string(node, &rates);
    if (strcmp(id, "channels") == 0) snd_config_get_string(node, &channels);
    if (strcmp(id, "drift") == 0) snd_config_get_string(node, &drift);
  }
  struct card *card = calloc(1, sizeof *card);
  if (!card) return -ENOMEM;
  snprintf(card->folder, sizeof card->folder, "%s", folder);
  card->drift = atol(drift);
  char path[STAND_IN_PATH];
  stand_in_path(path, folder, "lock");
  int error = -ENODEV;
  if (has(card, "gone")) goto fail;
  error = -EACCES;
  if (has(card, "forbidden")) goto fail;
  error = -EBUSY;
  card->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (has(card, "busy") || card->lock < 0 || flock(card->lock, LOCK_EX | LOCK_NB) < 0) goto fail;
  stand_in_path(path, folder, "recording");
  card->recording = fopen(path, "ae");
  card->io.version = SND_PCM_IOPLUG_VERSION;
  card->io.name = "Stand-in";
  card->io.callback = &callbacks;
  card->io.private_data = card;
  card->io.poll_fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
  card->io.poll_events = POLLIN;
  error = snd_pcm_ioplug_create(&card->io, name, stream, mode);
  if (error < 0) goto fail;
  unsigned access[] = {SND_PCM_ACCESS_RW_INTERLEAVED};
  snd_pcm_ioplug_set_param_list(&card->io, SND_PCM_IOPLUG_HW_ACCESS, 1, access);
  restrict_to(&card->io, SND_PCM_IOPLUG_HW_FORMAT, formats, 1);
  restrict_to(&card->io, SND_PCM_IOPLUG_HW_RATE, rates, 0);
  restrict_to(&card->io, SND_PCM_IOPLUG_HW_CHANNELS, channels, 0);
  snd_pcm_ioplug_set_param_minmax(&card->io, SND_PCM_IOPLUG_HW_PERIODS, 2, 64);
  snd_pcm_ioplug_set_param_minmax(&card->io, SND_PCM_IOPLUG_HW_PERIOD_BYTES, 256, 1 << 20);
  snd_pcm_ioplug_set_param_minmax(&card->io, SND_PCM_IOPLUG_HW_BUFFER_BYTES, 1024, 8 << 20);
  stand_in_log(card->folder, "open");
  *pcmp = card->io.pcm;
  return 0;

fail:
  if (error == -EBUSY) stand_in_log(card->folder, "busy");
  if (card->recording) fclose(card->recording);
  if (card->lock > 0) close(card->lock);
  free(card);
  return error;
}
SND_PCM_PLUGIN_SYMBOL(swiftlet_stand_in)
