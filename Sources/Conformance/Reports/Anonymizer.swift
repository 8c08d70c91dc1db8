import UPnP

/// Replaces everything that identifies a device, its household and their network: names, UDNs, serial numbers and
/// addresses. The same text always becomes the same replacement. Model and firmware stay.
struct Anonymizer {
  private struct Secret {
    /// In lower case.
    var bytes: [UInt8]
    var replacement: [UInt8]
  }

  /// The longest first.
  private var secrets: [Secret] = []
  private var hosts: [String: String] = [:]
  private var ids: [String: String] = [:]
  private let deviceHost: String
  private let tester: String

  init(_ run: CheckRun) {
    deviceHost = run.target.host
    tester = run.tester
    let messages = run.results.flatMap { $0.exchange.first + $0.exchange.last }
    let published = [run.target.model, run.target.manufacturer, run.target.product].map { $0.lowercased() }
    var replacements: [String: String] = [:]
    // A name such as `Kitchen (OpenHome)` has the room's name in it.
    let room = String(run.target.name.prefix { $0 != "(" && $0 != ":" }).trimmingBlanks
    let names = ([run.target] + run.companions).map(\.name)
    for name in names + [String(room)] + messages.flatMap(Self.names) { replacements[name] = "Device" }
    replacements.merge(MediaSecrets(run).replacements) { first, _ in first }
    for target in run.companions + [run.target] {
      replacements[target.serialNumber] = "SERIAL"
      replacements[target.udn] = "uuid:device"
      replacements[String(target.udn.split(separator: ":").last ?? "")] = "device"
      // The last part of many UDNs is a hardware address, which serial numbers and host names repeat.
      replacements[String(target.udn.split(separator: "-").last ?? "")] = "device-id"
    }
    for (text, replacement) in replacements where text.count > 1 && !published.contains(text.lowercased()) {
      for form in Self.forms(text) {
        secrets.append(Secret(bytes: Self.lowercased(form.utf8), replacement: Array(replacement.utf8)))
      }
    }
    secrets.sort { $0.bytes.count > $1.bytes.count }
  }

  /// A text as it appears in documents, in documents inside documents, and in URLs.
  private static func forms(_ text: String) -> Set<String> {
    let once = XMLEscape.text(text)
    return [text, once, XMLEscape.text(once), percentEncoded(text)]
  }

  private static func percentEncoded(_ text: String) -> String {
    text.utf8.map { byte in
      isWord(byte | 0x20) && byte < 0x80 ? String(UnicodeScalar(byte)) : "%" + String(byte, radix: 16, uppercase: true)
    }.joined()
  }

  /// The names in a description or in the answers of OpenHome's Product service.
  private static func names(in message: WireMessage) -> [String] {
    let text = String(decoding: message.bytes, as: UTF8.self)
    return ["friendlyName", "serialNumber", "ProductRoom", "ProductName", "Room"].flatMap { element in
      text.split(separator: "<\(element)>").dropFirst().map { part in String(part.prefix { $0 != "<" }) }
    }.flatMap { [$0, MediaSecrets.unescaped($0)] }
  }

  // MARK: Runs

  mutating func replaced(_ run: CheckRun) -> CheckRun {
    var run = run
    replace(&run.target)
    for index in run.companions.indices { replace(&run.companions[index]) }
    run.tester = run.tester.isEmpty ? "" : "tester.example"
    run.incidents = run.incidents.map { text($0) }
    run.options = run.options.map { text($0) }
    for index in run.results.indices { replace(&run.results[index]) }
    return run
  }

  private mutating func replace(_ target: inout TargetSummary) {
    target.location = text(target.location)
    target.name = text(target.name)
    target.udn = text(target.udn)
    target.serialNumber = target.serialNumber.isEmpty ? "" : "SERIAL"
    target.firmware = text(target.firmware)
  }

