/// How a resource is served: the habits and faults of the media servers found in the wild. All of them combine.
public struct Manners: Sendable, Equatable {
  /// Where a request is sent on to.
  public enum Redirect: Sendable, Equatable {
    /// That many redirections, each to the same path with a counter in the query, before the resource is served.
    case hops(Int)
    /// A redirection to the very same address, for ever.
    case endless
    /// One redirection to another resource: a path on this server or an absolute URL, put into Location as it is.
    case to(String)
  }

  /// How the end of the body is told to the client (RFC 9112 §6.3).
  public enum Framing: Sendable, Equatable {
    /// A correct Content-Length.
    case length
    /// A Content-Length that is wrong by that many bytes; the connection closes after the real body.
    case wrongLength(by: Int)
    /// Transfer-Encoding: chunked and no length.
    case chunked
    /// No length at all: the body ends where the connection closes.
    case close
  }

  /// The Content-Type header.
  public enum ContentType: Sendable, Equatable {
    /// What the file name's extension says.
    case byName
    /// This value, right or wrong.
    case given(String)
    /// No such header.
    case missing
  }

  /// A pause in the middle of the body.
  public struct Stall: Sendable, Equatable {
    /// Bytes of the body that are sent before.
    public var after: Int
    /// Whether they are counted from the beginning of the resource, so that a response that begins beyond stalls before
    /// its first byte; otherwise from the beginning of each response.
    public var isPlace = false
    /// How long nothing is sent; nil: until the client gives up.
    public var duration: Duration?
    /// How many responses stall before the resource behaves; nil: all.
    public var times: Int?

    /// A pause of `duration` (nil: for ever) after `after` bytes, in the first `times` responses (nil: all).
    public init(after: Int, for duration: Duration? = nil, times: Int? = nil) {
      self.after = after
      self.duration = duration
      self.times = times
    }

    /// A pause wherever a response gets to the byte of the resource at `place`, and before all that come after it.
    public init(at place: Int, for duration: Duration? = nil, times: Int? = nil) {
      self.init(after: place, for: duration, times: times)
      isPlace = true
    }
  }

  /// An end of the connection before the end of the body.
  public struct EarlyClose: Sendable, Equatable {
    /// Bytes of the body that are sent before.
    public var after: Int
    /// Whether they are counted from the beginning of the resource, so that a response that begins beyond has no byte;
    /// otherwise from the beginning of each response.
    public var isPlace = false
    /// How many responses break off before the resource behaves; nil: all. With 1 a resume by range succeeds.
    public var times: Int?
    /// True: the connection is reset (RST) instead of closed (FIN).
    public var reset: Bool

    /// A close after `after` bytes, in the first `times` responses (nil: all).
    public init(after: Int, times: Int? = nil, reset: Bool = false) {
      self.after = after
      self.times = times
      self.reset = reset
    }

    /// A close where a response gets to the byte of the resource at `place`, or begins beyond it.
    public init(at place: Int, times: Int? = nil, reset: Bool = false) {
      self.init(after: place, times: times, reset: reset)
      isPlace = true
    }
  }

  /// A status instead of the resource.
  public struct Status: Sendable, Equatable {
    /// The HTTP status code.
    public var code: Int
    /// How many responses have it before the resource is served; nil: all.
    public var times: Int?

    /// Answers `code`, to the first `times` requests (nil: all).
    public init(_ code: Int, times: Int? = nil) {
      self.code = code
      self.times = times
    }
  }

  /// Whether byte ranges are honoured (206, 416, `Accept-Ranges: bytes`) or ignored (`Accept-Ranges: none`).
  public var ranges = true
  /// Whether nothing is said of ranges, as by many a small server.
  public var silentOnRanges = false
  /// Whether HEAD is answered; 405 otherwise, as by many radio servers.
  public var head = true
  /// Redirection before anything else.
  public var redirect: Redirect?
  /// The status of a redirection: 301, 302, 303, 307 or 308.
  public var redirectStatus = 302
  /// How the length of the body is told.
  public var framing = Framing.length
  /// Time between the request and the head of the response.
  public var openDelay = Duration.zero
  /// Bytes a second, at most.
  public var rate: Int?
  /// A pause in the body.
  public var stall: Stall?
  /// An early end of the connection.
  public var earlyClose: EarlyClose?
  /// In-band titles, for clients that ask with `Icy-MetaData: 1`.
  public var icy: ICY?
  /// The Content-Type header.
  public var type = ContentType.byName
  /// A status instead of the resource.
  public var status: Status?
  /// Whether the body is replaced by as many pseudo-random bytes (always the same ones).
  public var garbage = false
  /// Whether the body starts over at its end, for ever: a live stream, without length and without ranges.
  public var endless = false
  /// More headers for the response, in this order.
  public var headers: [Header] = []

  /// A polite server.
  public init() {}

  /// A polite server with the exceptions that `change` makes.
  public init(_ change: (inout Manners) -> Void) {
    change(&self)
  }
}
