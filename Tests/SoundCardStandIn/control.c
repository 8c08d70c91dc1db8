// The mixer. Its controls are lines of a file. Tests read it, and write it to simulate another program.
#include <alsa/asoundlib.h>
#include <alsa/control_external.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "stand_in.h"

enum { MAXIMUM_CONTROLS = 8 };

struct control {
  char kind[8], name[48];
  long minimum, maximum, values[2];
  long lowest, step;
  int has_scale, mutes;
};

struct mixer {
  snd_ctl_ext_t ext;
  char folder[STAND_IN_PATH];
  struct control controls[MAXIMUM_CONTROLS];
  int count;
  // Bit mask of changed controls whose event is still to be sent.
  unsigned changed;
  unsigned int tlv[4];
};

static int is_gone(const struct mixer *mixer) {
  char path[STAND_IN_PATH];
  stand_in_path(path, mixer->folder, "gone");
  return access(path, F_OK) == 0;
}

static void read_file(struct mixer *mixer) {
  char path[STAND_IN_PATH], line[256];
  stand_in_path(path, mixer->folder, "mixer");
  FILE *file = fopen(path, "r");
  mixer->count = 0;
  while (file && mixer->count < MAXIMUM_CONTROLS && fgets(line, sizeof line, file)) {
    struct control *control = &mixer->controls[mixer->count];
    char mute[8] = "";
    memset(control, 0, sizeof *control);
    int fields = sscanf(line, "volume %47s %ld %ld %ld %ld %ld %ld %7s", control->name, &control->minimum,
                        &control->maximum, &control->values[0], &control->values[1], &control->lowest, &control->step, mute);
    if (fields >= 5) {
      strcpy(control->kind, "volume");
      control->has_scale = fields >= 7;
      control->mutes = strcmp(mute, "mute") == 0;
      mixer->count++;
    } else if (sscanf(line, "switch %47s %ld %ld", control->name, &control->values[0], &control->values[1]) == 3) {
      strcpy(control->kind, "switch");
      control->maximum = 1;
      mixer->count++;
    }
  }
  if (file) fclose(file);
}

static void write_file(const struct mixer *mixer) {
  char path[STAND_IN_PATH], new_path[STAND_IN_PATH + 4];
  stand_in_path(path, mixer->folder, "mixer");
  snprintf(new_path, sizeof new_path, "%s.new", path);
  FILE *file = fopen(new_path, "w");
  if (!file) return;
  for (int index = 0; index < mixer->count; index++) {
    const struct control *control = &mixer->controls[index];
    if (strcmp(control->kind, "switch") == 0) {
      fprintf(file, "switch %s %ld %ld\n", control->name, control->values[0], control->values[1]);
      continue;
    }
    fprintf(file, "volume %s %ld %ld %ld %ld", control->name, control->minimum, control->maximum, control->values[0],
            control->values[1]);
    if (control->has_scale) fprintf(file, " %ld %ld%s", control->lowest, control->step, control->mutes ? " mute" : "");
    fputc('\n', file);
  }
  fclose(file);
  rename(new_path, path);
}

// Reads the file again and marks changed controls.
static void refresh(struct mixer *mixer) {
  struct control former[MAXIMUM_CONTROLS];
  int count = mixer->count;
  memcpy(former, mixer->controls, sizeof former);
  read_file(mixer);
  for (int index = 0; index < mixer->count && index < count; index++)
    if (memcmp(former[index].values, mixer->controls[index].values, sizeof former[index].values) != 0)
      mixer->changed |= 1u << index;
}

static void describe(const struct control *control, snd_ctl_elem_id_t *id) {
  char name[64];
  snprintf(name, sizeof name, "%s Playback %s", control->name, strcmp(control->kind, "switch") == 0 ? "Switch" : "Volume");
  snd_ctl_elem_id_set_interface(id, SND_CTL_ELEM_IFACE_MIXER);
  snd_ctl_elem_id_set_name(id, name);
}

static int elem_count(snd_ctl_ext_t *ext) { return ((struct mixer *)ext->private_data)->count; }

static int elem_list(snd_ctl_ext_t *ext, unsigned offset, snd_ctl_elem_id_t *id) {
  struct mixer *mixer = ext->private_data;
  if ((int)offset >= mixer->count) return -EINVAL;
  describe(&mixer->controls[offset], id);
  return 0;
}

static snd_ctl_ext_key_t find_elem(snd_ctl_ext_t *ext, const snd_ctl_elem_id_t *id) {
  struct mixer *mixer = ext->private_data;
  snd_ctl_elem_id_t *mine;
  snd_ctl_elem_id_alloca(&mine);
  for (int index = 0; index < mixer->count; index++) {
    describe(&mixer->controls[index], mine);
    if (strcmp(snd_ctl_elem_id_get_name(mine), snd_ctl_elem_id_get_name(id)) == 0) return (snd_ctl_ext_key_t)index;
  }
  return SND_CTL_EXT_KEY_NOT_FOUND;
}

