#include "CTagLib.h"

#include "DescriptorStream.h"

#include <cstdlib>
#include <cstring>

#include <taglib/aifffile.h>
#include <taglib/apefile.h>
#include <taglib/apetag.h>
#include <taglib/asffile.h>
#include <taglib/attachedpictureframe.h>
#include <taglib/fileref.h>
#include <taglib/flacfile.h>
#include <taglib/id3v2tag.h>
#include <taglib/mp4file.h>
#include <taglib/mpcfile.h>
#include <taglib/mpegfile.h>
#include <taglib/tpropertymap.h>
#include <taglib/trueaudiofile.h>
#include <taglib/wavfile.h>
#include <taglib/wavpackfile.h>
#include <taglib/xiphcomment.h>

using namespace TagLib;

namespace {

/// The MIME type of a picture, by its first bytes; NULL for formats that renderers do not show, and for links.
const char *type_of(const ByteVector &data) {
  if (data.startsWith("\xFF\xD8\xFF")) return "image/jpeg";
  if (data.startsWith("\x89PNG\r\n")) return "image/png";
  return nullptr;
}

/// The front cover, otherwise the first picture.
struct Cover {
  ByteVector data;
  const char *type = nullptr;
  bool is_front = false;

  void offer(const ByteVector &candidate, bool front) {
    const char *found = type_of(candidate);
    if (!found || (type && (is_front || !front))) return;
    data = candidate;
    type = found;
    is_front = front;
  }

  void offer(const List<FLAC::Picture *> &pictures) {
    for (auto picture : pictures) offer(picture->data(), picture->type() == FLAC::Picture::FrontCover);
  }

  void offer(const ID3v2::Tag *tag) {
    if (!tag) return;
    for (auto frame : tag->frameListMap()["APIC"]) {
      auto picture = dynamic_cast<ID3v2::AttachedPictureFrame *>(frame);
      if (picture) offer(picture->picture(), picture->type() == ID3v2::AttachedPictureFrame::FrontCover);
    }
  }

  /// The value is a file name, a zero byte and the picture.
  void offer(const APE::Tag *tag) {
    if (!tag) return;
    for (auto &entry : tag->itemListMap()) {
      if (entry.second.type() != APE::Item::Binary || !entry.first.upper().startsWith("COVER ART")) continue;
      ByteVector value = entry.second.binaryData();
      int end = value.find('\0');
      if (end >= 0) offer(value.mid(end + 1), entry.first.upper() == "COVER ART (FRONT)");
    }
  }

  void offer(MP4::Tag *tag) {
    if (!tag || !tag->contains("covr")) return;
    for (auto &picture : tag->item("covr").toCoverArtList()) offer(picture.data(), true);
  }

  void offer(ASF::Tag *tag) {
    if (!tag) return;
    for (auto &attribute : tag->attribute("WM/Picture")) {
      auto picture = attribute.toPicture();
      if (picture.isValid()) offer(picture.picture(), picture.type() == ASF::Picture::FrontCover);
    }
  }
};

// TagLib 2 has a common interface for pictures, TagLib 1 has not.
Cover cover_of(File *file) {
  Cover cover;
  if (auto flac = dynamic_cast<FLAC::File *>(file)) {
    cover.offer(flac->pictureList());
    cover.offer(flac->ID3v2Tag());
  } else if (auto mpeg = dynamic_cast<MPEG::File *>(file)) {
    cover.offer(mpeg->ID3v2Tag());
    cover.offer(mpeg->APETag());
  } else if (auto aiff = dynamic_cast<RIFF::AIFF::File *>(file)) {
    cover.offer(aiff->tag());
  } else if (auto wav = dynamic_cast<RIFF::WAV::File *>(file)) {
    cover.offer(wav->ID3v2Tag());
  } else if (auto tta = dynamic_cast<TrueAudio::File *>(file)) {
    cover.offer(tta->ID3v2Tag());
  } else if (auto mp4 = dynamic_cast<MP4::File *>(file)) {
    cover.offer(mp4->tag());
  } else if (auto asf = dynamic_cast<ASF::File *>(file)) {
    cover.offer(asf->tag());
  } else if (auto ape = dynamic_cast<APE::File *>(file)) {
    cover.offer(ape->APETag());
  } else if (auto wavpack = dynamic_cast<WavPack::File *>(file)) {
    cover.offer(wavpack->APETag());
  } else if (auto mpc = dynamic_cast<MPC::File *>(file)) {
    cover.offer(mpc->APETag());
  } else if (auto xiph = dynamic_cast<Ogg::XiphComment *>(file->tag())) {
    cover.offer(xiph->pictureList());
  }
  return cover;
}

unsigned bits_of(const AudioProperties *properties) {
  if (auto flac = dynamic_cast<const FLAC::Properties *>(properties)) return flac->bitsPerSample();
  if (auto wav = dynamic_cast<const RIFF::WAV::Properties *>(properties)) return wav->bitsPerSample();
  if (auto aiff = dynamic_cast<const RIFF::AIFF::Properties *>(properties)) return aiff->bitsPerSample();
  if (auto ape = dynamic_cast<const APE::Properties *>(properties)) return ape->bitsPerSample();
  if (auto wavpack = dynamic_cast<const WavPack::Properties *>(properties)) return wavpack->bitsPerSample();
  if (auto tta = dynamic_cast<const TrueAudio::Properties *>(properties)) return tta->bitsPerSample();
  // AAC has no bit depth, although its files contain one.
  auto mp4 = dynamic_cast<const MP4::Properties *>(properties);
  return mp4 && mp4->codec() == MP4::Properties::ALAC ? mp4->bitsPerSample() : 0;
}

/// Longer values, and more of them, are cut.
constexpr unsigned MAXIMUM_LENGTH = 1000;
constexpr unsigned MAXIMUM_VALUES = 32;

/// A value on one line.
String cleaned(const String &value) {
  String text = value.substr(0, MAXIMUM_LENGTH);
  for (unsigned i = 0; i < text.size(); i++) {
    if (text[i] < 0x20 || text[i] == 0x7F) text[i] = ' ';
  }
  return text.stripWhiteSpace();
}

/// The values with SWIFTLET_TAG_SEPARATOR between them; NULL if all are blank.
char *copy(const StringList &values) {
  String joined;
  unsigned count = 0;
  for (auto &value : values) {
    const String text = cleaned(value);
    if (text.isEmpty()) continue;
    if (++count > MAXIMUM_VALUES) break;
    if (!joined.isEmpty()) joined += String(SWIFTLET_TAG_SEPARATOR);
    joined += text;
  }
  return joined.isEmpty() ? nullptr : strdup(joined.toCString(true));
}

}  // namespace

