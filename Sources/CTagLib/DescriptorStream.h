// Gives TagLib an open file. Opening it by path again could reach another file.
#pragma once

#include <algorithm>
#include <unistd.h>

#include <taglib/taglib.h>
#include <taglib/tiostream.h>

#if TAGLIB_MAJOR_VERSION >= 2
using Offset = TagLib::offset_t;
using Start = TagLib::offset_t;
using Count = size_t;
#else
using Offset = long;
using Start = unsigned long;
using Count = unsigned long;
#endif

/// A file to read, through a buffer: TagLib reads most headers in pieces of a few bytes.
class DescriptorStream final : public TagLib::IOStream {
 public:
  /// @param name decides the format by its extension.
  DescriptorStream(int descriptor, const char *name)
      : descriptor_(descriptor), name_(name), length_(std::max<off_t>(lseek(descriptor, 0, SEEK_END), 0)) {}

  TagLib::FileName name() const override { return name_; }
  bool readOnly() const override { return true; }
  bool isOpen() const override { return true; }
  Offset tell() const override { return position_; }
  Offset length() override { return length_; }

  void seek(Offset offset, Position from = Beginning) override {
    const Offset base = from == Current ? position_ : from == End ? length_ : 0;
    position_ = std::max<Offset>(base + offset, 0);
  }

  TagLib::ByteVector readBlock(Count count) override {
    // A tag may claim to be as large as a sparse file.
    const Offset wanted = std::min<Offset>(std::min<Count>(count, LIMIT), std::max<Offset>(length_ - position_, 0));
    if (wanted <= 0) return {};
    if (wanted > Offset(sizeof buffer_)) {
      TagLib::ByteVector block(wanted, 0);
      const ssize_t got = pread(descriptor_, block.data(), wanted, position_);
      block.resize(std::max<ssize_t>(got, 0));
      position_ += block.size();
      return block;
    }
    if (position_ < start_ || position_ + wanted > start_ + filled_) {
      start_ = position_;
      filled_ = std::max<ssize_t>(pread(descriptor_, buffer_, sizeof buffer_, start_), 0);
    }
    TagLib::ByteVector block(buffer_ + (position_ - start_), std::min(wanted, start_ + filled_ - position_));
    position_ += block.size();
    return block;
  }

  void writeBlock(const TagLib::ByteVector &) override {}
  void insert(const TagLib::ByteVector &, Start = 0, Count = 0) override {}
  void removeBlock(Start = 0, Count = 0) override {}
  void truncate(Offset) override {}

 private:
  /// The largest single read. Pictures over 16 MiB are ignored.
  static constexpr Count LIMIT = 24 << 20;

  const int descriptor_;
  const char *const name_;
  const Offset length_;
  Offset position_ = 0;
  /// Where the buffer begins in the file.
  Offset start_ = 0;
  Offset filled_ = 0;
  char buffer_[16384];
};
