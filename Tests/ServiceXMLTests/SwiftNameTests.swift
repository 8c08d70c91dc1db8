import Testing

@testable import ServiceXML

struct SwiftNameTests {
  @Test(arguments: [
    ("AVTransportURI", "avTransportURI"), ("CurrentURI", "currentURI"), ("InstanceID", "instanceID"), ("ID", "id"),
    ("URI", "uri"), ("NrTracks", "nrTracks"), ("newTargetValue", "newTargetValue"), ("Play", "play"),
    ("GetDRMState", "getDRMState"), ("PAUSED_PLAYBACK", "pausedPlayback"), ("NOT_IMPLEMENTED", "notImplemented"),
    ("TRACK_NR", "trackNr"), ("TAPE-INDEX", "tapeIndex"), ("CD-DA", "cdDa"), ("X_DLNA_SeekTime", "xDlnaSeekTime"),
    ("A_ARG_TYPE_SeekMode", "aArgTypeSeekMode"), ("Repeat", "`repeat`"), ("in", "`in`"), ("DEFAULT", "`default`"),
    ("Guard", "`guard`"), ("1", "_1"), ("0:EXCELLENT", "_0Excellent"), ("STOPPED", "stopped"), ("", "empty"),
    ("LF", "lf"),
  ])
  func members(name: String, member: String) { #expect(SwiftName.member(name) == member) }

  @Test(arguments: [
    ("TransportState", ["A"], "TransportState"), ("A_ARG_TYPE_SeekMode", ["A"], "SeekMode"), ("Volume", [], "String"),
    ("X_Mode", ["A"], "XMode"),
  ])
  func types(name: String, values: [String], type: String) {
    let variable = Service.Variable(name: name, type: .string, isEvented: false, allowedValues: values)
    #expect(SwiftName.type(variable) == type)
  }
}
