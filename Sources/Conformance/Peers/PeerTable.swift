// swift-format-ignore-file

extension PeerResult {
  /// Results of known renderers, in the format of ``read(_:)``.
  public static let all = read(
    #"""
    """#)
}
