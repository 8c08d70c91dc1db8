import Glibc

/// A stream of a Snapcast server, which waits for its sound on a TCP port: the source `tcp` of snapserver.
public struct SnapcastStream: Sendable, Equatable, Hashable, CustomStringConvertible {
  /// The server's name or address, without brackets.
  public var host: String
  public var port = 4953
  /// The format of the samples, which the server does not tell: its `sampleformat`.
  package var format = DeviceFormat(format: "S16LE", rate: 48_000, channels: 2)

  /// Snapcast's names of sample formats are their bits. 24 bits take four bytes.
  private static let formats = [8: "S8", 16: "S16LE", 24: "S24_32LE", 32: "S32LE"]

  /// Reads `HOST`, `HOST:PORT` and both with `,RATE:BITS:CHANNELS`. An IPv6 address has brackets.
  init(parsing text: String) throws(OutputError) {
    let parts = text.split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false)
    var address = parts.first ?? ""
    if address.hasPrefix("["), let end = address.firstIndex(of: "]") {
      host = String(address[address.index(after: address.startIndex)..<end])
      address = address[address.index(after: end)...]
      guard Self.isIPv6(host), address.isEmpty || address.hasPrefix(":") else { throw Self.invalid(text) }
    } else {
      let end = address.firstIndex(of: ":") ?? address.endIndex
      host = String(address[..<end])
      address = address[end...]
      guard !address.dropFirst().contains(":") else {
        throw Self.invalid(text, "an IPv6 address is written in brackets, such as [2001:db8::1]")
      }
      guard !host.isEmpty, host.utf8.allSatisfy(Self.isPartOfName) else { throw Self.invalid(text) }
    }
    if !address.isEmpty {
      guard let port = Self.number(address.dropFirst()), 1...65_535 ~= port else {
        throw Self.invalid(text, "a port is a number from 1 to 65535")
      }
      self.port = port
    }
    if parts.count > 1 { format = try Self.format(parts[1], in: text) }
  }

  private static func format(_ format: Substring, in text: String) throws(OutputError) -> DeviceFormat {
    let numbers = format.split(separator: ":", omittingEmptySubsequences: false).compactMap(number)
    guard numbers.count == 3, let name = formats[numbers[1]], DeviceFormat.rates.contains(numbers[0]),
      1...DeviceFormat.maximumChannels ~= numbers[2]
    else {
      throw invalid(
        text, "a format is RATE:BITS:CHANNELS, such as 48000:16:2, with 8, 16, 24 or 32 bits and at most 8 channels")
    }
    return DeviceFormat(format: name, rate: numbers[0], channels: numbers[2])
  }

  private static func number(_ digits: Substring) -> Int? {
    digits.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } ? Int(digits) : nil
  }

  private static func isPartOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  /// The zone of a link-local address is not checked.
  private static func isIPv6(_ text: String) -> Bool {
    var address = in6_addr()
    let zone = text.firstIndex(of: "%")
    return zone.map { text.index(after: $0) } != text.endIndex
      && inet_pton(AF_INET6, String(text[..<(zone ?? text.endIndex)]), &address) == 1
  }

  private static func invalid(
    _ text: String, _ reason: String = "write snapcast:HOST or snapcast:HOST:PORT"
  ) -> OutputError {
    OutputError("Invalid output “snapcast:\(text)”: \(reason).")
  }

  package var bytesPerFrame: Int { format.channels * (bits == 24 ? 4 : bits / 8) }

  /// Bits of a sample, as Snapcast counts them.
  private var bits: Int { Self.formats.first { $0.value == format.format }?.key ?? 0 }

  /// The notation that `init(parsing:)` reads, complete.
  public var description: String {
    "\(host.contains(":") ? "[\(host)]" : host):\(port),\(format.rate):\(bits):\(format.channels)"
  }
}
