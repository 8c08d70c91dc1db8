import Synchronization

/// A decoder to fuzz, or a group of related decoders.
public enum FuzzTarget: String, CaseIterable, Sendable {
  /// Requests on a connection, in one packet and in many.
  case http
  /// Host and Origin headers, request targets and media URIs.
  case addresses
  /// A subscriber's response to an event.
  case notify
  case soap
  /// Actions of all services on a player without audio, and the resulting events.
  case control
  /// Requests to the page's API on the same player.
  case api
  case didl
  /// A media server's pages of DIDL-Lite, as the control point reads them.
  case media
  /// SUBSCRIBE and UNSUBSCRIBE requests.
  case gena
  /// Events as a control point decodes them.
  case event
  case ssdp
  /// Announcements and answers to searches, as a control point reads them.
  case notice
  /// URLs in announcements and descriptions.
  case url
  /// Device descriptions.
  case description
  /// Descriptions of services.
  case scpd
  /// Answers to actions.
  case results
  /// Queues and sources of OpenHome players.
  case queue
  /// Ranges and playlist files.
  case files
  /// Playlists in M3U, PLS, XSPF and ASX.
  case playlist
  /// UPnP times, base64 and numbers.
  case values
  /// Lists of ids, as text and as JSON; pin URIs.
  case ids
  /// Headers of media files.
  case head
  /// Answers of media servers: heads, chunks and titles (ICY).
  case answer
  /// Songcast's datagrams.
  case songcast
  /// Reading and writing XML.
  case xml
  /// The text form of stored state.
  case state
  /// The configuration file.
  case configuration
  case netlink
  /// Arguments of the library's ContentDirectory.
  case search
  /// Answers of the station directory.
  case stations

  /// Decodes the input and checks what must hold for any input.
  /// - Returns: one sentence for each violated property.
  public func test(_ input: UnsafeRawBufferPointer) -> [String] {
    switch self {
    case .http: HTTPTarget.test(input)
    case .addresses: AddressesTarget.test(input)
    case .notify: NotifyTarget.test(input)
    case .soap: SOAPTarget.test(input)
    case .control: ControlTarget.test(input)
    case .api: APITarget.test(input)
    case .didl: DIDLTarget.test(input)
    case .media: MediaTarget.test(input)
    case .gena: GENATarget.test(input)
    case .event: EventTarget.test(input)
    case .ssdp: SSDPTarget.test(input)
    case .notice: NoticeTarget.test(input)
    case .url: URLTarget.test(input)
    case .description: DescriptionTarget.test(input)
    case .scpd: SCPDTarget.test(input)
    case .results: ResultsTarget.test(input)
    case .queue: QueueTarget.test(input)
    case .files: FilesTarget.test(input)
    case .playlist: PlaylistTarget.test(input)
    case .values: ValuesTarget.test(input)
    case .ids: IDsTarget.test(input)
    case .head: HeadTarget.test(input)
    case .answer: AnswerTarget.test(input)
    case .songcast: SongcastTarget.test(input)
    case .xml: XMLTarget.test(input)
    case .state: StateTarget.test(input)
    case .configuration: ConfigurationTarget.test(input)
    case .netlink: NetlinkTarget.test(input)
    case .search: SearchTarget.test(input)
    case .stations: StationsTarget.test(input)
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
