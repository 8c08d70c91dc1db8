import CLinux
import Glibc
import NIOCore

/// A message from the kernel about links and addresses (rtnetlink(7)).
enum NetlinkMessage: Sendable, Hashable {
  /// A link appeared or changed.
  case link(NetworkLink)
  /// New flags of a link, without anything else; sent by wireless drivers.
  case linkFlags(index: Int, UInt32)
  case linkGone(index: Int)
  case address(NetworkLinkAddress)
  case addressGone(NetworkLinkAddress)
  /// The answer to a request is complete. It may be inconsistent if links or addresses changed meanwhile.
  case done(sequence: UInt32, isInterrupted: Bool)
  /// The kernel refused a request, with an errno.
  case refused(sequence: UInt32, CInt)
  /// Messages were lost.
  case lost
}

extension NetlinkMessage {
  private static let headerSize = MemoryLayout<nlmsghdr>.size
  private static let attributeHeaderSize = MemoryLayout<rtattr>.size
  /// The type without the flags NLA_F_NESTED and NLA_F_NET_BYTEORDER. Swift does not import NLA_TYPE_MASK, an
  /// expression.
  private static let attributeTypeMask: UInt16 = 0x3FFF

  /// Parses one datagram. Messages of other types are skipped.
  static func read(_ datagram: ByteBuffer) -> [NetlinkMessage] {
    var rest = datagram
    var messages: [NetlinkMessage] = []
    while rest.readableBytes > 0 {
      guard let length: UInt32 = rest.getInteger(at: rest.readerIndex, endianness: .host), length >= headerSize,
        var message = rest.readSlice(length: Int(length))
      else { return messages + [.lost] }
      rest.moveReaderIndex(forwardBy: min((4 - Int(length) % 4) % 4, rest.readableBytes))
      if let message = NetlinkMessage(&message) { messages.append(message) }
    }
    return messages
  }

  /// - Parameter message: a complete message, starting with its nlmsghdr.
  private init?(_ message: inout ByteBuffer) {
    guard
      let (_, type, flags, sequence, _) = message.readMultipleIntegers(
        endianness: .host, as: (UInt32, UInt16, UInt16, UInt32, UInt32).self)
    else { return nil }
    switch Int32(type) {
    case NLMSG_ERROR:
      guard let error: Int32 = message.readInteger(endianness: .host), error != 0 else { return nil }
      self = .refused(sequence: sequence, 0 &- error)
    case NLMSG_DONE:
      if let error: Int32 = message.readInteger(endianness: .host), error < 0 {
        self = .refused(sequence: sequence, 0 &- error)
      } else {
        self = .done(sequence: sequence, isInterrupted: Int32(flags) & NLM_F_DUMP_INTR != 0)
      }
    case NLMSG_OVERRUN: self = .lost
    case Int32(RTM_NEWLINK): self.init(link: &message, isGone: false)
    case Int32(RTM_DELLINK): self.init(link: &message, isGone: true)
    case Int32(RTM_NEWADDR): self.init(address: &message, isGone: false)
    case Int32(RTM_DELADDR): self.init(address: &message, isGone: true)
    default: return nil
    }
  }

  private init?(link message: inout ByteBuffer, isGone: Bool) {
    guard
      let (family, _, type, number, flags, _) = message.readMultipleIntegers(
        endianness: .host, as: (UInt8, UInt8, UInt16, Int32, UInt32, UInt32).self),
      // Bridges report their ports in the same messages, with the family AF_BRIDGE.
      family == AF_UNSPEC
    else { return nil }
    let index = Int(number)
    if isGone {
      self = .linkGone(index: index)
      return
    }
    var name: String?
    var link = NetworkLink(index: index, name: "", flags: flags, hardwareType: type)
    Self.readAttributes(&message) { type, value in
      switch Int(type) {
      case IFLA_IFNAME: name = Self.text(value)
      case IFLA_MASTER:
        link.master = value.getInteger(at: value.readerIndex, endianness: .host, as: UInt32.self).map(Int.init)
      case IFLA_LINKINFO:
        Self.readAttributes(&value) { type, value in
          if Int(type) == IFLA_INFO_KIND { link.kind = Self.text(value) }
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
      family == AF_INET
    else { return nil }
    var allFlags = UInt32(flags)
    var local: IPAddress?
    var other: IPAddress?
    Self.readAttributes(&message) { type, value in
      switch Int(type) {
      // On a point-to-point link this is the peer's address.
      case IFA_ADDRESS: other = Self.address(value)
      case IFA_LOCAL: local = Self.address(value)
      case IFA_FLAGS: allFlags = value.getInteger(at: value.readerIndex, endianness: .host) ?? allFlags
      default: break
      }
    }
    guard let address = local ?? other else { return nil }
    let record = NetworkLinkAddress(
      index: Int(index), address: address, prefixLength: Int(prefixLength), flags: allFlags)
    self = isGone ? .addressGone(record) : .address(record)
  }

  /// Calls `body` for each attribute (rtnetlink(3)) and stops at the first malformed one.
  private static func readAttributes(_ bytes: inout ByteBuffer, _ body: (UInt16, inout ByteBuffer) -> Void) {
    while let (length, type) = bytes.readMultipleIntegers(endianness: .host, as: (UInt16, UInt16).self),
      length >= attributeHeaderSize, var value = bytes.readSlice(length: Int(length) - attributeHeaderSize)
    {
      bytes.moveReaderIndex(forwardBy: min((4 - Int(length) % 4) % 4, bytes.readableBytes))
      body(type & attributeTypeMask, &value)
    }
  }

  private static func address(_ bytes: ByteBuffer) -> IPAddress? {
    bytes.getInteger(at: bytes.readerIndex).map { IPAddress(bits: $0) }
  }

  private static func text(_ bytes: ByteBuffer) -> String {
    String(decoding: bytes.readableBytesView.prefix { $0 != 0 }, as: UTF8.self)
  }
}

/// A request for all links or all IPv4 addresses (rtnetlink(7)).
enum NetlinkRequest: Sendable, Hashable {
  case links(sequence: UInt32)
  case addresses(sequence: UInt32)

  /// The request as written to the socket.
  var bytes: ByteBuffer {
    switch self {
    case .links(let sequence):
      Self.message(type: RTM_GETLINK, sequence: sequence, family: AF_UNSPEC, bodySize: MemoryLayout<ifinfomsg>.size)
    case .addresses(let sequence):
      Self.message(type: RTM_GETADDR, sequence: sequence, family: AF_INET, bodySize: MemoryLayout<ifaddrmsg>.size)
    }
  }

  /// - Parameter bodySize: the size of the header after nlmsghdr. It begins with the family and is otherwise zero.
  private static func message(type: Int, sequence: UInt32, family: CInt, bodySize: Int) -> ByteBuffer {
    var buffer = ByteBuffer()
    buffer.writeMultipleIntegers(
      UInt32(MemoryLayout<nlmsghdr>.size + bodySize), UInt16(type), UInt16(NLM_F_REQUEST | NLM_F_ROOT | NLM_F_MATCH),
      sequence, UInt32(0), endianness: .host)
    buffer.writeInteger(UInt8(family))
    buffer.writeRepeatingByte(0, count: bodySize - 1)
    return buffer
  }
}