  private mutating func replace(_ result: inout CheckResult) {
    result.device = text(result.device)
    switch result.verdict {
    case .pass: break
    case .fail(let expected, let got): result.verdict = .fail(expected: text(expected), got: text(got))
    case .skip(let reason): result.verdict = .skip(text(reason))
    case .inconclusive(let reason): result.verdict = .inconclusive(text(reason))
    }
    for index in result.measurements.indices {
      result.measurements[index].name = text(result.measurements[index].name)
      result.measurements[index].value = text(result.measurements[index].value)
    }
    if let table = result.table {
      result.table = ResultTable(
        title: text(table.title), columns: table.columns.map { text($0) },
        rows: table.rows.map { row in row.map { text($0) } })
    }
    for index in result.exchange.first.indices { replace(&result.exchange.first[index]) }
    for index in result.exchange.last.indices { replace(&result.exchange.last[index]) }
  }

  private mutating func replace(_ message: inout WireMessage) {
    message.peer = text(message.peer)
    // The cut can be inside a name or an address.
    let isCut = message.isCut
    var (head, body) = message.parts
    if isCut, body.isEmpty { head = head.dropLast(longestSecret) }
    message.bytes = replaced(Array(head))
    guard String(validating: body, as: UTF8.self) != nil || isCut else {
      message.bytes += body.prefix(WireMessage.binaryPrefix)
      return
    }
    message.bytes += replaced(Array(isCut ? body.dropLast(longestSecret) : body))
  }

  private var longestSecret: Int { max(64, secrets.first?.bytes.count ?? 0) }

  // MARK: Texts

  private mutating func text(_ text: String) -> String { String(decoding: replaced(Array(text.utf8)), as: UTF8.self) }

  private mutating func replaced(_ bytes: [UInt8]) -> [UInt8] {
    let lower = Self.lowercased(bytes)
    var result: [UInt8] = []
    var position = 0
    while position < bytes.count {
      if let secret = secrets.first(where: { Self.occurs($0.bytes, in: lower, at: position) }) {
        result += secret.replacement
        position += secret.bytes.count
      } else if let (length, replacement) = identifier(in: lower, at: position) {
        result += replacement.utf8
        position += length
      } else {
        result.append(bytes[position])
        position += 1
      }
    }
    return result
  }

  /// Whether a text occurs here. Short ones must not be a part of a word.
  private static func occurs(_ secret: [UInt8], in bytes: [UInt8], at position: Int) -> Bool {
    guard bytes[position] == secret[0], bytes[position...].starts(with: secret) else { return false }
    let end = position + secret.count
    return secret.count > 3
      || !((position > 0 && isWord(bytes[position - 1])) || (end < bytes.count && isWord(bytes[end])))
  }

