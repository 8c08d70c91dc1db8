/// iTunes' note about the samples around a sound, found under the name `iTunSMPB` in MP4 and ID3v2: numbers in
/// hexadecimal, of which the second is the delay, the third the padding and the fourth the length, all in samples.
struct ITunesGap: Equatable {
  static let name = Array("iTunSMPB".utf8)

  let delay: Int
  let length: Int

  /// Nil if the text is no such note, or declares nothing.
  init?(_ text: String) {
    let numbers = text.split { !$0.isHexDigit }.prefix(4).map { Int($0, radix: 16) ?? -1 }
    guard numbers.count == 4, numbers[1] >= 0, numbers[3] > 0 else { return nil }
    (delay, length) = (numbers[1], numbers[3])
  }
}
