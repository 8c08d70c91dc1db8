// swift-format-ignore-file

extension PeerResult {
  /// Results of known renderers, in the format of ``read(_:)``.
  public static let all = read(
    #"""
    peer gmediarender 0.1
    pass uda/1.3.3/own-targets uda/1.3.3/all uda/1.3.3/st uda/1.3.3/usn uda/1.3.3/location uda/1.3.3/cache-control
    pass uda/1.3.3/ext uda/1.3.3/server uda/1.3.2/mx-empty uda/1.3.2/mx-negative uda/1.3.2/mx-text
    pass uda/1.3.2/man-missing uda/1.3.2/man-other uda/1.3.2/st-missing uda/1.3.2/st-empty uda/1.3.2/st-unknown
    pass uda/1.3.2/other-udn uda/1.3.2/other-type uda/1.3.2/newer-version uda/1.3.2/request-uri uda/1.3.2/http-version
    pass uda/2.3/well-formed uda/2.3/namespace uda/2.3/spec-version uda/2.3/required-elements uda/2.3/friendly-name
    pass uda/2.3/service-ids uda/2.3/standard-service-ids uda/2.3/urls uda/2.11/content-type rfc9110/9.3.2/head
    pass uda/2.3/icons-load uda/2.3/icon-size uda/2.5/readable uda/2.5/well-formed uda/2.5/namespace
    pass uda/2.5/related-variable uda/2.5/unique-names uda/2.5/argument-order uda/2.5/data-type uda/2.5/range
    pass uda/2.5/default uda/2.5/allowed-values uda/2.5/declared-works uda/2.5/output-order uda/2.5/output-values
    pass rfc9110/15.5.6/method rfc9112/7.1/chunked-request rfc9112/9.6/close rfc9112/9.3/keep-alive
    pass rfc9112/9.3.2/pipelining rfc9112/6.1/http10-chunked rfc9112/6.3/length http/header-case
    pass rfc9110/10.1.1/expect-continue http/large-header http/split-request http/garbage uda/3.2.2/fault
    pass uda/3.2.1/wrong-service uda/3.2.1/malformed uda/3.2.1/prefixes uda/3.2.1/comments uda/3.2.2/response
    pass uda/3.2.2/content-type uda/3.2.2/ext uda/3.2.1/argument-order uda/4.1.2/sid uda/4.1.2/timeout
    pass uda/4.1.2/two-subscribers uda/4.1.2/renewal uda/4.1.3/unsubscribe uda/4.3/initial uda/4.3/initial-seq
    pass uda/4.3/headers uda/4.3/property-set uda/4.3/content-type uda/4.1.1/no-callback uda/4.1.1/other-nt
    pass uda/4.1.2/unknown-sid uda/4.1.2/sid-and-callback uda/4.1.3/unknown-sid uda/4.1.3/no-sid uda/4.1.3/sid-and-nt
    pass rcs/2.2/volume-range rcs/2.4/volume rcs/2.4/mute rcs/2.4/mute-words rcs/2.4/mute-keeps-volume
    pass rcs/2.3/last-change rcs/2.3/channel rcs/2.3/volume-event rcs/2.3/mute-event uda/4.3/seq-rises cm/2.4/sink
    pass cm/2.5.2/protocol-info cm/2.4/connection-ids cm/2.4/connection-info avt/2.2/state avt/2.2/allowed-states
    pass avt/2.2/seek-modes avt/2.2/counters avt/2.4/track-in-media avt/2.4/no-media avt/2.3/last-change
    pass avt/2.3/initial-state avt/2.4/actions-work avt/2.4/play avt/2.4/play-twice avt/2.4/pause avt/2.4/pause-twice
    pass avt/2.4/stop-twice avt/2.4/stop-releases avt/2.4/current-uri avt/2.4/track-uri avt/2.4/track-metadata
    pass avt/2.4/uri-query avt/2.4/no-metadata avt/2.4/clear-uri avt/2.4/set-while-playing avt/2.4/metadata-entities
    pass avt/2.4/metadata-cdata avt/2.4/metadata-characters avt/2.3/event-playing avt/2.3/event-paused
    pass avt/2.3/event-stopped avt/2.3/event-end avt/2.3/event-uri avt/2.3/event-track avt/2.3/event-actions
    pass avt/2.3/events-equal-getters avt/2.2/position-rises avt/2.2/position-pauses avt/2.2/position-resumes
    pass avt/2.2/position-restarts avt/2.2/times-playing avt/2.2/absolute-position avt/2.2/track-duration
    pass avt/2.2/one-track avt/2.4/seek-relative avt/2.4/seek-start avt/2.4/seek-two-digit-hours avt/2.4/seek-fraction
    pass avt/2.4/seek-paused avt/2.4/seek-near-end avt/2.4/hanging-getters avt/2.4/hanging-stop
    fail uda/1.3.3/max-age 100
    fail uda/2.3/udn "uuid:GMediaRender-1_0-000-000-002"
    fail uda/2.5/required-actions no AVTransport.Next; no AVTransport.Previous; no RenderingControl.SelectPreset
    fail uda/2.5/outputs GetDeviceCapabilities returned nothing; GetTransportSettings returned nothing; GetVolumeDB returned CurrentVolumeDB
    fail rfc9110/15.5.5/not-found 500
    fail uda/3.2.2/unknown-action error 501
    fail uda/3.2.2/missing-argument error 501
    fail uda/3.2.2/wrong-type success
    fail avt/2.4/instance success
    fail rcs/2.4/instance success
    fail rcs/2.4/channel success
    fail uda/3.2.1/byte-order-mark status 400 without a UPnPError
    fail uda/3.2.1/unquoted-soapaction status 400 without a UPnPError
    fail uda/4.3/initial-variables no ConnectionManager.SinkProtocolInfo; no ConnectionManager.SourceProtocolInfo; no ConnectionManager.CurrentConnectionIDs
    fail uda/4.3/declared-variables ConnectionManager.LastChange
    fail uda/4.3/event-equals-getter PlaybackStorageMedium "UNKNOWN" and PlayMedium "NOT_IMPLEMENTED"
    fail uda/4.1.1/no-nt 400
    fail uda/4.1.1/callback-scheme 200
    fail uda/4.1.1/foreign-callback 200
    fail rcs/2.4/volume-out-of-range success
    fail rcs/2.4/presets ""
    fail rcs/2.4/volume-db ""
    fail cm/2.4/unknown-connection success
    fail cm/2.3/plain-events no SourceProtocolInfo; no SinkProtocolInfo; no CurrentConnectionIDs
    fail avt/2.2.13/times MediaDuration ""
    fail avt/2.4/capabilities an empty text
    fail avt/2.4/actions "PLAY"
    fail avt/2.3/no-positions RelativeCounterPosition; RelativeTimePosition; AbsoluteTimePosition; AbsoluteCounterPosition
    fail avt/2.4/grid error 501 for Play in STOPPED
    fail avt/2.4/actions-listed PLAY,SEEK
    fail avt/2.4/end PLAYING
    fail avt/2.4/play-after-end error 501
    fail avt/2.4/unknown-instance success
    fail avt/2.4/unlisted-speed success
    fail avt/2.4/invalid-speed success
    fail avt/2.4/metadata-large status 413 without a UPnPError
    fail avt/2.3/moderation 19
    fail avt/2.2/media-duration ""
    fail avt/2.4/seek-absolute 0:00:13
    fail avt/2.4/seek-track 0:00:13
    fail avt/2.4/seek-beyond-end PLAYING
    fail avt/2.4/seek-target success
    fail avt/2.4/seek-modes success
    fail avt/2.4/not-found PLAYING and OK
    fail avt/2.4/unplayable PLAYING and OK
    fail avt/2.4/empty-file PLAYING and OK
    fail avt/2.4/server-error PLAYING and OK
    fail avt/2.4/unreachable PLAYING and OK
    fail avt/2.4/recovers PLAYING and OK
    fail avt/2.4/error-event PLAYING and OK
    peer rygel 0.42.1
    pass uda/1.3.3/own-targets uda/1.3.3/older-version uda/1.3.3/all uda/1.3.3/st uda/1.3.3/usn uda/1.3.3/location
    pass uda/1.3.3/cache-control uda/1.3.3/max-age uda/1.3.3/ext uda/1.3.3/server uda/1.3.2/mx-empty
    pass uda/1.3.2/mx-negative uda/1.3.2/mx-text uda/1.3.2/man-missing uda/1.3.2/man-other uda/1.3.2/st-missing
    pass uda/1.3.2/st-empty uda/1.3.2/st-unknown uda/1.3.2/other-udn uda/1.3.2/other-type uda/1.3.2/newer-version
    pass uda/1.3.2/request-uri uda/1.3.2/http-version uda/2.3/well-formed uda/2.3/namespace uda/2.3/spec-version
    pass uda/2.3/required-elements uda/2.3/udn uda/2.3/friendly-name uda/2.3/service-ids uda/2.3/standard-service-ids
    pass uda/2.3/urls uda/2.11/content-type rfc9110/9.3.2/head uda/2.3/icons-load uda/2.3/icon-size uda/2.5/readable
    pass uda/2.5/well-formed uda/2.5/namespace uda/2.5/related-variable uda/2.5/unique-names uda/2.5/argument-order
    pass uda/2.5/data-type uda/2.5/range uda/2.5/default uda/2.5/allowed-values uda/2.5/required-actions
    pass uda/2.5/declared-works uda/2.5/outputs uda/2.5/output-order uda/2.5/output-values rfc9110/15.5.5/not-found
    pass rfc9110/15.5.6/method rfc9112/7.1/chunked-request rfc9112/9.6/close rfc9112/9.3/keep-alive
    pass rfc9112/9.3.2/pipelining rfc9112/6.1/http10-chunked rfc9112/6.3/length http/header-case
    pass rfc9110/10.1.1/expect-continue http/large-header http/split-request http/garbage uda/3.2.2/unknown-action
    pass uda/3.2.2/missing-argument uda/3.2.2/wrong-type uda/3.2.2/fault uda/3.2.1/malformed avt/2.4/instance
    pass rcs/2.4/instance rcs/2.4/channel uda/3.2.1/prefixes uda/3.2.1/comments uda/3.2.1/byte-order-mark
    pass uda/3.2.1/unquoted-soapaction uda/3.2.2/response uda/3.2.2/content-type uda/3.2.2/ext uda/3.2.1/argument-order
    pass uda/4.1.2/sid uda/4.1.2/timeout uda/4.1.2/two-subscribers uda/4.1.2/renewal uda/4.1.3/unsubscribe
    pass uda/4.3/initial uda/4.3/initial-seq uda/4.3/initial-variables uda/4.3/declared-variables uda/4.3/headers
    pass uda/4.3/property-set uda/4.3/content-type uda/4.3/event-equals-getter uda/4.1.1/no-callback uda/4.1.1/no-nt
    pass uda/4.1.1/other-nt uda/4.1.1/callback-scheme uda/4.1.2/unknown-sid uda/4.1.2/sid-and-callback
    pass uda/4.1.3/unknown-sid uda/4.1.3/no-sid uda/4.1.3/sid-and-nt uda/4.1.1/foreign-callback rcs/2.2/volume-range
    pass rcs/2.4/volume rcs/2.4/mute rcs/2.4/mute-words rcs/2.4/mute-keeps-volume rcs/2.4/presets
    pass rcs/2.4/unknown-preset rcs/2.3/last-change rcs/2.3/channel rcs/2.3/volume-event rcs/2.3/mute-event
    pass uda/4.3/seq-rises cm/2.4/sink cm/2.5.2/protocol-info cm/2.4/connection-ids cm/2.4/connection-info
    pass cm/2.4/unknown-connection cm/2.3/plain-events avt/2.2/state avt/2.2/allowed-states avt/2.2/seek-modes
    pass avt/2.2.13/times avt/2.2/counters avt/2.4/track-in-media avt/2.4/no-media avt/2.4/capabilities
    pass avt/2.4/play-mode avt/2.4/unknown-play-mode avt/2.4/actions avt/2.3/last-change avt/2.3/initial-state
    pass avt/2.3/no-positions avt/2.4/actions-work avt/2.4/actions-listed avt/2.4/play avt/2.4/play-twice avt/2.4/pause
    pass avt/2.4/pause-twice avt/2.4/stop-twice avt/2.4/stop-releases avt/2.4/end avt/2.4/play-after-end
    pass avt/2.4/next-alone avt/2.4/previous-alone avt/2.4/unknown-instance avt/2.4/invalid-speed avt/2.4/current-uri
    pass avt/2.4/track-uri avt/2.4/track-metadata avt/2.4/uri-query avt/2.4/no-metadata avt/2.4/clear-uri
    pass avt/2.4/set-while-playing avt/2.4/metadata-cdata avt/2.4/metadata-characters avt/2.4/metadata-large
    pass avt/2.3/event-playing avt/2.3/event-paused avt/2.3/event-stopped avt/2.3/event-end avt/2.3/event-uri
    pass avt/2.3/event-track avt/2.3/event-actions avt/2.3/events-equal-getters avt/2.3/moderation
    pass avt/2.2/position-rises avt/2.2/position-pauses avt/2.2/position-resumes avt/2.2/position-restarts
    pass avt/2.2/times-playing avt/2.2/absolute-position avt/2.2/track-duration avt/2.2/media-duration
    pass avt/2.2/one-track avt/2.4/seek-relative avt/2.4/seek-absolute avt/2.4/seek-start avt/2.4/seek-two-digit-hours
    pass avt/2.4/seek-fraction avt/2.4/seek-paused avt/2.4/seek-near-end avt/2.4/seek-beyond-end avt/2.4/not-found
    pass avt/2.4/server-error avt/2.4/unreachable avt/2.4/recovers avt/2.4/error-event
    fail uda/3.2.1/wrong-service success
    fail rcs/2.4/volume-out-of-range error 501
    fail avt/2.4/grid nothing within 10.0 seconds
    fail avt/2.4/unlisted-speed success
    fail avt/2.4/metadata-entities 454 bytes, with "cted="1"><dc:title>& <b> "q" &amp;</dc:title><upnp:class>obj"
    fail avt/2.4/seek-track 0:00:13.123
    fail avt/2.4/seek-target success
    fail avt/2.4/seek-modes error 701
    fail avt/2.4/unplayable STOPPED and OK
    fail avt/2.4/empty-file STOPPED and OK
    fail avt/2.4/hanging-getters nothing within 10.0 seconds
    fail avt/2.4/hanging-stop nothing within 10.0 seconds
    peer kodi 20.1
    pass uda/1.3.3/own-targets uda/1.3.3/all uda/1.3.3/st uda/1.3.3/usn uda/1.3.3/location uda/1.3.3/cache-control
    pass uda/1.3.3/max-age uda/1.3.3/ext uda/1.3.3/server uda/1.3.3/bootid uda/1.3.2/mx-missing uda/1.3.2/mx-empty
    pass uda/1.3.2/mx-negative uda/1.3.2/mx-text uda/1.3.2/man-missing uda/1.3.2/man-other uda/1.3.2/st-missing
    pass uda/1.3.2/st-empty uda/1.3.2/st-unknown uda/1.3.2/other-udn uda/1.3.2/other-type uda/1.3.2/newer-version
    pass uda/1.3.2/request-uri uda/1.3.2/http-version uda/2.3/well-formed uda/2.3/namespace uda/2.3/spec-version
    pass uda/2.3/required-elements uda/2.3/udn uda/2.3/friendly-name uda/2.3/service-ids uda/2.3/standard-service-ids
    pass uda/2.3/urls uda/2.11/content-type rfc9110/9.3.2/head uda/2.3/icons-load uda/2.3/icon-size uda/2.5/readable
    pass uda/2.5/well-formed uda/2.5/namespace uda/2.5/related-variable uda/2.5/unique-names uda/2.5/argument-order
    pass uda/2.5/data-type uda/2.5/range uda/2.5/default uda/2.5/allowed-values uda/2.5/required-actions
    pass uda/2.5/declared-works uda/2.5/outputs uda/2.5/output-order uda/2.5/output-values rfc9110/15.5.5/not-found
    pass rfc9110/15.5.6/method rfc9112/7.1/chunked-request rfc9112/9.6/close rfc9112/9.3/keep-alive
    pass rfc9112/9.3.2/pipelining rfc9112/6.1/http10-chunked rfc9112/6.3/length http/header-case
    pass rfc9110/10.1.1/expect-continue http/large-header http/split-request http/garbage uda/3.2.2/unknown-action
    pass uda/3.2.2/missing-argument uda/3.2.2/wrong-type uda/3.2.2/fault uda/3.2.1/wrong-service uda/3.2.1/malformed
    pass avt/2.4/instance rcs/2.4/instance uda/3.2.1/prefixes uda/3.2.1/comments uda/3.2.1/byte-order-mark
    pass uda/3.2.1/unquoted-soapaction uda/3.2.2/response uda/3.2.2/content-type uda/3.2.2/ext uda/3.2.1/argument-order
    pass uda/4.1.2/sid uda/4.1.2/timeout uda/4.1.2/two-subscribers uda/4.1.2/renewal uda/4.1.3/unsubscribe
    pass uda/4.3/initial uda/4.3/initial-seq uda/4.3/initial-variables uda/4.3/declared-variables uda/4.3/headers
    pass uda/4.3/property-set uda/4.3/content-type uda/4.3/event-equals-getter uda/4.1.1/no-callback uda/4.1.1/no-nt
    pass uda/4.1.1/other-nt uda/4.1.2/unknown-sid uda/4.1.2/sid-and-callback uda/4.1.3/unknown-sid uda/4.1.3/no-sid
    pass uda/4.1.3/sid-and-nt rcs/2.2/volume-range rcs/2.4/volume rcs/2.4/mute rcs/2.4/mute-words
    pass rcs/2.4/mute-keeps-volume rcs/2.4/presets rcs/2.4/unknown-preset rcs/2.3/last-change rcs/2.3/channel
    pass rcs/2.3/volume-event rcs/2.3/mute-event uda/4.3/seq-rises cm/2.4/sink cm/2.5.2/protocol-info
    pass cm/2.4/connection-ids cm/2.4/connection-info cm/2.4/unknown-connection cm/2.3/plain-events avt/2.2/state
    pass avt/2.2/allowed-states avt/2.2/seek-modes avt/2.2.13/times avt/2.2/counters avt/2.4/track-in-media
    pass avt/2.4/no-media avt/2.4/capabilities avt/2.4/actions avt/2.3/last-change avt/2.3/initial-state
    pass avt/2.3/no-positions avt/2.4/actions-listed avt/2.4/stop-twice avt/2.4/end avt/2.4/play-after-end
    pass avt/2.4/unknown-instance avt/2.4/current-uri avt/2.4/uri-query avt/2.4/no-metadata avt/2.4/clear-uri
    pass avt/2.4/set-while-playing avt/2.4/metadata-entities avt/2.4/metadata-cdata avt/2.4/metadata-characters
    pass avt/2.4/metadata-large avt/2.3/event-playing avt/2.3/event-paused avt/2.3/event-stopped avt/2.3/event-end
    pass avt/2.3/event-uri avt/2.3/event-track avt/2.3/event-actions avt/2.3/events-equal-getters avt/2.3/moderation
    pass avt/2.2/position-resumes avt/2.2/position-restarts avt/2.2/times-playing avt/2.2/absolute-position
    pass avt/2.2/track-duration avt/2.2/media-duration avt/2.2/one-track avt/2.4/seek-relative avt/2.4/seek-start
    pass avt/2.4/seek-two-digit-hours avt/2.4/seek-fraction avt/2.4/hanging-getters
    fail uda/1.3.3/unicast none to three unicast searches
    fail uda/2.3/presentation none (connection reset (error set): Connection refused) (errno: 111))
    fail rcs/2.4/channel error 701
    fail uda/4.1.1/callback-scheme 200
    fail uda/4.1.1/foreign-callback 200
    fail rcs/2.4/volume-out-of-range success
    fail rcs/2.4/volume-db error 501
    fail avt/2.4/play-mode error 501
    fail avt/2.4/unknown-play-mode error 701
    inconclusive avt/2.3/play-mode-event The device does not set CurrentPlayMode to "NORMAL".
    fail avt/2.4/grid nothing within 10.0 seconds
    fail avt/2.4/actions-work nothing within 10.0 seconds
    fail avt/2.4/play none
    fail avt/2.4/play-twice 00:00:00
    fail avt/2.4/pause nothing within 10.0 seconds
    fail avt/2.4/pause-twice nothing within 10.0 seconds
    fail avt/2.4/stop-releases none
    fail avt/2.4/next-alone success
    fail avt/2.4/previous-alone success
    fail avt/2.4/unlisted-speed error 701
    fail avt/2.4/invalid-speed error 701
    fail avt/2.4/track-uri http://198.51.100.1:PORT/ID/tone.wav
    fail avt/2.4/track-metadata "Conformance test"
    fail avt/2.2/position-rises 0:00:03 and then 0:00:02
    fail avt/2.2/position-pauses 00:00:00
    fail avt/2.4/seek-paused PLAYING
    fail avt/2.4/seek-track 00:00:13
    fail avt/2.4/seek-near-end PLAYING
    fail avt/2.4/seek-beyond-end PLAYING
    fail avt/2.4/seek-target error 501
    fail avt/2.4/seek-modes error 701
    fail avt/2.4/not-found STOPPED and OK
    fail avt/2.4/unplayable STOPPED and OK
    fail avt/2.4/empty-file STOPPED and OK
    fail avt/2.4/server-error STOPPED and OK
    fail avt/2.4/unreachable STOPPED and OK
    fail avt/2.4/recovers STOPPED and OK
    fail avt/2.4/error-event STOPPED and OK
    fail avt/2.4/hanging-stop none
    """#)
}
