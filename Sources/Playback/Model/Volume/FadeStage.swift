/// A change of the loudness over some time, for the sleep timer and alarms. Separate from the volume, which does not
/// change.
package struct Fade: Sendable, Equatable {
  /// 0…1, from silence to full loudness; nil to begin at the present level.
  package var start: Double?
  package var end: Double
  /// Counted by samples, so that a ramp begins with the first sound. Zero for a jump.
  package var duration: Duration

  package init(from start: Double? = nil, to end: Double, over duration: Duration) {
    (self.start, self.end, self.duration) = (start, end, duration)
  }
}

/// Fades the sound out and in.
///
/// The level moves evenly, and the gain is its cube, which is heard as an even change.
package struct FadeStage: SampleStage {
  private var level = 1.0
  private var target = 1.0
  /// Change of the level per second.
  private var speed = 0.0
  /// The gain of the last samples.
  private var gain = 1.0

  package init() {}

  package var isNeutral: Bool { level == 1 && target == 1 && gain == 1 }
  package var effects: Set<SampleEffect> { level == 1 && target == 1 ? [] : [.fade] }

  package mutating func start(_ fade: Fade) {
    if let start = fade.start { level = start }
    target = fade.end
    let seconds = fade.duration / .seconds(1)
    if seconds > 0 {
      speed = (target - level) / seconds
    } else {
      level = target
      reset()
    }
  }

  package mutating func reset() { gain = level * level * level }

  package mutating func process(_ block: inout SampleBlock) {
    let frames = block.frames
    guard frames > 0 else { return }
    if level != target {
      let next = level + speed * Double(frames) / Double(block.rate)
      level = speed > 0 ? min(target, next) : max(target, next)
    }
    let former = gain
    gain = level * level * level
    guard gain != former else { return block.scale(by: SideGains(gain)) }
    block.scale(along: GainGlide.Segment(from: former, to: gain, frames: frames))
  }
}
