extension ControllerProfile {
  static let homeAssistant = ControllerProfile("home-assistant", "Home Assistant", [])
  static let kodi = ControllerProfile("kodi", "Kodi", [])
  static let bubbleUPnP = ControllerProfile("bubbleupnp", "BubbleUPnP", [])
  static let windows = ControllerProfile("windows", "Windows", [])
  static let kazoo = ControllerProfile("kazoo", "Kazoo", [])
  static let musicAssistant = ControllerProfile("music-assistant", "Music Assistant", [])
}