static int get_attribute(snd_ctl_ext_t *ext, snd_ctl_ext_key_t key, int *type, unsigned *access, unsigned *count) {
  struct mixer *mixer = ext->private_data;
  const struct control *control = &mixer->controls[key];
  int is_switch = strcmp(control->kind, "switch") == 0;
  *type = is_switch ? SND_CTL_ELEM_TYPE_BOOLEAN : SND_CTL_ELEM_TYPE_INTEGER;
  *access = SND_CTL_EXT_ACCESS_READWRITE;
  *count = 2;
  if (control->has_scale) {
    *access |= SND_CTL_EXT_ACCESS_TLV_READ;
    // A linear scale in decibels (SNDRV_CTL_TLVT_DB_SCALE): minimum, step, and whether the minimum is silence.
    mixer->tlv[0] = 1;
    mixer->tlv[1] = 2 * sizeof(unsigned int);
    mixer->tlv[2] = (unsigned int)control->lowest;
    mixer->tlv[3] = ((unsigned int)control->step & 0xffff) | (control->mutes ? 0x10000 : 0);
    ext->tlv.p = mixer->tlv;
  }
  return 0;
}

static int get_integer_info(snd_ctl_ext_t *ext, snd_ctl_ext_key_t key, long *minimum, long *maximum, long *step) {
  const struct control *control = &((struct mixer *)ext->private_data)->controls[key];
  *minimum = control->minimum;
  *maximum = control->maximum;
  *step = 0;
  return 0;
}

static int read_integer(snd_ctl_ext_t *ext, snd_ctl_ext_key_t key, long *value) {
  struct mixer *mixer = ext->private_data;
  if (is_gone(mixer)) return -ENODEV;
  refresh(mixer);
  memcpy(value, mixer->controls[key].values, sizeof mixer->controls[key].values);
  return 0;
}

static int write_integer(snd_ctl_ext_t *ext, snd_ctl_ext_key_t key, long *value) {
  struct mixer *mixer = ext->private_data;
  if (is_gone(mixer)) return -ENODEV;
  refresh(mixer);
  struct control *control = &mixer->controls[key];
  if (memcmp(control->values, value, sizeof control->values) == 0) return 0;
  memcpy(control->values, value, sizeof control->values);
  mixer->changed |= 1u << key;
  write_file(mixer);
  return 1;
}

static int read_event(snd_ctl_ext_t *ext, snd_ctl_elem_id_t *id, unsigned *mask) {
  struct mixer *mixer = ext->private_data;
  char events[4096];
  while (read(ext->poll_fd, events, sizeof events) > 0) {}
  if (is_gone(mixer)) return -ENODEV;
  refresh(mixer);
  for (int index = 0; index < mixer->count; index++) {
    if (!(mixer->changed & 1u << index)) continue;
    mixer->changed &= ~(1u << index);
    describe(&mixer->controls[index], id);
    *mask = SND_CTL_EVENT_MASK_VALUE;
    return 1;
  }
  return -EAGAIN;
}

static void subscribe_events(snd_ctl_ext_t *ext, int subscribe) {
  (void)ext;
  (void)subscribe;
}

static void close_mixer(snd_ctl_ext_t *ext) {
  stand_in_log(((struct mixer *)ext->private_data)->folder, "mixer close");
  close(ext->poll_fd);
  free(ext->private_data);
}

static const snd_ctl_ext_callback_t callbacks = {
    .close = close_mixer,
    .elem_count = elem_count,
    .elem_list = elem_list,
    .find_elem = find_elem,
    .get_attribute = get_attribute,
    .get_integer_info = get_integer_info,
    .read_integer = read_integer,
    .write_integer = write_integer,
    .subscribe_events = subscribe_events,
    .read_event = read_event,
};

SND_CTL_PLUGIN_DEFINE_FUNC(swiftlet_stand_in) {
  (void)root;
  const char *folder = "";
  snd_config_iterator_t entry, next;
  snd_config_for_each(entry, next, conf) {
    snd_config_t *node = snd_config_iterator_entry(entry);
    const char *id;
    if (snd_config_get_id(node, &id) >= 0 && strcmp(id, "folder") == 0) snd_config_get_string(node, &folder);
  }
  struct mixer *mixer = calloc(1, sizeof *mixer);
  if (!mixer) return -ENOMEM;
  snprintf(mixer->folder, sizeof mixer->folder, "%s", folder);
  if (is_gone(mixer)) {
    free(mixer);
    return -ENODEV;
  }
  read_file(mixer);
  mixer->ext.version = SND_CTL_EXT_VERSION;
  strcpy(mixer->ext.id, "StandIn");
  strcpy(mixer->ext.name, "Stand-in");
  mixer->ext.poll_fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  inotify_add_watch(mixer->ext.poll_fd, folder, IN_CREATE | IN_MOVED_TO | IN_CLOSE_WRITE);
  mixer->ext.callback = &callbacks;
  mixer->ext.private_data = mixer;
  int error = snd_ctl_ext_create(&mixer->ext, name, mode);
  if (error < 0) {
    close(mixer->ext.poll_fd);
    free(mixer);
    return error;
  }
  stand_in_log(folder, "mixer open");
  *handlep = mixer->ext.handle;
  return 0;
}
SND_CTL_PLUGIN_SYMBOL(swiftlet_stand_in)
