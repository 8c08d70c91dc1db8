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
    pass avt/2.3/initial-state avt/2.4/grid avt/2.4/actions-work avt/2.4/play avt/2.4/play-twice avt/2.4/pause
    pass avt/2.4/pause-twice avt/2.4/stop-twice avt/2.4/stop-releases avt/2.4/end avt/2.4/rapid-changes
    pass avt/2.4/current-uri avt/2.4/track-uri avt/2.4/track-metadata avt/2.4/uri-query avt/2.4/no-metadata
    pass avt/2.4/clear-uri avt/2.4/set-while-playing avt/2.4/metadata-entities avt/2.4/metadata-cdata
    pass avt/2.4/metadata-characters avt/2.3/event-playing avt/2.3/event-paused avt/2.3/event-stopped avt/2.3/event-end
    pass avt/2.3/event-uri avt/2.3/event-track avt/2.3/event-actions avt/2.3/events-equal-getters
    pass avt/2.2/position-rises avt/2.2/position-pauses avt/2.2/position-resumes avt/2.2/position-restarts
    pass avt/2.2/times-playing avt/2.2/absolute-position avt/2.2/track-duration avt/2.2/one-track avt/2.4/seek-relative
    pass avt/2.4/seek-start avt/2.4/seek-two-digit-hours avt/2.4/seek-fraction avt/2.4/seek-paused avt/2.4/seek-at-once
    pass avt/2.4/seek-burst avt/2.4/seek-near-end avt/2.4.2/next-prefetched avt/2.4.2/join avt/2.4.2/current-after-join
    pass avt/2.4.2/next-cleared avt/2.4.2/join-events avt/2.4.2/same-uri-twice avt/2.4.2/join-formats
    pass avt/2.4.2/join-rates avt/2.4.2/next-reported avt/2.4.2/next-without-effect avt/2.4.2/next-cleared-by-empty
    pass avt/2.4.2/next-replaced avt/2.4.2/stop-with-next avt/2.4.2/seek-keeps-next avt/2.4.2/next-while-stopped
    pass cm/2.4.1/plays-wav cm/2.4.1/plays-flac cm/2.4.1/plays-mp3 cm/2.4.1/plays-mp4 cm/2.4.1/plays-vorbis
    pass cm/2.4.1/plays-opus cm/2.4.1/plays-aiff cm/2.4.1/rates http/redirects http/redirect-codes http/no-ranges
    pass http/chunked http/no-length http/no-head http/octet-stream http/text-plain http/no-type http/slow-answer
    pass http/slow-server http/stall http/reset http/ends-early http/resumes http/endless http/icy
    pass http/released-after-change http/connections http/pause rfc9112/3.2/media-host rfc9110/10.1.5/media-user-agent
    pass rfc9110/14.1.1/media-range http/start-time share/cause/rcs/volume share/cause/rcs/mute share/cause/avt/uri
    pass share/cause/avt/play share/cause/avt/pause share/cause/avt/stop share/oracle/settings share/oracle/playback
    pass uda/1.3.3/all-pairs uda/1.3.3/within-mx uda/1.3.3/udn-usn uda/1.3.2/header-case uda/1.3.2/unknown-headers
    pass rfc9112/3.2.2/absolute-form rfc9112/2.2/empty-line rfc9112/5.1/no-blank rfc9110/13.1.2/if-none-match
    pass uda/2.11/accept-language rfc9110/14.2/range rfc9110/5.1/unknown-header rfc9112/7.1.1/chunk-extension
    pass http/half-closed http/byte-by-byte http/many-callers uda/3.2.1/cdata uda/3.2.1/character-reference
    pass uda/3.2.1/default-namespace uda/3.2.1/single-quotes uda/3.2.1/no-declaration uda/3.2.1/processing-instruction
    pass uda/3.2.2/extra-argument uda/3.2.2/duplicate-argument uda/4.1.2/callback-bytes uda/4.1.2/second-callback
    pass uda/4.1.2/same-callback uda/4.1.2/no-timeout uda/4.1.2/long-timeout uda/4.1.2/event-after-answer
    pass uda/4.1/independent uda/4.3/black-hole uda/4.3/412-ends uda/4.3/no-change rcs/2.4/every-volume
    pass rcs/2.4/volume-burst rcs/2.4/volume-db-unit rcs/2.4/listed-channels cm/2.5.2/dlna-parameters
    pass cm/2.5.2/separators cm/2.5.2/unique cm/2.5.2/network cm/2.5.2/l16 cm/2.4/connection-protocol
    pass avt/2.4.1/title-markup avt/2.4.1/title-unicode avt/2.4.1/title-right-to-left avt/2.4.1/title-emoji
    pass avt/2.4.1/title-cdata avt/2.4.1/title-references avt/2.4.1/title-long avt/2.4.1/metadata-identical
    pass avt/2.4.1/metadata-not-implemented avt/2.4.1/unknown-elements avt/2.4.1/several-resources
    pass avt/2.4.1/duration-forms avt/2.4.1/malformed-metadata avt/2.3/metadata-event avt/2.4/hanging-getters
    pass avt/2.4/hanging-stop
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
    fail uda/4.3/event-equals-getter AVTransport.PlaybackStorageMedium "UNKNOWN" instead of "NOT_IMPLEMENTED"
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
    fail avt/2.4/actions-listed PLAY,SEEK
    fail avt/2.4/play-after-end error 501
    fail avt/2.4/unknown-instance success
    fail avt/2.4/unlisted-speed success
    fail avt/2.4/invalid-speed success
    fail avt/2.4/metadata-large status 413 without a UPnPError
    fail avt/2.3/moderation 20
    fail avt/2.2/media-duration ""
    fail avt/2.4/seek-absolute 0:00:05
    fail avt/2.4/seek-track 0:00:07
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
    fail avt/2.4.2/join-on-time one 1346 ms before it
    fail avt/2.4.2/next-dropped the file that had been staged before
    fail avt/2.4.2/next-missing PLAYING
    fail cm/2.4.1/plays-linear audio/L16;rate=44100;channels=2: PLAYING without progress
    fail http/redirect-loop PLAYING without progress
    fail http/gone-before-play PLAYING without progress
    fail http/html PLAYING without progress
    fail avt/2.4.1/playlist-m3u PLAYING without progress
    fail avt/2.4.1/playlist-pls PLAYING without progress
    fail rfc9112/3.2/no-host 200
    fail rfc9112/3.2/two-hosts 200
    fail rfc9112/3.2/invalid-host 200
    fail rfc9112/3.2/http10-host another document
    fail rfc9110/9.1/unknown-method the status line is "HTTP/0.0 501 Not Implemented"
    fail rfc9110/15.5.6/allow the status line is "HTTP/0.0 501 Not Implemented"
    fail uda/3.2.1/soap-header status 400 without a UPnPError
    fail uda/3.2.2/empty-number success
    fail uda/3.2.2/negative-number success
    fail uda/3.2.2/number-overflow success
    fail uda/3.2.2/fraction success
    fail uda/3.2.2/other-argument error 501
    fail uda/3.2.2/every-missing-argument error 501 for GetCurrentTransportActions; error 501 for GetBlueVideoBlackLevel; error 501 for GetDeviceCapabilities; error 501 for GetCurrentConnectionInfo; error 501 for GetBlueVideoGain; and 20 more
    fail uda/3.2.2/wrong-volume success
    fail uda/3.2.2/wrong-boolean success
    fail rcs/2.3/moderation 30
    fail rcs/2.4/volume-db-rises ""
    fail rcs/2.4/set-volume-db ""
    fail cm/2.4/prepare PrepareForConnection alone
    fail avt/2.4.8/track-metadata "Conformance test"
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
    pass avt/2.3/event-track avt/2.3/event-actions avt/2.3/events-equal-getters avt/2.2/position-rises
    pass avt/2.2/position-pauses avt/2.2/position-resumes avt/2.2/position-restarts avt/2.2/times-playing
    pass avt/2.2/absolute-position avt/2.2/track-duration avt/2.2/media-duration avt/2.2/one-track
    pass avt/2.4/seek-relative avt/2.4/seek-absolute avt/2.4/seek-start avt/2.4/seek-two-digit-hours
    pass avt/2.4/seek-fraction avt/2.4/seek-paused avt/2.4/seek-at-once avt/2.4/seek-burst avt/2.4/seek-near-end
    pass avt/2.4/seek-beyond-end avt/2.4/seek-modes avt/2.4/not-found avt/2.4/server-error avt/2.4/unreachable
    pass avt/2.4/recovers avt/2.4/error-event avt/2.4.2/join-on-time avt/2.4.2/join avt/2.4.2/current-after-join
    pass avt/2.4.2/next-cleared avt/2.4.2/join-events avt/2.4.2/same-uri-twice avt/2.4.2/join-formats
    pass avt/2.4.2/join-rates avt/2.4.2/next-reported avt/2.4.2/next-without-effect avt/2.4.2/next-cleared-by-empty
    pass avt/2.4.2/next-replaced avt/2.4.2/stop-with-next avt/2.4.2/next-missing avt/2.4.12/next-plays-staged
    pass avt/2.4.2/seek-keeps-next avt/2.4.2/next-while-stopped cm/2.4.1/plays-wav cm/2.4.1/plays-flac
    pass cm/2.4.1/plays-mp3 cm/2.4.1/plays-aac cm/2.4.1/plays-mp4 cm/2.4.1/plays-vorbis cm/2.4.1/plays-linear
    pass cm/2.4.1/rates http/redirects http/redirect-codes http/no-ranges http/chunked http/no-length http/slow-answer
    pass http/slow-server http/stall http/reset http/redirect-loop http/gone-before-play http/ends-early http/resumes
    pass http/endless http/icy http/released-after-change http/connections http/pause avt/2.4.1/playlist-pls
    pass rfc9112/3.2/media-host rfc9110/10.1.5/media-user-agent rfc9110/14.1.1/media-range http/start-time
    pass share/cause/rcs/volume share/cause/rcs/mute share/cause/avt/uri share/cause/avt/play share/cause/avt/pause
    pass share/cause/avt/stop share/oracle/settings share/oracle/playback uda/1.3.3/all-pairs uda/1.3.3/within-mx
    pass uda/1.3.3/udn-usn uda/1.3.2/header-case uda/1.3.2/unknown-headers rfc9112/3.2/no-host rfc9112/3.2/invalid-host
    pass rfc9112/3.2/http10-host rfc9112/3.2.2/absolute-form rfc9112/2.2/empty-line rfc9112/5.1/no-blank
    pass rfc9110/13.1.2/if-none-match uda/2.11/accept-language rfc9110/14.2/range rfc9110/5.1/unknown-header
    pass rfc9110/9.1/unknown-method rfc9110/15.5.6/allow rfc9112/7.1.1/chunk-extension http/half-closed
    pass http/byte-by-byte http/many-callers uda/3.2.1/cdata uda/3.2.1/character-reference uda/3.2.1/default-namespace
    pass uda/3.2.1/single-quotes uda/3.2.1/no-declaration uda/3.2.1/processing-instruction uda/3.2.1/soap-header
    pass uda/3.2.2/negative-number uda/3.2.2/number-overflow uda/3.2.2/fraction uda/3.2.2/other-argument
    pass uda/3.2.2/every-missing-argument uda/3.2.2/extra-argument uda/3.2.2/duplicate-argument
    pass uda/4.1.2/second-callback uda/4.1.2/same-callback uda/4.1.2/no-timeout uda/4.1.2/long-timeout
    pass uda/4.1.2/event-after-answer uda/4.1/independent uda/4.3/black-hole uda/4.3/412-ends rcs/2.3/moderation
    pass rcs/2.4/every-volume rcs/2.4/volume-burst rcs/2.4/listed-channels cm/2.5.2/dlna-parameters cm/2.5.2/separators
    pass cm/2.5.2/network cm/2.5.2/l16 cm/2.4/prepare cm/2.4/connection-protocol avt/2.4.1/title-unicode
    pass avt/2.4.1/title-right-to-left avt/2.4.1/title-emoji avt/2.4.1/title-cdata avt/2.4.1/title-references
    pass avt/2.4.1/title-long avt/2.4.1/metadata-identical avt/2.4.1/metadata-not-implemented
    pass avt/2.4.1/unknown-elements avt/2.4.1/several-resources avt/2.4.1/duration-forms avt/2.4.1/malformed-metadata
    fail uda/3.2.1/wrong-service success
    fail rcs/2.4/volume-out-of-range error 501
    fail avt/2.4/grid nothing within 10.0 seconds
    fail avt/2.4/rapid-changes TRANSITIONING
    fail avt/2.4/unlisted-speed success
    fail avt/2.4/metadata-entities 454 bytes, with "cted="1"><dc:title>& <b> "q" &amp;</dc:title><upnp:class>obj"
    fail avt/2.3/moderation error 701
    fail avt/2.4/seek-track 0:00:07.152
    fail avt/2.4/seek-target success
    fail avt/2.4/unplayable STOPPED and OK
    fail avt/2.4/empty-file STOPPED and OK
    fail avt/2.4.2/next-prefetched one 0.0 s before the end
    fail avt/2.4.2/next-dropped the file that had been staged before
    fail http/no-head error 716 for SetAVTransportURI
    fail http/octet-stream error 714 for SetAVTransportURI
    fail http/text-plain error 714 for SetAVTransportURI
    fail http/no-type error 714 for SetAVTransportURI
    fail http/html PLAYING without progress
    fail avt/2.4.1/playlist-m3u nothing within 10.0 seconds
    fail rfc9112/3.2/two-hosts 200
    fail uda/3.2.2/empty-number success
    fail uda/3.2.2/wrong-volume success
    fail uda/3.2.2/wrong-boolean success
    fail uda/4.1.2/callback-bytes none within 5.0 seconds
    fail uda/4.3/no-change 1
    fail rcs/2.4/factory-defaults error 701
    fail cm/2.5.2/unique "http-get:*:video/x-3ivx:*" twice; "rtsp:*:video/x-3ivx:*" twice
    fail avt/2.4.1/title-markup no DIDL-Lite but "<DIDL-Lite xmlns="urn:schemas-upnp-org:metadata-1-0/DIDL-Lit"
    fail avt/2.4.8/track-metadata no DIDL-Lite but "<DIDL-Lite xmlns="urn:schemas-upnp-org:metadata-1-0/DIDL-Lit"
    fail avt/2.3/metadata-event none within 5.0 seconds
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
    pass avt/2.3/no-positions avt/2.4/actions-work avt/2.4/actions-listed avt/2.4/play avt/2.4/play-twice avt/2.4/pause
    pass avt/2.4/stop-twice avt/2.4/end avt/2.4/play-after-end avt/2.4/unknown-instance avt/2.4/current-uri
    pass avt/2.4/uri-query avt/2.4/no-metadata avt/2.4/clear-uri avt/2.4/set-while-playing avt/2.4/metadata-entities
    pass avt/2.4/metadata-cdata avt/2.4/metadata-characters avt/2.4/metadata-large avt/2.3/event-playing
    pass avt/2.3/event-stopped avt/2.3/event-end avt/2.3/event-uri avt/2.3/event-track avt/2.3/event-actions
    pass avt/2.3/events-equal-getters avt/2.3/moderation avt/2.2/position-rises avt/2.2/position-pauses
    pass avt/2.2/position-resumes avt/2.2/position-restarts avt/2.2/times-playing avt/2.2/absolute-position
    pass avt/2.2/track-duration avt/2.2/media-duration avt/2.4/seek-relative avt/2.4/seek-start
    pass avt/2.4/seek-two-digit-hours avt/2.4/seek-fraction avt/2.4/seek-paused avt/2.4/seek-at-once
    pass avt/2.4/seek-near-end avt/2.4/seek-beyond-end avt/2.4.2/next-dropped cm/2.4.1/plays-wav cm/2.4.1/plays-flac
    pass cm/2.4.1/plays-mp3 cm/2.4.1/plays-mp4 cm/2.4.1/plays-vorbis cm/2.4.1/plays-aiff http/redirects
    pass http/redirect-codes http/no-ranges http/chunked http/no-length http/no-head http/octet-stream http/text-plain
    pass http/no-type http/slow-answer http/slow-server http/stall http/reset http/redirect-loop http/gone-before-play
    pass http/html http/ends-early http/resumes http/icy http/connections avt/2.4.1/playlist-m3u avt/2.4.1/playlist-pls
    pass rfc9112/3.2/media-host rfc9110/10.1.5/media-user-agent rfc9110/14.1.1/media-range http/start-time
    pass share/cause/rcs/volume share/cause/rcs/mute share/cause/avt/uri share/cause/avt/play share/cause/avt/pause
    pass share/cause/avt/stop share/oracle/settings share/oracle/playback uda/1.3.3/all-pairs uda/1.3.3/within-mx
    pass uda/1.3.3/udn-usn uda/1.3.2/header-case uda/1.3.2/unknown-headers rfc9112/3.2/http10-host
    pass rfc9112/3.2.2/absolute-form rfc9112/2.2/empty-line rfc9112/5.1/no-blank rfc9110/13.1.2/if-none-match
    pass uda/2.11/accept-language rfc9110/14.2/range rfc9110/5.1/unknown-header rfc9112/7.1.1/chunk-extension
    pass http/half-closed http/byte-by-byte http/many-callers uda/3.2.1/cdata uda/3.2.1/character-reference
    pass uda/3.2.1/default-namespace uda/3.2.1/single-quotes uda/3.2.1/no-declaration uda/3.2.1/processing-instruction
    pass uda/3.2.1/soap-header uda/3.2.2/empty-number uda/3.2.2/negative-number uda/3.2.2/number-overflow
    pass uda/3.2.2/fraction uda/3.2.2/every-missing-argument uda/3.2.2/extra-argument uda/3.2.2/duplicate-argument
    pass uda/4.1.2/callback-bytes uda/4.1.2/same-callback uda/4.1.2/no-timeout uda/4.1.2/long-timeout
    pass uda/4.1.2/event-after-answer uda/4.1/independent uda/4.3/black-hole rcs/2.3/moderation uda/4.3/no-change
    pass rcs/2.4/every-volume rcs/2.4/volume-burst rcs/2.4/volume-db-rises rcs/2.4/factory-defaults
    pass rcs/2.4/listed-channels cm/2.5.2/dlna-parameters cm/2.5.2/separators cm/2.5.2/unique cm/2.5.2/network
    pass cm/2.4/prepare cm/2.4/connection-protocol avt/2.4.1/title-markup avt/2.4.1/title-unicode
    pass avt/2.4.1/title-right-to-left avt/2.4.1/title-emoji avt/2.4.1/title-cdata avt/2.4.1/title-references
    pass avt/2.4.1/title-long avt/2.4.1/metadata-identical avt/2.4.1/metadata-not-implemented
    pass avt/2.4.1/unknown-elements avt/2.4.1/several-resources avt/2.4.1/duration-forms avt/2.4.1/malformed-metadata
    pass avt/2.3/metadata-event avt/2.4/hanging-getters
    fail uda/1.3.3/unicast none to three unicast searches
    fail uda/2.3/presentation none (connection reset (error set): Connection refused) (errno: 111))
    fail rcs/2.4/channel error 701
    fail uda/4.1.1/callback-scheme 200
    fail uda/4.1.1/foreign-callback 200
    fail rcs/2.4/volume-out-of-range success
    fail rcs/2.4/volume-db error 501
    fail avt/2.4/play-mode error 501
    fail avt/2.4/unknown-play-mode error 701
    inconclusive avt/2.3/play-mode-event the device does not set CurrentPlayMode to "NORMAL"
    fail avt/2.4/grid PLAYING
    fail avt/2.4/pause-twice PLAYING
    fail avt/2.4/stop-releases an open one
    fail avt/2.4/rapid-changes an open one
    fail avt/2.4/next-alone success
    fail avt/2.4/previous-alone success
    fail avt/2.4/unlisted-speed error 701
    fail avt/2.4/invalid-speed error 701
    fail avt/2.4/track-uri http://198.51.100.1:PORT/ID/tone.wav
    fail avt/2.4/track-metadata "Conformance test"
    fail avt/2.3/event-paused "PLAYING" in the last event that has it
    fail avt/2.2/one-track track 0 of 0
    fail avt/2.4/seek-burst error 501
    fail avt/2.4/seek-track 00:00:06
    fail avt/2.4/seek-target error 501
    fail avt/2.4/seek-modes error 701
    fail avt/2.4/not-found STOPPED and OK
    fail avt/2.4/unplayable STOPPED and OK
    fail avt/2.4/empty-file STOPPED and OK
    fail avt/2.4/server-error STOPPED and OK
    fail avt/2.4/unreachable STOPPED and OK
    fail avt/2.4/recovers STOPPED and OK
    fail avt/2.4/error-event STOPPED and OK
    fail avt/2.4.2/next-prefetched error 501
    fail avt/2.4.2/join-on-time error 501
    fail avt/2.4.2/join error 501
    fail avt/2.4.2/current-after-join error 501
    fail avt/2.4.2/next-cleared error 501
    fail avt/2.4.2/join-events error 501
    fail avt/2.4.2/same-uri-twice error 501
    fail avt/2.4.2/join-formats error 501
    fail avt/2.4.2/join-rates error 501
    fail avt/2.4.2/next-reported error 501
    fail avt/2.4.2/next-without-effect error 501
    fail avt/2.4.2/next-cleared-by-empty error 501
    fail avt/2.4.2/next-replaced "http://198.51.100.1:PORT/ID/tone.wav"
    fail avt/2.4.2/stop-with-next PLAYING
    fail avt/2.4.2/next-missing error 501
    fail avt/2.4.12/next-plays-staged error 501
    fail avt/2.4.2/seek-keeps-next error 501
    fail avt/2.4.2/next-while-stopped error 501
    fail cm/2.4.1/rates 48000 Hz, 16 bits: a speed of 0 %
    fail http/endless 1 open ones
    fail http/released-after-change 1 open ones
    fail http/pause PLAYING
    fail rfc9112/3.2/no-host 200
    fail rfc9112/3.2/two-hosts 200
    fail rfc9112/3.2/invalid-host 200
    fail rfc9110/9.1/unknown-method 405
    fail rfc9110/15.5.6/allow none
    fail uda/3.2.2/other-argument success
    fail uda/3.2.2/wrong-volume success
    fail uda/3.2.2/wrong-boolean success
    fail uda/4.1.2/second-callback none within 5.0 seconds
    fail uda/4.3/412-ends 200
    fail rcs/2.4/volume-db-unit error 501
    fail cm/2.5.2/l16 http-get:*:audio/L16:*
    fail avt/2.4.8/track-metadata "Conformance test"
    fail avt/2.4/hanging-stop nothing within 10.0 seconds
    """#)
}
