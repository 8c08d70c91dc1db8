import DeviceStack
import NIOCore

/// Limits the tracks that guests add to the queue while the party lock is on. The owner has no limit. Used on the event
/// loop.
final class GuestTracks {
  static let maximumPerGuest = 200
  private static let maximum = 1000
  private static let window = Duration.seconds(3600)

  private let access: Access
  private var budget = RateBudget(maximum: maximum, perClient: maximumPerGuest, window: window)

  init(access: Access) { self.access = access }

  /// The number of tracks that the sender may add; nil without a limit.
  /// - Parameter count: the number that it needs at least.
  /// - Throws: 429 if that is too many.
  func allowance(_ request: HTTPRequest, for count: Int = 1) throws(Problem) -> Int? {
    guard access.isGuest(request) else { return nil }
    let remaining = budget.remaining(Self.guest(request), now: .now)
    guard count > remaining else { return remaining }
    let wait = budget.wait(Self.guest(request), now: .now) ?? .zero
    let rule = "Guests may add \(Self.maximumPerGuest) tracks an hour."
    guard remaining == 0 else {
      throw Problem(.tooManyRequests, .tooManyRequests, "\(rule) \(remaining) more are possible now.")
    }
    throw .tooMany(rule, wait: wait)
  }

  /// Counts tracks that the sender has added.
  func count(_ tracks: Int, by request: HTTPRequest) {
    if access.isGuest(request) { budget.count(tracks, of: Self.guest(request), now: .now) }
  }

  private static func guest(_ request: HTTPRequest) -> String { request.remote.ipAddress ?? "" }
}
