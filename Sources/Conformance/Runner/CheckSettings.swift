public struct CheckSettings: Sendable {
  /// Leaves out checks that change the device.
  public var isReadOnly = false
  /// Changes a device that is playing, too.
  public var isForced = false
  public var modes: Set<Mode> = [.standard]
  /// Files to play, of types that cannot be generated.
  public var files: [MediaFile] = []
  public var times = CheckTimes()
  /// The time of a run; nil for no limit. Settings are restored afterwards.
  public var limit: Duration?
  /// Tests let it run faster than real time.
  public var clock = CheckClock()
  /// Whether to notice that the device stops, restarts, is slow, or is changed by other controllers.
  public var isWatching = true
  /// Tests replace the addresses of the device and the multicast group.
  var searchAddresses: SearchAddresses?
  /// Tests replace the announcements of the multicast group.
  var notices: NoticeSocket?

  public init() {}
}
