/// The side that a channel is heard from.
package enum ChannelSide: Sendable, Equatable {
  case left, middle, right
}
