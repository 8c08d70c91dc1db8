/// iTunes' note about the samples around a sound, found under the name `iTunSMPB` in MP4 and ID3v2: numbers in
/// hexadecimal, of which the second is the delay, the third the padding and the fourth the length, all in samples.
struct ITunesGap: Equatable {
  /// No numbers are as large, and calculating with larger ones could overflow.
  private static let largest = 1 << 48

  static let name = Array("iTunSMPB".utf8)

  let delay: Int
  let length: Int

  /// Nil if the text is no such note, or declares nothing.
  init?(_ text: String) {
    let numbers = text.split { !$0.isHexDigit }.prefix(4).map { Int($0, radix: 16) ?? -1 }
    guard numbers.count == 4, (0...Self.largest).contains(numbers[1]), (1...Self.largest).contains(numbers[3]) else {
      return nil
    }
    (delay, length) = (numbers[1], numbers[3])
  }
}
