/// Commands to be run on events: a program and its arguments, or nothing.
struct Hooks: Sendable, Equatable {
  var play: [String] = []
  var pause: [String] = []
  var stop: [String] = []
  var track: [String] = []
  var volume: [String] = []
  var standby: [String] = []
  /// How long a command may take.
  var timeout: Duration = .seconds(10)

  subscript(event: HookEvent) -> [String] {
    switch event {
    case .play: play
    case .pause: pause
    case .stop: stop
    case .track: track
    case .volume: volume
    case .standby: standby
    }
  }
}
