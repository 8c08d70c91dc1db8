import PlaybackModel

/// The values of TransportState, which the generator emits as a type per OpenHome service.
protocol OpenHomeState {
  static var playing: Self { get }
  static var paused: Self { get }
  static var stopped: Self { get }
  static var buffering: Self { get }
}

extension OpenHomeState {
  init(_ state: PlaybackModel.TransportState) {
    switch state {
    case .noMedia, .stopped: self = .stopped
    case .transitioning: self = .buffering
    case .playing: self = .playing
    case .paused: self = .paused
    }
  }
}

extension Transport1.TransportState: OpenHomeState {}
extension Playlist1.TransportState: OpenHomeState {}
extension Radio2.TransportState: OpenHomeState {}