  /// A UUID, a hardware address or an IP address that begins here.
  private mutating func identifier(in bytes: [UInt8], at position: Int) -> (length: Int, replacement: String)? {
    guard position == 0 || !Self.isWord(bytes[position - 1]) || Self.endsEscape(bytes[..<position]) else { return nil }
    let before = bytes[..<position]
    let hex = bytes[position...].prefix(while: Self.isHexOrSeparator)
    guard let first = hex.first, first != UInt8(ascii: "-"), first != UInt8(ascii: ".") else { return nil }
    if let length = Self.uuidLength(hex) {
      return (length, id(String(decoding: hex.prefix(length), as: UTF8.self)))
    }
    if before.suffix(5).elementsEqual("uuid:".utf8) {
      let token = bytes[position...].prefix { Self.isWord($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
      if token.count > 1 { return (token.count, id(String(decoding: token, as: UTF8.self))) }
    }
    return address(hex, before: before)
  }

  private mutating func address(_ hex: ArraySlice<UInt8>, before: ArraySlice<UInt8>) -> (length: Int, String)? {
    if let length = Self.hardwareAddressLength(hex) {
      return (length, id(String(decoding: hex.prefix(length), as: UTF8.self)))
    }
    let dotted = hex.prefix { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }
    let ipv4 = String(decoding: dotted, as: UTF8.self).trimmingDots
    if ipv4.split(separator: ".", omittingEmptySubsequences: false).count == 4, let address = IPAddress(ipv4) {
      return isPublished(address, before: before) ? nil : (ipv4.utf8.count, host(ipv4))
    }
    let colons = hex.prefix { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: ".") }
    let ipv6 = String(decoding: colons, as: UTF8.self)
    return Self.isIPv6(ipv6) ? (ipv6.utf8.count, host(ipv6)) : nil
  }

  /// Whether a text of hexadecimal digits and colons is an IPv6 address other than `::` and `::1`.
  private static func isIPv6(_ text: String) -> Bool {
    let groups = text.split(separator: ":")
    let isWhole = groups.count == 8 && text.count(where: { $0 == ":" }) == 7
    return groups.count > 1 && groups.allSatisfy { $0.count <= 4 } && (isWhole || text.contains("::"))
  }

  /// Whether the bytes end with a percent escape, such as the %2F before an address.
  private static func endsEscape(_ bytes: ArraySlice<UInt8>) -> Bool {
    let end = bytes.suffix(3)
    return end.count == 3 && end.first == UInt8(ascii: "%") && end.dropFirst().allSatisfy(isHex)
  }

  /// Whether an address identifies nobody: multicast, loopback, and those of the checks; or it is the version of a
  /// product.
  private func isPublished(_ address: IPAddress, before: ArraySlice<UInt8>) -> Bool {
    guard ![deviceHost, tester].contains("\(address)") else { return false }
    // The address to which a check wants events to go is no host's.
    let networks = ["224.0.0.0/3", "127.0.0.0/8", "0.0.0.0/8", "203.0.113.77/32"]
    if networks.contains(where: { CIDR($0)?.contains(address) == true }) { return true }
    let isVersion = before.last == UInt8(ascii: "/") && before.dropLast().last.map(Self.isWord) == true
    return isVersion && !address.isLocalIPv4
  }

  private mutating func host(_ address: String) -> String {
    if address == deviceHost { return "device.example" }
    if address == tester { return "tester.example" }
    if let known = hosts[address] { return known }
    let name = "host-\(hosts.count + 1).example"
    hosts[address] = name
    return name
  }

  private mutating func id(_ text: String) -> String {
    if let known = ids[text] { return known }
    let name = "id-\(ids.count + 1)"
    ids[text] = name
    return name
  }

  // MARK: Bytes

  private static func lowercased(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    bytes.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }
  }

  /// Whether a byte in lower case belongs to a word. Bytes of other alphabets count as letters.
  private static func isWord(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte) || byte >= 0x80
  }

  private static func isHex(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte) }

  private static func isHexOrSeparator(_ byte: UInt8) -> Bool {
    isHex(byte) || byte == UInt8(ascii: ":") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
  }

  /// The length of groups of hexadecimal digits with hyphens; nil for something else.
  private static func uuidLength(_ hex: ArraySlice<UInt8>) -> Int? {
    let groups = hex.prefix { isHex($0) || $0 == UInt8(ascii: "-") }.split(
      separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    return groups.prefix(5).map(\.count) == [8, 4, 4, 4, 12] ? 36 : nil
  }

  private static func hardwareAddressLength(_ hex: ArraySlice<UInt8>) -> Int? {
    for separator in [UInt8(ascii: ":"), UInt8(ascii: "-")] {
      let groups = hex.prefix { isHex($0) || $0 == separator }.split(
        separator: separator, omittingEmptySubsequences: false)
      if groups.count == 6, groups.allSatisfy({ $0.count == 2 }) { return 17 }
    }
    return nil
  }
}

extension CheckRun {
  /// The run without anything that identifies its device.
  public var anonymous: CheckRun {
    var anonymizer = Anonymizer(self)
    return anonymizer.replaced(self)
  }
}

extension String {
  fileprivate var trimmingDots: String { String(reversed().drop { $0 == "." }.reversed()) }
}
