import PlaybackModel

/// Random, and the same everywhere for the same seed.
package typealias SplitMix = ShuffleRound.Generator
