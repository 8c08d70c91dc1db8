// Plays a file of 48 kHz, 16 bit, two channels with ALSA's library, pauses at the given times, and stops when the
// device reports an empty buffer. See pause.py.
#include <alsa/asoundlib.h>

int main(int argc, char **argv) {
  FILE *file = fopen(argv[1], "rb");
  snd_pcm_t *pcm;
  snd_pcm_open(&pcm, argv[2], SND_PCM_STREAM_PLAYBACK, 0);
  snd_pcm_set_params(pcm, SND_PCM_FORMAT_S16_LE, SND_PCM_ACCESS_RW_INTERLEAVED, 2, 48000, 0, 200000);
  int32_t piece[480];
  int underruns = 0, next = 3;
  for (int frames = 0; fread(piece, sizeof piece, 1, file) == 1; frames += 480) {
    for (snd_pcm_sframes_t done = 0; done < 480;) {
      snd_pcm_sframes_t written = snd_pcm_writei(pcm, piece + done, (snd_pcm_uframes_t)(480 - done));
      if (written == -EPIPE) underruns++;
      if (written < 0) snd_pcm_recover(pcm, (int)written, 1); else done += written;
    }
    // The device plays frames 0.2 s after they are written.
    if (next >= argc || frames < (atoi(argv[next]) + 200) * 48) continue;
    next++;
    snd_pcm_pause(pcm, 1);
    usleep(400000);
    snd_pcm_pause(pcm, 0);
  }
  snd_pcm_sframes_t delay = 0;
  for (int tries = 0; tries < 3000 && snd_pcm_delay(pcm, &delay) == 0 && delay > 0; tries++) usleep(1000);
  snd_pcm_drop(pcm);
  if (underruns) printf("%d underruns\n", underruns); else printf("eos\n");
  return 0;
}