extern "C" bool swiftlet_tags_read(int descriptor, const char *name, swiftlet_tags *tags) try {
  *tags = {};
  DescriptorStream stream(descriptor, name);
  FileRef file(&stream);
  if (file.isNull()) return false;
  const PropertyMap map = file.file()->properties();
  auto text = [&](const char *key) { return copy(map.contains(key) ? map[key] : StringList()); };
  tags->title = text("TITLE");
  tags->artist = text("ARTIST");
  tags->album = text("ALBUM");
  tags->album_artist = text("ALBUMARTIST");
  tags->composer = text("COMPOSER");
  tags->genre = text("GENRE");
  tags->date = text("DATE");
  tags->title_sort = text("TITLESORT");
  tags->artist_sort = text("ARTISTSORT");
  tags->album_sort = text("ALBUMSORT");
  tags->album_artist_sort = text("ALBUMARTISTSORT");
  tags->album_id = text("MUSICBRAINZ_ALBUMID");
  if (auto tag = file.tag()) {
    tags->year = tag->year();
    tags->track = tag->track();
  }
  auto number = [&](const char *key) {
    // "1/2" is disc 1 of 2.
    const int value = map.contains(key) ? map[key].toString().split("/").front().toInt() : 0;
    return value > 0 ? unsigned(value) : 0;
  };
  tags->disc = number("DISCNUMBER");
  tags->is_compilation = number("COMPILATION") == 1;
  if (auto properties = file.audioProperties()) {
    tags->milliseconds = properties->lengthInMilliseconds();
    tags->bit_rate = properties->bitrate();
    tags->sample_rate = properties->sampleRate();
    tags->channels = properties->channels();
    tags->bits_per_sample = bits_of(properties);
  }
  tags->picture_type = cover_of(file.file()).type;
  return true;
} catch (...) {
  swiftlet_tags_free(tags);
  return false;
}

extern "C" void swiftlet_tags_free(swiftlet_tags *tags) {
  for (char *text :
       {tags->title, tags->artist, tags->album, tags->album_artist, tags->composer, tags->genre, tags->date,
        tags->title_sort, tags->artist_sort, tags->album_sort, tags->album_artist_sort, tags->album_id}) {
    free(text);
  }
  *tags = {};
}

extern "C" bool swiftlet_picture_read(int descriptor, const char *name, size_t limit, swiftlet_picture *picture) try {
  *picture = {};
  DescriptorStream stream(descriptor, name);
  FileRef file(&stream, false);
  if (file.isNull()) return false;
  const Cover cover = cover_of(file.file());
  if (!cover.type || cover.data.size() > limit) return false;
  picture->bytes = static_cast<unsigned char *>(malloc(cover.data.size()));
  if (!picture->bytes) return false;
  memcpy(picture->bytes, cover.data.data(), cover.data.size());
  picture->count = cover.data.size();
  picture->type = cover.type;
  return true;
} catch (...) {
  return false;
}

extern "C" void swiftlet_picture_free(swiftlet_picture *picture) {
  free(picture->bytes);
  *picture = {};
}
