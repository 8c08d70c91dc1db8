import PlaybackModel

/// What the pipeline's thread is given to do, in order of arrival.
enum Work: Sendable {
  case command(PipelineCommand)
  case source(id: Int, SourceEvent)
  case output(epoch: Int, OutputEvent)
  case feeder(session: Int, FeederEvent)
  case mixer(MixerEvent)
  case quit
}

/// What is heard from a track's source.
enum SourceEvent: Sendable {
  /// The first sound is there, at the beginning or after a seek.
  case prerolled
  /// As much is there as was asked for, or all; with the number of the request.
  case filled(request: Int)
  /// Much less lies ready than could.
  case low
  /// All of the track is decoded and in memory.
  case decodedToEnd
  case failed(ElementFailure)
  /// Why the server could not be reached, if a closer look has shown it.
  case diagnosed(PlaybackError?)
  case tags(StreamTags)
  /// All of a document is there, or as much as is read of one.
  case documentEnded
  case durationChanged
}

/// What is heard from the output.
enum OutputEvent: Sendable {
  case playing
  /// Everything was heard.
  case ended
  case failed(ElementFailure)
  case latencyChanged
  /// The device has run out of samples and goes on.
  case xrun
}

/// What is heard from the feeder.
enum FeederEvent: Sendable {
  /// The first samples of the follower went out, to be heard at that running time.
  case joined(sourceID: Int, runningTime: Int64)
  /// The output was told that its sound ends at that running time; 0 if there was none in this run.
  case finished(runningTime: Int64)
  /// The device is about to run dry.
  case starving
}
