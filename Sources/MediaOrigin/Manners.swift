/// How a resource is served: properties and faults of real media servers, in any combination.
public struct Manners: Sendable, Equatable {
  public enum Redirect: Sendable, Equatable {
    /// This many redirects to the same path, with a counter in the query, before the resource is served.
    case hops(Int)
    /// Endless redirects to the same address.
    case endless
    /// One redirect to a path on this server or an absolute URL, sent unchanged in Location.
    case to(String)
  }

  /// How the client learns the end of the body (RFC 9112 §6.3).
  public enum Framing: Sendable, Equatable {
    /// A correct Content-Length.
    case length
    /// A Content-Length that is wrong by this many bytes. The connection closes after the real body.
    case wrongLength(by: Int)
    case chunked
    /// No length: the body ends when the connection closes.
    case close
  }

  public enum ContentType: Sendable, Equatable {
    /// By the extension of the file name.
    case byName
    /// This value, correct or not.
    case given(String)
    case missing
  }

  /// A pause in the middle of the body.
  public struct Stall: Sendable, Equatable {
    /// Number of body bytes sent before the pause.
    public var after: Int
    /// Whether `after` counts from the beginning of the resource, so a response that starts later pauses before
    /// its first byte. Otherwise it counts from the beginning of each response.
    public var isPlace = false
    /// Nil to wait until the client closes the connection.
    public var duration: Duration?
    /// Number of responses that pause; nil for all.
    public var times: Int?

    /// Pauses after a number of bytes of each response.
    public init(after: Int, for duration: Duration? = nil, times: Int? = nil) {
      self.after = after
      self.duration = duration
      self.times = times
    }

    /// Pauses at a byte of the resource. Responses that start later pause before their first byte.
    public init(at place: Int, for duration: Duration? = nil, times: Int? = nil) {
      self.init(after: place, for: duration, times: times)
      isPlace = true
    }
  }

  /// An end of the connection in the middle of the body.
  public struct EarlyClose: Sendable, Equatable {
    /// Number of body bytes sent before the end.
    public var after: Int
    /// Whether `after` counts from the beginning of the resource, so a response that starts later has no body.
    /// Otherwise it counts from the beginning of each response.
    public var isPlace = false
    /// Number of responses that end early; nil for all. With 1, a resume by range succeeds.
    public var times: Int?
    /// Whether the connection is reset (RST) instead of closed (FIN).
    public var reset: Bool

    /// Ends the connection after a number of bytes of each response.
    public init(after: Int, times: Int? = nil, reset: Bool = false) {
      self.after = after
      self.times = times
      self.reset = reset
    }

    /// Ends the connection at a byte of the resource. Responses that start later have no body.
    public init(at place: Int, times: Int? = nil, reset: Bool = false) {
      self.init(after: place, times: times, reset: reset)
      isPlace = true
    }
  }

  /// A status code instead of the resource.
  public struct Status: Sendable, Equatable {
    public var code: Int
    /// Number of responses with the status; nil for all.
    public var times: Int?

    public init(_ code: Int, times: Int? = nil) {
      self.code = code
      self.times = times
    }
  }

  /// Whether range requests work (206, 416, `Accept-Ranges: bytes`) or are ignored (`Accept-Ranges: none`).
  public var ranges = true
  /// Whether Accept-Ranges is missing, as from many small servers.
  public var silentOnRanges = false
  /// Whether HEAD works. Otherwise it gets 405, as from many radio servers.
  public var head = true
  /// The redirect, which takes precedence over `status`.
  public var redirect: Redirect?
  /// 301, 302, 303, 307 or 308.
  public var redirectStatus = 302
  public var framing = Framing.length
  /// Whether the connection closes after the response, which announces it.
  public var closes = false
  /// Time between the request and the response head.
  public var openDelay = Duration.zero
  /// Maximum number of bytes per second.
  public var rate: Int?
  public var stall: Stall?
  public var earlyClose: EarlyClose?
  /// In-band titles for clients that send `Icy-MetaData: 1`.
  public var icy: ICY?
  public var type = ContentType.byName
  public var status: Status?
  /// Whether the body is replaced by as many pseudo-random bytes, the same ones every time.
  public var garbage = false
  /// Whether the body repeats endlessly, without length and ranges, as a live stream.
  public var endless = false
  /// Additional response headers, in order.
  public var headers: [Header] = []

  /// A server without faults.
  public init() {}

  /// A server without faults except for those that the closure sets.
  public init(_ change: (inout Manners) -> Void) {
    change(&self)
  }
}

/// SHOUTcast's in-band titles: after every `interval` bytes of audio comes a length byte (in units of 16 bytes),
/// followed by `StreamTitle='…';` padded with zeros.
public struct ICY: Sendable, Equatable {
  public struct Title: Sendable, Equatable {
    /// Audio bytes before the title, which the first block at or after them carries.
    public var offset: Int
    public var text: String

    public init(at offset: Int, _ text: String) {
      self.offset = offset
      self.text = text
    }
  }

  /// The value of `icy-metaint`: audio bytes between two blocks. At least 1.
  public var interval: Int
  /// The value of `icy-name`.
  public var name: String?
  /// In the order of their offsets.
  public var titles: [Title]
  /// Whether the status line is `ICY 200 OK`, as of SHOUTcast 1, instead of `HTTP/1.1 200 OK`.
  public var statusLine: Bool

  public init(interval: Int = 16_000, name: String? = nil, titles: [Title] = [], statusLine: Bool = false) {
    self.interval = max(1, interval)
    self.name = name
    self.titles = titles
    self.statusLine = statusLine
  }

  /// The metadata block with a title, cut to the maximum of 4080 bytes. Nil makes the block of length 0, which means an
  /// unchanged title.
  static func block(title: String?) -> [UInt8] {
    guard let title else { return [0] }
    let text = Array("StreamTitle='".utf8) + title.utf8.prefix(4080 - 15) + Array("';".utf8)
    let units = (text.count + 15) / 16
    return [UInt8(units)] + text + [UInt8](repeating: 0, count: units * 16 - text.count)
  }
}
