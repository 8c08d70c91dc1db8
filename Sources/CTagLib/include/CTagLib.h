// Tags and properties of audio files, read with TagLib 1.13 or 2. A C interface, so that Swift needs no C++ interoperability.
#pragma once
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Between several values of one tag. Control characters in values are replaced by blanks.
#define SWIFTLET_TAG_SEPARATOR "\x1F"

/// Texts are UTF-8, and NULL if the file has no such tag. Numbers are 0 if unknown.
typedef struct {
  char *title;
  char *artist;
  char *album;
  char *album_artist;
  char *composer;
  char *genre;
  char *date;
  char *title_sort;
  char *artist_sort;
  char *album_sort;
  char *album_artist_sort;
  /// The release in MusicBrainz.
  char *album_id;
  bool is_compilation;
  unsigned year;
  unsigned track;
  unsigned disc;
  unsigned milliseconds;
  /// kbit/s
  unsigned bit_rate;
  /// Hz
  unsigned sample_rate;
  unsigned channels;
  unsigned bits_per_sample;
  /// The MIME type of the picture that swiftlet_picture_read returns; NULL if there is none.
  const char *picture_type;
} swiftlet_tags;

/// Reads a regular file; the name's extension decides the format. Moves the descriptor's offset. Returns false if TagLib cannot
/// read the file. Otherwise, pass the result to swiftlet_tags_free.
bool swiftlet_tags_read(int descriptor, const char *name, swiftlet_tags *tags);
void swiftlet_tags_free(swiftlet_tags *tags);

typedef struct {
  unsigned char *bytes;
  size_t count;
  /// Detected from the bytes, not read from the tag.
  const char *type;
} swiftlet_picture;

/// Reads the front cover, otherwise the first picture, if it is JPEG or PNG and not larger than the limit in bytes. Returns
/// false if there is none. Otherwise, pass the result to swiftlet_picture_free.
bool swiftlet_picture_read(int descriptor, const char *name, size_t limit, swiftlet_picture *picture);
void swiftlet_picture_free(swiftlet_picture *picture);

#ifdef __cplusplus
}
#endif
