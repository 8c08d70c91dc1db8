import PlaybackModel

/// A random number generator with a reproducible sequence for each seed.
package typealias SplitMix = ShuffleRound.Generator
