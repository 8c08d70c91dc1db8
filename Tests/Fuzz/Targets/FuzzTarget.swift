import CFuzzer
import Glibc
import Synchronization

/// What can be fuzzed: one decoder, or a few of one kind, each. What they find wrong ends the process.
enum FuzzTarget: String, CaseIterable {
  /// Requests on a connection, in one piece and in many.
  case http
  /// Who may ask: Host, Origin, request targets; and whom we ask: addresses of media.
  case addresses
  /// What a subscriber answers to an event.
  case notify
  case soap
  /// Actions of every service, on a player without sound, and the events that follow.
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
  /// What a media file says of itself at its beginning.
  case head
  /// XML in and out.
  case xml
  /// What is kept over restarts.
  case state
  /// What the person who runs it writes.
  case configuration
  case netlink

  /// The one that libFuzzer calls; it takes a function without context.
  private static let running = Mutex<FuzzTarget?>(nil)

  /// - Returns: the exit status.
  func run(arguments: [String]) -> Int32 {
    Self.running.withLock { $0 = self }
    var count = Int32(arguments.count)
    var argv: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = .allocate(capacity: arguments.count + 1)
    for (index, argument) in arguments.enumerated() { argv?[index] = strdup(argument) }
    argv?[arguments.count] = nil
    return LLVMFuzzerRunDriver(&count, &argv) { bytes, count in
      FuzzTarget.running.withLock { $0 }?.test(UnsafeRawBufferPointer(start: bytes, count: count))
      return 0
    }
  }

  private func test(_ input: UnsafeRawBufferPointer) {
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
  }
}

/// A property that has to hold whatever the input.
func check(_ condition: Bool, _ sentence: @autoclosure () -> String, line: UInt = #line, file: StaticString = #fileID) {
  if !condition { fatalError(sentence(), file: file, line: line) }
}
