import Synchronization

/// A decoder to fuzz, or several of one kind.
public enum FuzzTarget: String, CaseIterable, Sendable {
  /// Requests on a connection, in one piece and in many.
  case http
  /// Host, Origin, request targets; addresses of media.
  case addresses
  /// A subscriber's answer to an event.
  case notify
  case soap
  /// Actions of every service on a player without sound, and the events that follow.
  case control
  case didl
  /// SUBSCRIBE and UNSUBSCRIBE.
  case gena
  case ssdp
  /// m3u, pls, xspf, asx.
  case playlist
  /// Times, base64, numbers.
  case values
  /// Lists of ids, as words and as JSON; addresses of pins.
  case ids
  /// Headers of media files.
  case head
  /// XML in and out.
  case xml
  /// The text form of stored state.
  case state
  /// The configuration file.
  case configuration
  case netlink

  /// Decodes the input and checks what must hold for any input.
  /// - Returns: one sentence for each violated property.
  public func test(_ input: UnsafeRawBufferPointer) -> [String] {
    switch self {
    case .http: HTTPTarget.test(input)
    case .addresses: AddressesTarget.test(input)
    case .notify: NotifyTarget.test(input)
    case .soap: SOAPTarget.test(input)
    case .control: ControlTarget.test(input)
    case .didl: DIDLTarget.test(input)
    case .gena: GENATarget.test(input)
    case .ssdp: SSDPTarget.test(input)
    case .playlist: PlaylistTarget.test(input)
    case .values: ValuesTarget.test(input)
    case .ids: IDsTarget.test(input)
    case .head: HeadTarget.test(input)
    case .xml: XMLTarget.test(input)
    case .state: StateTarget.test(input)
    case .configuration: ConfigurationTarget.test(input)
    case .netlink: NetlinkTarget.test(input)
    }
    return violations.withLock { violations in
      defer { violations = [] }
      return violations
    }
  }
}

private let violations = Mutex<[String]>([])

/// Records a violation if the condition is false.
func check(_ condition: Bool, _ sentence: @autoclosure () -> String, line: UInt = #line, file: StaticString = #fileID) {
  if !condition {
    let violation = "\(file):\(line): \(sentence())"
    violations.withLock { $0.append(violation) }
  }
}
