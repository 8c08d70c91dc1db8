// Plays a file of 48 kHz, 16 bit, two channels with GStreamer, and pauses at the given times. See pause.py.
#include <gst/gst.h>

int main(int argc, char **argv) {
  gst_init(&argc, &argv);
  gchar *text = g_strdup_printf("filesrc location=%s blocksize=1920 ! rawaudioparse sample-rate=48000 ! %s", argv[1], argv[2]);
  GstElement *pipeline = gst_parse_launch(text, NULL);
  gst_element_set_state(pipeline, GST_STATE_PLAYING);
  for (int index = 3; index < argc; index++) {
    gint64 position = 0, place = atoi(argv[index]) * GST_MSECOND;
    for (int tries = 0; tries < 1500 && position < place; tries++, g_usleep(2000))
      gst_element_query_position(pipeline, GST_FORMAT_TIME, &position);
    if (position < place) g_print("the position stays at %d ms: ", (int)(position / GST_MSECOND));
    gst_element_set_state(pipeline, GST_STATE_PAUSED);
    g_usleep(400000);
    gst_element_set_state(pipeline, GST_STATE_PLAYING);
  }
  GstBus *bus = gst_element_get_bus(pipeline);
  GstMessage *message = gst_bus_timed_pop_filtered(bus, 10 * GST_SECOND, GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  g_print("%s\n", message ? GST_MESSAGE_TYPE_NAME(message) : "no end of the stream after 10 s");
  gst_element_set_state(pipeline, GST_STATE_NULL);
  return 0;
}
