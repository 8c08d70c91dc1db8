/// WAV headers with chosen sizes.
package enum WAVHead {
  private static let format: [UInt8] = [1, 0, 2, 0, 0x44, 0xAC, 0, 0, 0x10, 0xB1, 2, 0, 4, 0, 16, 0]

  package static func little(_ value: Int, _ bytes: Int) -> [UInt8] {
    (0..<bytes).map { UInt8(value >> (8 * $0) & 0xFF) }
  }

  package static func file(_ form: String, _ size: Int, _ first: [UInt8], samples: Int) -> [UInt8] {
    var file = Array(form.utf8) + little(size, 4) + Array("WAVE".utf8) + first
    file += Array("odd ".utf8) + little(3, 4)
    file += [1, 2, 3, 0]
    file += Array("fmt ".utf8) + little(16, 4) + format
    file += Array("data".utf8) + little(samples, 4)
    return file + [7, 7, 7, 7]
  }
}
