extension ControllerProfile {
  static let homeAssistant = ControllerProfile(
    "home-assistant", "Home Assistant",
    [
      effect("uda/2.3/standard-service-ids", "The device is not offered as a media player.", asyncUPnPClient),
      effect("uda/4.1.2/sid", "The media player stays unavailable.", castaway),
      effect(
        "uda/4.3/initial", "The media player shows no state, since an accepted subscription ends polling.", castaway),
      effect("uda/4.3/seq-rises", "The media player can show an old state.", castaway),
      effect(
        "uda/4.3/declared-variables", "The log fills with errors, and events are dropped.",
        "StevenLooman/async_upnp_client#32"),
      effect("avt/2.3/initial-state", "The media player shows no state until it changes.", asyncUPnPClient),
      effect("avt/2.3/last-change", "The state does not follow the device.", asyncUPnPClient),
      effect("avt/2.2/seek-modes", "There is no seek bar.", asyncUPnPClient),
      effect("avt/2.4/actions", "Buttons do nothing, and playback starts up to 5 seconds late.", asyncUPnPClient),
      effect("avt/2.2.29", "The progress bar is wrong.", asyncUPnPClient),
      effect("rcs/2.2/volume-range", "The volume slider is scaled wrongly.", asyncUPnPClient),
      effect("rcs/2.3/volume-event", "The slider does not follow the device's own volume buttons.", asyncUPnPClient),
      effect("rcs/2.3/mute-event", "The mute button does not follow the device.", asyncUPnPClient),
    ])

  static let kodi = ControllerProfile(
    "kodi", "Kodi",
    [
      effect("cm/2.3/plain-events", "Nothing can be played: Kodi knows no format of the device.", "xbmc/xbmc#29130"),
      effect("cm/2.4/sink", "Nothing can be played: Kodi finds no format that the device accepts.", "xbmc/xbmc#29239"),
      effect("cm/2.5.2/protocol-info", "Some files are refused before they are sent.", "xbmc/xbmc#29239"),
      effect("avt/2.2/state", "Kodi gives up 10 seconds after the start, since it waits for PLAYING.", kodiPlayer),
      effect("avt/2.2.13/times", "Position and length are wrong.", kodiPlayer),
      effect("avt/2.2.29", "The progress bar is wrong.", kodiPlayer),
    ])

  static let bubbleUPnP = ControllerProfile(
    "bubbleupnp", "BubbleUPnP",
    [
      effect(
        "cm/2.4/sink", "Tracks are refused with “no compatible decoder found”.",
        "UniversalMediaServer/UniversalMediaServer#1320"),
      effect("cm/2.5.2/protocol-info", "Formats that the device plays are refused.", "hzeller/gmrender-resurrect#231"),
      effect("avt/2.2.29", "The progress bar is wrong, since BubbleUPnP polls the position.", castaway),
      effect("avt/2.2.13/times", "Position and length are wrong.", castaway),
    ])

  static let windows = ControllerProfile(
    "windows", "Windows",
    [
      effect("avt/2.3/last-change", "“Cast to Device” does not follow the device (test EVENT-01).", certification),
      effect("rcs/2.3/last-change", "The volume slider does not follow the device (test EVENT-01).", certification),
      effect("rcs/2.4/volume", "The volume slider does not work (tests VOLUME-01 to VOLUME-10).", certification),
      effect("cm/2.5.2/protocol-info", "Formats are missing or fail (tests PROT-01 and PROT-05).", certification),
    ])

  static let kazoo = ControllerProfile(
    "kazoo", "Kazoo",
    [
      effect(
        "uda/4.3/initial", "The speaker has no room, name and sources, which come from the first event.",
        "openhome/ohNet: the proxies of services read properties from events"),
      effect(
        "uda/4.3/initial-variables", "Parts of the speaker are missing, since they come from the first event.",
        "openhome/ohNet: the proxies of services read properties from events"),
      effect(
        "uda/1.3.3/older-version", "The speaker is not found, since services are searched for by version 1.",
        "openhome/ohNet: generated control point proxies"),
    ])

  static let musicAssistant = ControllerProfile(
    "music-assistant", "Music Assistant",
    [
      effect("uda/2.3/standard-service-ids", "The device is not offered as a player.", asyncUPnPClient),
      effect("uda/4.3/initial", "The player is updated only every 30 seconds.", musicAssistantPlayer),
      effect("avt/2.2/state", "The player is shown as idle while it plays.", musicAssistantPlayer),
      effect(
        "avt/2.4/actions", "Playback starts up to 10 seconds late, or Pause stops the track.", musicAssistantPlayer),
      effect("avt/2.2.29", "The progress bar is wrong.", musicAssistantPlayer),
      effect("rcs/2.2/volume-range", "The volume slider is scaled wrongly.", musicAssistantPlayer),
      effect(
        "rcs/2.3/volume-event", "The slider does not follow the device's own volume buttons.", musicAssistantPlayer),
    ])

  // MARK: Sources

  private static let asyncUPnPClient = "StevenLooman/async_upnp_client: async_upnp_client/profiles/dlna.py"
  private static let castaway = "schlarpc/castaway: docs/dlna-conformance.md"
  private static let kodiPlayer = "xbmc/xbmc: xbmc/network/upnp/UPnPPlayer.cpp"
  private static let musicAssistantPlayer = "music-assistant/server: music_assistant/providers/dlna/player.py"
  private static let certification = "Microsoft Windows Hardware Certification Kit, tests of digital media renderers"

  private static func effect(_ pattern: String, _ notice: String, _ source: String) -> Effect {
    Effect(pattern: pattern, notice: notice, source: source)
  }
}
