extension ControllerProfile {
  static let homeAssistant = ControllerProfile(
    "home-assistant", "Home Assistant",
    [
      effect("uda/2.3/standard-service-ids", "The device is not offered as a media player.", asyncUPnPClient),
      effect("uda/4.1.2/sid", "The media player stays unavailable.", castaway),
      effect(
        "uda/4.3/initial", "The media player shows no state, since an accepted subscription ends polling.", castaway),
      effect(
        "uda/4.3/declared-variables", "Older versions drop the whole event, with an error in the log.",
        "StevenLooman/async_upnp_client#32"),
      effect("avt/2.3/initial-state", "The media player shows no state until it changes.", asyncUPnPClient),
      effect("avt/2.3/last-change", "The state does not follow the device.", asyncUPnPClient),
      effect("avt/2.2/seek-modes", "There is no seek bar.", asyncUPnPClient),
      effect("avt/2.4/actions", "Buttons can do nothing, and playback can start 5 seconds late.", asyncUPnPClient),
      effect("avt/2.4/actions-listed", "Playback starts up to 5 seconds late, or not at all.", asyncUPnPClient),
      effect("avt/2.3/event-actions", "Buttons do nothing until the next event.", asyncUPnPClient),
      effect("avt/2.3/event-track", "The title and the picture are those of an earlier track.", asyncUPnPClient),
      effect("avt/2.3/events-equal-getters", "The state is wrong until the next event.", asyncUPnPClient),
      effect("avt/2.4/track-metadata", "The title is wrong or garbled.", "home-assistant/core#121369"),
      effect("avt/2.2/position-rises", "The progress bar is wrong.", asyncUPnPClient),
      effect("rcs/2.2/volume-range", "The volume slider is scaled wrongly.", asyncUPnPClient),
      effect("rcs/2.3/volume-event", "The slider does not follow the device's own volume buttons.", asyncUPnPClient),
      effect("rcs/2.3/mute-event", "The mute button does not follow the device.", asyncUPnPClient),
      effect(
        "oh/volume/percent", "The volume slider is scaled wrongly, since 100 counts as the maximum.", openHomeDevice),
      effect("oh/transport/state", "The device seems to play while it does not.", openHomeDevice),
      effect("oh/playlist/play", "Play does nothing.", openHomeDevice),
      effect("oh/playlist/pause", "Pause does nothing.", openHomeDevice),
      effect("oh/playlist/stop", "Stop does nothing.", openHomeDevice),
      effect("oh/playlist/next", "The button for the next track does nothing.", openHomeDevice),
      effect("oh/playlist/previous", "The button for the previous track does nothing.", openHomeDevice),
      effect("oh/radio/play", "Radio channels and announcements are not played.", openHomeDevice),
      effect("oh/radio/stop", "The radio cannot be stopped.", openHomeDevice),
      effect("oh/info/track", "The title and the picture are wrong.", openHomeDevice),
      effect(
        "oh/product/source-types", "The wrong buttons are offered, since they depend on the type of the source.",
        openHomeDevice),
      effect(
        "oh/service/getters", "The device can become unavailable, since one failed call ends an update.", openHomeDevice
      ),
    ])

  static let kodi = ControllerProfile(
    "kodi", "Kodi",
    [
      effect(
        "cm/2.3/plain-events",
        "Nothing can be played by versions before September 2026, which learn formats from this event.",
        "xbmc/xbmc#29130"),
      effect("cm/2.4/sink", "Nothing can be played: Kodi finds no format that the device accepts.", "xbmc/xbmc#29239"),
      effect("cm/2.5.2/protocol-info", "Some files are refused before they are sent.", "xbmc/xbmc#29239"),
      effect("avt/2.2/state", "Kodi gives up 10 seconds after the start, since it waits for PLAYING.", kodiPlayer),
      effect("avt/2.2.13/times", "Position and length are wrong.", kodiPlayer),
      effect("avt/2.4/stop-twice", "Older versions stop the device before they play, and give up.", "xbmc/xbmc#4232"),
      effect("avt/2.2/position-rises", "The progress bar is wrong.", kodiPlayer),
    ])

  static let bubbleUPnP = ControllerProfile(
    "bubbleupnp", "BubbleUPnP",
    [
      effect(
        "cm/2.4/sink", "Tracks are refused with “no compatible decoder found”.",
        "UniversalMediaServer/UniversalMediaServer#1320"),
      effect("cm/2.5.2/protocol-info", "Formats that the device plays are refused.", "hzeller/gmrender-resurrect#231"),
      effect("avt/2.2/position-rises", "The progress bar is wrong, since BubbleUPnP polls the position.", castaway),
      effect("avt/2.2.13/times", "Position and length are wrong.", castaway),
    ])

