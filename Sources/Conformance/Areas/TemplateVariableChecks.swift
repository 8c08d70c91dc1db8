import ControlPoint
import UPnP

/// The state variables that the service templates give to arguments.
enum TemplateVariableChecks {
  static let all: [Check] = [
    Check(
      "uda/2.5/template-variables", .scpd, .must,
      "The arguments of the service templates refer to the state variables of the templates.",
      source: """
        the tables of arguments in AVTransport:1, RenderingControl:1 and ConnectionManager:1 §2.4, ContentDirectory:1 §2.7
        """,
      steps: """
        Reads the SCPDs of AVTransport, RenderingControl, ConnectionManager and ContentDirectory. Passes if the \
        relatedStateVariable of each known argument is the template's.
        """
    ) { context throws(Finding) in
      var problems: [String] = []
      for (service, variables) in variables {
        // The volumes of GetVolumeDB and SetVolumeDB have the same names, and the arguments of a vendor's actions any.
        let actions = context.target.service(service)?.scpd?.actions ?? []
        for action in actions where !action.name.hasSuffix("VolumeDB") && !action.name.hasPrefix("X_") {
          for argument in action.arguments {
            guard let expected = variables[argument.name], argument.variable != expected else { continue }
            problems.append("\(action.name).\(argument.name) has \(argument.variable)")
          }
        }
      }
      try context.expectNone(problems, "the state variables of the templates")
    }
  ]

  /// Arguments whose state variables are the same in all actions, without those of type A_ARG_TYPE.
  private static let variables: [(service: String, byArgument: [String: String])] = [
    (
      "AVTransport",
      [
        "CurrentURI": "AVTransportURI", "CurrentURIMetaData": "AVTransportURIMetaData", "NextURI": "NextAVTransportURI",
        "NextURIMetaData": "NextAVTransportURIMetaData", "NrTracks": "NumberOfTracks",
        "MediaDuration": "CurrentMediaDuration", "PlayMedium": "PlaybackStorageMedium",
        "RecordMedium": "RecordStorageMedium", "WriteStatus": "RecordMediumWriteStatus",
        "CurrentTransportState": "TransportState", "CurrentTransportStatus": "TransportStatus",
        "CurrentSpeed": "TransportPlaySpeed", "Speed": "TransportPlaySpeed", "Track": "CurrentTrack",
        "TrackDuration": "CurrentTrackDuration", "TrackMetaData": "CurrentTrackMetaData", "TrackURI": "CurrentTrackURI",
        "RelTime": "RelativeTimePosition", "AbsTime": "AbsoluteTimePosition", "RelCount": "RelativeCounterPosition",
        "AbsCount": "AbsoluteCounterPosition", "PlayMode": "CurrentPlayMode", "NewPlayMode": "CurrentPlayMode",
        "Actions": "CurrentTransportActions",
      ]
    ),
    (
      "RenderingControl",
      ["CurrentVolume": "Volume", "DesiredVolume": "Volume", "CurrentMute": "Mute", "DesiredMute": "Mute"]
    ),
    (
      "ConnectionManager",
      ["Source": "SourceProtocolInfo", "Sink": "SinkProtocolInfo", "ConnectionIDs": "CurrentConnectionIDs"]
    ),
    ("ContentDirectory", ["SearchCaps": "SearchCapabilities", "SortCaps": "SortCapabilities", "Id": "SystemUpdateID"]),
  ]
}
