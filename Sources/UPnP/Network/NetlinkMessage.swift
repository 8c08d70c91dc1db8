import NIOCore

/// A message from the kernel about links and addresses, rtnetlink(7).
enum NetlinkMessage: Sendable, Hashable {
  /// A link is there, or has changed.
  case link(NetworkLink)
  /// What a wireless driver says of a link in between: nothing but its flags.
  case linkFlags(index: Int, UInt32)
  case linkGone(index: Int)
  case address(NetworkLinkAddress)
  case addressGone(NetworkLinkAddress)
  /// The end of the answer to the request with this number. If something changed meanwhile the answer may have holes.
  case done(sequence: UInt32, isInterrupted: Bool)
  /// The request with this number was refused; an errno.
  case refused(sequence: UInt32, CInt)
  /// Messages are missing.
  case lost
}

extension NetlinkMessage {
  /// The messages in one datagram of the kernel's; those about other things are left out.
  static func read(_ datagram: ByteBuffer) -> [NetlinkMessage] {
    var rest = datagram
    var messages: [NetlinkMessage] = []
    while rest.readableBytes > 0 {
      guard let length: UInt32 = rest.getInteger(at: rest.readerIndex, endianness: .host), length >= 16,
        var message = rest.readSlice(length: Int(length))
      else { return messages + [.lost] }
      rest.moveReaderIndex(forwardBy: min((4 - Int(length) % 4) % 4, rest.readableBytes))
      if let message = NetlinkMessage(&message) { messages.append(message) }
    }
    return messages
  }

  /// - Parameter message: a whole one, from its nlmsghdr on.
  private init?(_ message: inout ByteBuffer) {
    guard
      let (_, type, flags, sequence, _) = message.readMultipleIntegers(
        endianness: .host, as: (UInt32, UInt16, UInt16, UInt32, UInt32).self)
    else { return nil }
    switch type {
    case 2:  // NLMSG_ERROR
      guard let error: Int32 = message.readInteger(endianness: .host), error != 0 else { return nil }
      self = .refused(sequence: sequence, 0 &- error)
    case 3:  // NLMSG_DONE, with how it ended
      if let error: Int32 = message.readInteger(endianness: .host), error < 0 {
        self = .refused(sequence: sequence, 0 &- error)
      } else {
        self = .done(sequence: sequence, isInterrupted: flags & 0x10 != 0)  // NLM_F_DUMP_INTR
      }
    case 4: self = .lost  // NLMSG_OVERRUN
    case 16, 17: self.init(link: &message, isGone: type == 17)  // RTM_NEWLINK, RTM_DELLINK
    case 20, 21: self.init(address: &message, isGone: type == 21)  // RTM_NEWADDR, RTM_DELADDR
    default: return nil
    }
  }

  private init?(link message: inout ByteBuffer, isGone: Bool) {
    guard
      let (family, _, type, number, flags, _) = message.readMultipleIntegers(
        endianness: .host, as: (UInt8, UInt8, UInt16, Int32, UInt32, UInt32).self),
      // A bridge tells with the same messages, but of its own family, which ports come and go.
      family == 0
    else { return nil }
    let index = Int(number)
    if isGone {
      self = .linkGone(index: index)
      return
    }
    var name: String?
    var link = NetworkLink(index: index, name: "", flags: flags, hardwareType: type)
    Self.readAttributes(&message) { type, value in
      switch type {
      case 3: name = Self.text(value)  // IFLA_IFNAME
      case 10: link.master = value.getInteger(at: value.readerIndex, endianness: .host, as: UInt32.self).map(Int.init)
      case 18:  // IFLA_LINKINFO
        Self.readAttributes(&value) { type, value in
          if type == 1 { link.kind = Self.text(value) }  // IFLA_INFO_KIND
        }
      default: break
      }
    }
    if let name {
      link.name = name
      self = .link(link)
    } else {
      self = .linkFlags(index: index, flags)
    }
  }

  private init?(address message: inout ByteBuffer, isGone: Bool) {
    guard
      let (family, prefixLength, flags, _, index) = message.readMultipleIntegers(
        endianness: .host, as: (UInt8, UInt8, UInt8, UInt8, UInt32).self),
      family == 2  // AF_INET
    else { return nil }
    var allFlags = UInt32(flags)
    var local: IPAddress?
    var other: IPAddress?
    Self.readAttributes(&message) { type, value in
      switch type {
      case 1: other = Self.address(value)  // IFA_ADDRESS: the peer's, on a point-to-point link
      case 2: local = Self.address(value)  // IFA_LOCAL
      case 8: allFlags = value.getInteger(at: value.readerIndex, endianness: .host) ?? allFlags  // IFA_FLAGS
      default: break
      }
    }
    guard let address = local ?? other else { return nil }
    let record = NetworkLinkAddress(
      index: Int(index), address: address, prefixLength: Int(prefixLength), flags: allFlags)
    self = isGone ? .addressGone(record) : .address(record)
  }

  /// Goes through attributes, rtnetlink(3), until one is broken.
  private static func readAttributes(_ bytes: inout ByteBuffer, _ body: (UInt16, inout ByteBuffer) -> Void) {
    while let (length, type) = bytes.readMultipleIntegers(endianness: .host, as: (UInt16, UInt16).self),
      length >= 4, var value = bytes.readSlice(length: Int(length) - 4)
    {
      bytes.moveReaderIndex(forwardBy: min((4 - Int(length) % 4) % 4, bytes.readableBytes))
      // The two upper bits tell how the value is written.
      body(type & 0x3FFF, &value)
    }
  }

  private static func address(_ bytes: ByteBuffer) -> IPAddress? {
    bytes.getInteger(at: bytes.readerIndex).map { IPAddress(bits: $0) }
  }

  private static func text(_ bytes: ByteBuffer) -> String {
    String(decoding: bytes.readableBytesView.prefix { $0 != 0 }, as: UTF8.self)
  }
}