  static let windows = ControllerProfile(
    "windows", "Windows",
    [
      effect(
        "avt/2.3/last-change", "Certification test EVENT-01 fails: the state is not evented as expected.", certification
      ),
      effect(
        "rcs/2.3/last-change", "Certification test EVENT-01 fails: the volume is not evented as expected.",
        certification),
      effect(
        "avt/2.4/set-while-playing", "Certification test SETAVT-01 fails: the next file does not start.", certification),
      effect("avt/2.4/end", "Certification test EOS-01 fails: the end of a file is not noticed.", certification),
      effect("avt/2.4/error-event", "Certification test ERROR-01 fails: an error is not noticed.", certification),
      effect(
        "avt/2.4/seek-paused", "Certification test SEEK-15 fails: a paused device plays on from the wrong position.",
        certification),
      effect(
        "rcs/2.4/volume", "Certification tests VOLUME-01 to VOLUME-10 fail: the volume cannot be set.", certification),
      effect(
        "cm/2.5.2/protocol-info",
        "Certification tests PROT-01 and PROT-05 fail: formats are missing or cannot be played.", certification),
    ])

  static let kazoo = ControllerProfile(
    "kazoo", "Kazoo",
    [
      effect(
        "uda/4.3/initial", "The speaker has no room, name and sources, which come from the first event.",
        ohNet),
      effect(
        "uda/4.3/initial-variables", "Parts of the speaker are missing, since they come from the first event.",
        ohNet),
      effect("oh/service/older-version", "A service seems to be missing, since version 1 is asked for.", ohNet),
      effect("oh/product/source-event", "The source shown is an earlier one.", ohNet),
      effect("oh/volume/volume-event", "The volume shown is an earlier one.", ohNet),
      effect("oh/playlist/id-array-event", "Tracks that others have added or removed do not show.", ohNet),
      effect("oh/playlist/read-list", "Tracks of the queue are missing.", ohNet),
      effect("oh/playlist/round-trip", "Titles are wrong or garbled.", ohNet),
      effect("oh/playlist/play", "The button to play shows the wrong state.", ohNet),
      effect("oh/playlist/seek-id", "A track that is tapped does not play, or another one is marked.", ohNet),
      effect("oh/playlist/repeat-event", "The button to repeat shows the wrong state.", ohNet),
      effect("oh/playlist/shuffle-event", "The button to shuffle shows the wrong state.", ohNet),
      effect("oh/radio", "Radio stations are missing, or do not play.", ohNet),
      effect("oh/receiver", "The speaker cannot be grouped with others.", ohNet),
      effect("oh/sender", "What the speaker plays cannot be heard on others.", ohNet),
      effect("oh/info/one-event", "The title changes before or after the picture.", ohNet),
      effect("oh/info", "The title shown is not that of the track.", ohNet),
      effect("oh/time", "The progress bar is wrong.", ohNet),
      effect("oh/product/attributes", "Parts of the speaker, such as its volume, are not offered.", ohNet),
      effect(
        "uda/1.3.3/older-version", "The speaker is not found, since services are searched for by version 1.",
        ohNet),
    ])

  static let musicAssistant = ControllerProfile(
    "music-assistant", "Music Assistant",
    [
      effect("uda/2.3/standard-service-ids", "The device is not offered as a player.", asyncUPnPClient),
      effect("uda/4.3/initial", "The player is updated only every 30 seconds.", musicAssistantPlayer),
      effect("avt/2.2/state", "The player is shown as idle while it plays.", musicAssistantPlayer),
      effect(
        "avt/2.4/actions", "Playback starts up to 10 seconds late, or Pause stops the track.", musicAssistantPlayer),
      effect("avt/2.2/position-rises", "The progress bar is wrong.", musicAssistantPlayer),
      effect("rcs/2.2/volume-range", "The volume slider is scaled wrongly.", musicAssistantPlayer),
      effect(
        "rcs/2.3/volume-event", "The slider does not follow the device's own volume buttons.", musicAssistantPlayer),
    ])

  // MARK: Sources

  private static let asyncUPnPClient = "StevenLooman/async_upnp_client: async_upnp_client/profiles/dlna.py"
  private static let castaway = "schlarpc/castaway: docs/dlna-conformance.md"
  private static let openHomeDevice = "home-assistant/core: homeassistant/components/openhome/media_player.py"
  private static let ohNet = "openhome/ohNet: the generated proxies of services, which read properties from events"
  private static let kodiPlayer = "xbmc/xbmc: xbmc/network/upnp/UPnPPlayer.cpp"
  private static let musicAssistantPlayer = "music-assistant/server: music_assistant/providers/dlna/player.py"
  private static let certification = "Microsoft Windows Hardware Certification Kit, tests of digital media renderers"

  private static func effect(_ pattern: String, _ notice: String, _ source: String) -> Effect {
    Effect(pattern: pattern, notice: notice, source: source)
  }
}
