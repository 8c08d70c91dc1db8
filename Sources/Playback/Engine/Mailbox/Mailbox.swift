import DequeModule
import PlaybackModel

/// Identifies a run of the output. A run begins with a track and ends with a stop, a seek or a failure; its events are
/// then ignored.
struct RunID: Equatable, Sendable {
  let number: Int

  init(_ number: Int = 0) { self.number = number }

  var next: RunID { RunID(number + 1) }
}

/// A message to the pipeline's thread. Messages are handled in order of arrival.
enum Work: Sendable {
  case command(PipelineCommand)
  case source(id: Int, SourceEvent)
  case output(RunID, OutputEvent)
  case feeder(RunID, FeederEvent)
  case mixer(MixerEvent)
  /// An announcement has been loaded.
  case loaded(id: Int, Result<AnnouncementSound, AnnouncementError>)
  /// There is sound in an input that was silent.
  case sound(inputID: Int)
  case quit
}

enum SourceEvent: Sendable {
  /// The first samples have been decoded, at the beginning or after a seek.
  case prerolled
  /// The amount of a request is buffered, or all sound is decoded. `request` is the number of the request.
  case filled(request: Int)
  /// The buffer runs low.
  case low
  /// The whole track has been decoded and is in memory.
  case decodedToEnd
  case failed(ElementFailure)
  case tags(StreamTags)
  /// A document has been read, completely or up to the limit.
  case documentEnded
  /// `DecoderPipeline.readDocument` has ended.
  case documentRead
  case durationChanged
  /// More sound has been decoded than the duration allows.
  case outlived
  /// It has become known whether the server sends in real time.
  case paceChanged
}

enum OutputEvent: Sendable {
  /// The attempt to reach the output's server has ended; nil if it succeeded, else the reason.
  case connected(failure: String?)
  case playing
  /// All samples have been played.
  case ended
  case failed(ElementFailure)
  case latencyChanged
  /// The device ran out of samples and has recovered.
  case xrun
  /// The path of the samples to the device may have changed.
  case signalChanged
  /// The announcement has been added completely. It is heard after the samples before the device.
  case announced
}

enum FeederEvent: Sendable {
  /// The first samples of the next source were pushed; they will be heard at that running time.
  case joined(sourceID: Int, runningTime: Int64)
  /// The feeder ended the output's sound at that running time; 0 if there was no sound in this run.
  case finished(runningTime: Int64)
  /// The device is about to starve.
  case starving
}

enum MixerEvent: Sendable, Equatable {
  /// The gain to apply to the samples for the level of that revision.
  /// `card` is the card's own factor: 0 while it is silent, nil without a card.
  case samples(revision: Int, gain: Double, isMuted: Bool, card: Double?)
  /// Another program or the user moved the control.
  case moved(Level)
}

/// The message queue of the pipeline's thread. Any thread may post at any time without blocking.
final class Mailbox: Sendable {
  private let queue = Monitor(Deque<Work>())

  func post(_ work: Work) {
    queue.update { $0.append(work) }
  }

  /// Removes and returns the next message; nil after the timeout.
  func next(timeout: Duration?) -> Work? {
    queue.wait(timeout: timeout) { $0.popFirst() }
  }
}
