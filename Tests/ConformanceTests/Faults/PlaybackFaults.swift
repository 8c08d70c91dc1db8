extension FaultRow {
  static let playback: [FaultRow] = [
    FaultRow("avt/2.2.29/position-rises", .output("RelTime", of: "GetPositionInfo", "0:00:00")),
    FaultRow("avt/2.2.29/position-pauses", .standIn(.pauseKeepsCounting)),
  ]
}
