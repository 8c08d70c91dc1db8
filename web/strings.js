/** All texts of the page, in all its languages. `{name}` is replaced. */
const texts = {
  en: {
    skip: 'Skip to content', views: 'Views', player: 'Player', more: 'More', close: 'Close', cancel: 'Cancel', save: 'Save',
    ok: 'OK', undo: 'Undo', options: 'Options for {title}', back: 'Back', unknown: 'Unknown', loading: 'Loading…',
    now: 'Now playing', nowShort: 'Playing', queue: 'Queue', library: 'Library', radio: 'Radio', pins: 'Pins',
    speakers: 'Speakers', settings: 'Settings', health: 'Health',

    connecting: 'Connecting…', reconnecting: 'Reconnecting…', noAnswer: 'The speaker does not answer.',
    failed: 'That did not work.', failedFrom: '“{title}” from {host}: ', failedTitle: '“{title}”: ',
    skipped: 'Skipped. {text}', broken: 'Could not be played', tooMany: 'Too many attempts. Try again in {seconds} s.',

    nothing: 'Nothing is playing', nothingHint: 'Choose music from the library, a radio station, or any app in your home.',
    browseLibrary: 'Open the library', openRadio: 'Open the radio', standbyTitle: 'In standby', standbyHint: 'The speaker is silent, and found by controllers.', wake: 'Wake up',
    untitled: 'Untitled', by: 'by', live: 'Live', position: 'Position', positionText: '{at} of {duration}',
    track: 'Track {number} of {count}', upNext: 'Up next', openQueue: 'Open queue',
    playing: 'Playing', paused: 'Paused', stopped: 'Stopped', buffering: 'Buffering…', waiting: 'Waiting for the sender', empty: 'Empty',
    play: 'Play', pause: 'Pause', stop: 'Stop', next: 'Next track', previous: 'Previous track',
    repeat: 'Repeat', shuffle: 'Shuffle', mute: 'Mute', unmute: 'Unmute',
    volume: 'Volume', volumeText: '{percent} percent, {decibels}', volumeFixed: 'Fixed volume', silence: 'silent',
    volumeLimit: 'The volume is limited to {limit}.', balance: 'Balance', balanceText: '{side} {value}',
    left: 'left', right: 'right', centre: 'centre',
    source: 'Source', standby: 'Standby', openNow: 'Show what is playing',
    announce: '{title}, {artist}',

    bitPerfect: 'Bit-perfect', notBitPerfect: 'Not bit-perfect', signalPath: 'Signal path', file: 'File', output: 'Output', outputBin: 'A GStreamer bin', outputNull: 'Discards the sound',
    bits: '{depth} bit', channels1: 'mono', channels2: 'stereo', channels: '{count} channels',
    perfectHint: 'The samples of the file reach the sound card unchanged.',
    changedHint: 'The samples are changed on the way to the sound card:',
    reason_volume: 'The volume is below 100, and set in software.',
    reason_balance: 'The balance is not in the centre.',
    reason_mute: 'The sound is muted.',
    reason_replay_gain: 'ReplayGain changes the level of this track.',
    reason_limiter: 'The limiter is active.',
    reason_resampled: 'The speaker resamples the sound: the output has another sample rate, or another room sets the pace.',
    reason_depth: 'The output has fewer bits than the file.',
    reason_channels: 'The output has another number of channels.',
    reason_shared: 'The output is shared with other programs or is not a sound card.',
    reason_equalizer: 'The equaliser is active.',
    reason_fade: 'The sleep timer or an alarm fades the sound.',

    tracks1: '1 track', tracks: '{count} tracks', queueEmpty: 'The queue is empty',
    queueEmptyHint: 'Albums and tracks that you add from the library appear here.',
    clear: 'Clear', cleared: 'Queue cleared', removed: 'Removed: {title}', remove: 'Remove {title}', removeShort: 'Remove',
    playItem: 'Play {title}', move: 'Move {title}', moveHint: 'Press Enter, move with the arrow keys, press Enter again.',
    grabbed: '{title} grabbed, position {position} of {count}.', atPosition: 'Position {position} of {count}.',
    dropped: '{title} moved to position {position}.', moveCancelled: 'Move cancelled.', current: 'Current track',
    goToCurrent: 'Go to current track',

    lists: 'Lists', genres: 'Genres', playlists: 'Playlists', recent: 'Recently added', folders: 'Folders', allServers: 'All servers',
    onSpeaker: 'On this speaker', list_favorites: 'Favourites', list_recent: 'Recently played', saveQueue: 'Save the queue',
    queueSaved: 'Saved: {title}', replace: 'Replace {title}?', exportList: 'Export as m3u', favorite: 'Favourite', addFavorite: 'Add to favourites', searchQueue: 'Search the queue', timeLeft: '{time} left',
    goToAlbum: 'Go to album', goToArtist: 'Go to artist', notInLibrary: 'Not in the library: {title}',
    servers: 'Media servers', noServers: 'No media server found',
    noServersHint: 'Searching the network. A server such as MiniDLNA, Gerbera or a NAS appears here by itself.',
    searching: 'Searching…', search: 'Search', searchFor: '“{words}”',
    noResults: 'Nothing found', noResultsHint: 'Try fewer or other words.', emptyFolder: 'This folder is empty',
    breadcrumb: 'Path', playNow: 'Play now', playNext: 'Play next', playEnd: 'Add to queue', playAll: 'Play all',
    added1: '1 track added', added: '{count} tracks added', open: 'Open {title}',
    readingTracks: 'Reading the tracks…', replaced1: 'Queue replaced: 1 track', replaced: 'Queue replaced: {count} tracks', queueReplaced: 'Queue replaced',
    artists: 'Artists', albums: 'Albums', tracksTitle: 'Tracks', cannotSearch: 'Cannot search, only be browsed: {names}',
    found1: '1 result', found: '{count} results',
    disc: 'Disc {number}', searchAll: 'Search all servers', showAll: 'Show all', addItem: 'Add {title} to the queue', resultsOf: 'Results of {name}',
    serverFailed: 'The media server cannot be read', retry: 'Try again', results: 'Results',

    stations: 'Stations', noStations: 'No stations yet', noStationsHint: 'Find one by name, or add its address.',
    addStation: 'Add station', editStation: 'Edit station', stationTitle: 'Name', stationUri: 'Address of the stream',
    stationArt: 'Address of a picture (optional)', tryStation: 'Listen', fromFile: 'From the configuration file',
    removed_station: 'Station removed', stationAdded: 'Station added', findStations: 'Find stations, tag:jazz, country:fr', popularStations: 'Popular nearby', required: 'Please fill in this field.', invalidUrl: 'An address starts with http:// or https://.',
    edit: 'Edit',

    pinThis: 'Pin', pinWhere: 'Choose a place', pinned: 'Pinned in place {number}', pinStation: 'Pin a station by its address',
    pinPlaylist: 'Pin a playlist by its address', pinFolder: 'Choose an album from the library', playlistUri: 'Address of the playlist (m3u, pls, xspf)',
    pinCurrent: 'Pin what is playing', pinPlay: 'Play pin {number}: {title}', pinNumber: 'Pin {number}',
    pinClear: 'Unpin', pinLeft: 'Move forward', pinRight: 'Move back', pinHint: 'Keep a station, an album or a playlist one tap away.',

    noSpeakers: 'No other speakers found', noSpeakersHint: 'Searching the network. Other UPnP speakers appear here by themselves.',
    openSpeaker: 'Open the page of {name}', volumeOf: 'Volume of {name}', muteOf: 'Mute {name}', thisSpeaker: 'This speaker',
    everywhere: 'Everywhere', ungroup: 'Ungroup', leaveGroup: 'Leave the group', groupVolume: 'Volume of all', groupLouder: 'All louder', groupQuieter: 'All quieter',
    playOn: 'Play on…', playsOn: 'Plays on {name}', theQueue: 'Show the queue', queueOf: 'Queue of {name}', partOf: 'A part of {count} tracks',
    join: 'Add to the group', leave: 'Remove from the group', follow: 'Join', give: 'Move playback there', take: 'Move playback here',
    moved: 'Playback moved to {name}.', notJoined: 'Did not join: {names}', asksSpeakers: 'Asking the speakers…', playsAlone: 'Plays alone', playsWith: 'Plays with {names}',
    follows: 'Plays along with {name}', fromRoom: 'From {name}', anotherRoom: 'another room', othersListen: 'Other rooms play along',
    rooms: '{count} rooms',

    'why_environment': 'The environment variable {name} sets it.', 'why_command line': 'The option {name} sets it.', origin_default: 'default', origin_file: 'from the file', origin_page: 'set here', origin_environment: 'from the environment',
    'origin_command line': 'from the command line', saved: 'Saved', numberBetween: 'Enter a number from {minimum} to {maximum}.', wholeBetween: 'Enter a whole number from {minimum} to {maximum}.',
    numberOnly: 'Enter a number.', forget: 'Reset', forgetOf: 'Reset {title}', on: 'On', off: 'Off',
    settingsSpeaker: 'Speaker', settingsSound: 'Sound', settingsAdvanced: 'Advanced',
    settingsHint: 'Changes apply at once and are kept on the speaker.', defaultIs: 'Default: {value}', noDefault: 'none',

    networks: 'Networks', noNetworks: 'Not connected to a network', playback: 'Playback', uptime: 'Running for', version: 'Version',
    buffer: 'Buffer', delay: 'Delay of the live stream', underruns: 'Underruns', program_running: 'running', program_off: 'off', program_waiting: 'starts again soon', program_failed: 'has failed', lastScan: 'Last scan', scanning: '{count} files so far', rescan: 'Scan again', errors: 'Errors', noErrors: 'No errors', log: 'Log', logEmpty: 'No messages',
    logLevel: 'Show', level_all: 'Everything', level_notice: 'Notices', level_warning: 'Warnings', level_error: 'Errors',
    seconds: '{value} s', days: '{value} d', hours: '{value} h', minutes: '{value} min', refresh: 'Refresh',

    lock: 'Party lock', lockHint: 'Guests may add music and lower the volume, but not skip, stop or play louder. A PIN unlocks the page.',
    lockPin: 'PIN (4 to 12 digits)', lockNow: 'Lock', unlock: 'Unlock', unlockHint: 'The speaker is locked. Guests may add music to the queue and lower the volume.',
    guestHint: 'Locked: guests may add music and turn it down.', guestMayNot: 'Locked for guests',
    guestQuieter: 'Guests may only lower the volume',
    locked: 'Locked', unlockedHere: 'Unlocked on this page', removeLock: 'Remove lock', lockAgain: 'Lock again', wrongPin: 'Wrong PIN.', lockSet: 'The speaker is locked',
    lockRemoved: 'The lock is removed', readOnly: 'This page is read-only.', pinDigits: 'A PIN has 4 to 12 digits.',

    keyboard: 'Keyboard', key_space: 'Space', key_arrowsX: '← →', key_arrowsY: '↑ ↓',
    keys_space: 'Play or pause', keys_arrowsX: 'Ten seconds back or forward', keys_arrowsY: 'Volume', keys_m: 'Mute',
    keys_slash: 'Search', keys_n: 'Next or previous track', keys_digits: 'Change the view', keys_help: 'This list',

    companionTitle: 'Companion', thisPhone: 'This phone', phoneName: 'Name of this phone', registerPhone: 'Register',
    registerHint: 'Others at home see the name. The speaker recognises this browser by a secret token, and forgets it after 30 days without use.',
    isHere: 'in the room', isAway: 'not in the room', enterRoom: 'I am here', leaveRoom: 'I am leaving', forgetPhone: 'Forget this phone',
    hereHint: 'Pages that the speaker suggests open here. Fifteen minutes after you close the page, this phone counts as gone.',
    awayHint: 'This phone gets no suggestions.', phonesInRoom: 'Phones in the room', nobodyHere: 'Nobody',
    phonesAway: 'Registered elsewhere: {count}', thisOne: ' (this phone)', openOnPhones: 'Open this page on all of them',
    otherPhone: 'Another phone', codeHint: 'Scan the code with the camera of the other phone. It must be in the same network.',
    codeAlt: 'QR code with the address of this page', beaconUUID: 'UUID of the beacon', openSpeakerPage: 'Open the page of the speaker',
    inStep: 'In sync with the speaker', otherSession: 'The beacon’s session is over. This is what plays now.',
    byBeacon: 'From the beacon, until the speaker answers', launchTitle: 'Open this page?',
    launchHint: 'Somebody in your network asks, through {name}, to open a page of another site.', launchOpen: 'Open',
    launched: 'The speaker asked to open this page', launchedTo: 'Opened on {count}, waiting for {waiting}',
    whatWorks: 'What works in which browser',
    worksAll: 'Any browser shows what is playing, registers and gets suggestions while this page is visible.',
    worksHidden: 'Phones stop pages that are hidden. A suggestion then waits for one minute.',
    worksBeacon: 'Browsers cannot receive beacons. An Android or iOS app that can opens this page with the numbers of the beacon.',
    worksPlain: 'The speaker has no certificate, so browsers allow neither notifications nor background work.',

    companions: 'Companions', bluetooth: 'Bluetooth', beacon: 'Beacon', ready: 'ready', notReady: 'not ready',
    advertised: 'on air', notAdvertised: 'not on air', phones: 'Phones', phonesHere: '{here} of {count} in the room',
    openCompanion: 'Open the companion page', presence: 'Presence', presence_present: 'here', presence_absent: 'away',
    presence_unknown: 'not known yet', buttons: 'Buttons', connected: 'connected', notConnected: 'not connected',
    mediaKeys: 'Media keys', sleep: 'Sleep',

    pair: 'Pair a device', pairing: 'Pairing', yes: 'Yes', no: 'No', pairNeedsPIN: 'Pairing needs a PIN. Set one with the party lock.',
    pairHint: 'Bluetooth is open for 30 seconds. Choose the device here, or pair a phone from its own settings.',
    pair_opening: 'Opening…', pair_open: 'Searching…', pair_pairing: 'Pairing…', pair_paired: 'Paired: {name}',
    pair_closed: 'The window is closed.', pair_failed: 'Pairing failed.', ask_confirm: 'Does {name} show {number}?',
    ask_authorize: 'May {name} be paired?', ask_type: 'Type {number} on {name}, and press Enter.',

    equalizer: 'Equaliser', eqPresets: 'Presets', eqName: 'Name of the preset', eqNameOptional: 'Save as preset (optional)',
    eqChanged: 'changed', eqSave: 'Save as a new preset', eqRename: 'Rename {name}', eqReplaced: 'Unsaved changes were replaced.',
    eqImport: 'Import a file', eqExport: 'Export as a file', eqImportHint: 'A text file of Room EQ Wizard, AutoEQ or Equalizer APO. It replaces the bands.',
    eqText: 'Text of the file', eqTooLong: 'The file is longer than 64 KiB.', eqCurve: 'Frequency response', eqPreamp: 'Preamp (dB)', eqAutomatic: 'automatic',
    eqBoost: 'Largest boost of the bands: {boost}. Preamp: {preamp}.', eqAdd: 'Add a band', eqBand: 'Band {number}', eqRemove: 'Remove band {number}',
    eq_kind: 'Type', eq_channel: 'Channel', eq_frequency: 'Hz', eq_gain: 'dB', eq_q: 'Q',
    eq_kind_peak: 'Peak', eq_kind_low_shelf: 'Low shelf', eq_kind_high_shelf: 'High shelf', eq_kind_low_pass: 'Low pass',
    eq_kind_high_pass: 'High pass', eq_kind_notch: 'Notch', eq_channel_both: 'Both', eq_channel_left: 'Left', eq_channel_right: 'Right',
    alarms: 'Alarms', alarm: 'Alarm', addAlarm: 'Add alarm', editAlarm: 'Edit alarm', noAlarms: 'No alarms', noAlarmsHint: 'Wake up to a station, a pin or the queue.',
    alarmTime: 'Time', alarmDays: 'Days (none for once)', alarmSound: 'Plays', alarmVolume: 'Volume (0: as it is)', alarmRamp: 'Rises in seconds',
    alarmLimit: 'Stops after minutes', alarmSnooze: 'Snooze in minutes', alarmName: 'Name (optional)', once: 'Once', daily: 'Every day', tone: 'Built-in tone',
    playlist: 'Playlist', nextAlarm: 'Next: {time}', timeZone: 'Time zone of the speaker: {zone}', snooze: 'Snooze',
    alarmRings: '{name} rings', alarmTone: '{name} rings with the built-in tone: the music cannot be heard', alarmWaits: '{name} waits for the end of an announcement',
    alarmSnoozed: '{name}: snoozed until {time}', alarmMissed: '{name} was missed: {time}',
    clockNotSet: 'The clock of the speaker is not set yet. The alarms wait.',
    sleepTimer: 'Sleep timer', sleepHint: 'Ends playback with a fade of 30 seconds.', sleepIn: 'Sleep timer: {time}', sleepOff: 'Turn the sleep timer off',
    sleep_track: 'End of the track', sleep_queue: 'End of the queue', sleep_minutes: 'Sleep timer',
    announcement: 'Announcement', announcementHint: 'Is heard over the music. Afterwards everything continues as before.',
    announcementUri: 'Address of a sound (empty: only the chime)', announcementMode: 'The music meanwhile',
    announcementDuck: 'goes on softly', announcementPause: 'pauses', announcementChime: 'Chime before it', announcementSeconds: 'At most seconds', announcementGroup: 'In the whole group', announceNow: 'Announce',
    announcementSame: 'as the music', announcementLouder: '{steps} steps louder', announced: 'The announcement will be heard.',
    announcementLoads: 'The announcement is being loaded…', reason_announcement: 'An announcement is heard over the music.',
  },
  de: {
    skip: 'Zum Inhalt', views: 'Ansichten', player: 'Wiedergabe', more: 'Mehr', close: 'Schließen', cancel: 'Abbrechen', save: 'Speichern',
    ok: 'OK', undo: 'Rückgängig', options: 'Optionen für {title}', back: 'Zurück', unknown: 'Unbekannt', loading: 'Lädt…',
    now: 'Aktuelle Wiedergabe', nowShort: 'Wiedergabe', queue: 'Warteschlange', library: 'Bibliothek', radio: 'Radio', pins: 'Favoriten',
    speakers: 'Lautsprecher', settings: 'Einstellungen', health: 'Zustand',

    connecting: 'Verbinde…', reconnecting: 'Verbinde erneut…', noAnswer: 'Der Lautsprecher antwortet nicht.',
    failed: 'Das hat nicht geklappt.', failedFrom: '„{title}“ von {host}: ', failedTitle: '„{title}“: ',
    skipped: 'Übersprungen. {text}', broken: 'Nicht abspielbar', tooMany: 'Zu viele Versuche. In {seconds} s noch einmal.',

    nothing: 'Es läuft nichts', nothingHint: 'Wähle Musik aus der Bibliothek, einen Sender oder nimm eine App in deinem Heimnetz.',
    browseLibrary: 'Bibliothek öffnen', openRadio: 'Radio öffnen', standbyTitle: 'Im Ruhezustand', standbyHint: 'Der Lautsprecher ist still und wird von Apps gefunden.', wake: 'Aufwecken',
    untitled: 'Ohne Titel', by: 'von', live: 'Live', position: 'Position', positionText: '{at} von {duration}',
    track: 'Titel {number} von {count}', upNext: 'Als Nächstes', openQueue: 'Warteschlange öffnen',
    playing: 'Läuft', paused: 'Pausiert', stopped: 'Gestoppt', buffering: 'Puffert…', waiting: 'Wartet auf den Sender', empty: 'Leer',
    play: 'Abspielen', pause: 'Pause', stop: 'Stopp', next: 'Nächster Titel', previous: 'Vorheriger Titel',
    repeat: 'Wiederholen', shuffle: 'Zufällig', mute: 'Stumm', unmute: 'Ton an',
    volume: 'Lautstärke', volumeText: '{percent} Prozent, {decibels}', volumeFixed: 'Feste Lautstärke', silence: 'stumm',
    volumeLimit: 'Die Lautstärke ist auf {limit} begrenzt.', balance: 'Balance', balanceText: '{side} {value}',
    left: 'links', right: 'rechts', centre: 'Mitte',
    source: 'Quelle', standby: 'Ruhezustand', openNow: 'Aktuelle Wiedergabe zeigen',
    announce: '{title}, {artist}',

    bitPerfect: 'Bitgenau', notBitPerfect: 'Nicht bitgenau', signalPath: 'Signalweg', file: 'Datei', output: 'Ausgabe', outputBin: 'Eine GStreamer-Kette', outputNull: 'Verwirft den Ton',
    bits: '{depth} Bit', channels1: 'mono', channels2: 'stereo', channels: '{count} Kanäle',
    perfectHint: 'Die Abtastwerte der Datei erreichen die Soundkarte unverändert.',
    changedHint: 'Die Abtastwerte werden auf dem Weg zur Soundkarte verändert:',
    reason_volume: 'Die Lautstärke ist unter 100 und wird in Software gestellt.',
    reason_balance: 'Die Balance ist nicht in der Mitte.',
    reason_mute: 'Der Ton ist aus.',
    reason_replay_gain: 'ReplayGain ändert den Pegel dieses Titels.',
    reason_limiter: 'Der Limiter greift ein.',
    reason_resampled: 'Der Klang wird umgerechnet: Die Ausgabe hat eine andere Abtastrate, oder ein anderer Raum gibt den Takt vor.',
    reason_depth: 'Die Ausgabe hat weniger Bits als die Datei.',
    reason_channels: 'Die Ausgabe hat eine andere Zahl von Kanälen.',
    reason_shared: 'Die Ausgabe wird mit anderen Programmen geteilt oder ist keine Soundkarte.',
    reason_equalizer: 'Der Equalizer ist aktiv.',
    reason_fade: 'Der Schlummer-Timer oder ein Wecker blendet den Ton.',

    tracks1: '1 Titel', tracks: '{count} Titel', queueEmpty: 'Die Warteschlange ist leer',
    queueEmptyHint: 'Hier sammeln sich Alben und Titel aus der Bibliothek.',
    clear: 'Leeren', cleared: 'Warteschlange geleert', removed: 'Entfernt: {title}', remove: '{title} entfernen', removeShort: 'Entfernen',
    playItem: '{title} abspielen', move: '{title} verschieben', moveHint: 'Enter drücken, mit den Pfeiltasten verschieben, wieder Enter.',
    grabbed: '{title} aufgenommen, Platz {position} von {count}.', atPosition: 'Platz {position} von {count}.',
    dropped: '{title} auf Platz {position} verschoben.', moveCancelled: 'Verschieben abgebrochen.', current: 'Aktueller Titel',
    goToCurrent: 'Zum aktuellen Titel',

    lists: 'Listen', genres: 'Genres', playlists: 'Wiedergabelisten', recent: 'Neu hinzugefügt', folders: 'Ordner', allServers: 'Alle Server',
    onSpeaker: 'Auf diesem Lautsprecher', list_favorites: 'Lieblingsstücke', list_recent: 'Zuletzt gehört', saveQueue: 'Warteschlange speichern',
    queueSaved: 'Gespeichert: {title}', replace: '{title} ersetzen?', exportList: 'Als m3u exportieren', favorite: 'Lieblingsstück', addFavorite: 'Zu Lieblingsstücken', searchQueue: 'Warteschlange durchsuchen', timeLeft: 'noch {time}',
    goToAlbum: 'Zum Album', goToArtist: 'Zum Interpreten', notInLibrary: 'Nicht in der Bibliothek: {title}',
    servers: 'Medienserver', noServers: 'Kein Medienserver gefunden',
    noServersHint: 'Das Netz wird durchsucht. Ein Server wie MiniDLNA, Gerbera oder ein NAS erscheint hier von selbst.',
    searching: 'Suche…', search: 'Suchen', searchFor: '„{words}“',
    noResults: 'Nichts gefunden', noResultsHint: 'Versuche weniger oder andere Wörter.', emptyFolder: 'Dieser Ordner ist leer',
    breadcrumb: 'Pfad', playNow: 'Jetzt abspielen', playNext: 'Als Nächstes', playEnd: 'Anhängen', playAll: 'Abspielen',
    added1: '1 Titel hinzugefügt', added: '{count} Titel hinzugefügt', open: '{title} öffnen',
    readingTracks: 'Liest die Titel…', replaced1: 'Warteschlange ersetzt: 1 Titel', replaced: 'Warteschlange ersetzt: {count} Titel', queueReplaced: 'Warteschlange ersetzt',
    artists: 'Interpreten', albums: 'Alben', tracksTitle: 'Titel', cannotSearch: 'Kann nicht durchsucht, nur durchgeblättert werden: {names}',
    found1: '1 Ergebnis', found: '{count} Ergebnisse',
    disc: 'CD {number}', searchAll: 'Auf allen Servern suchen', showAll: 'Alle zeigen', addItem: '{title} anhängen', resultsOf: 'Ergebnisse von {name}',
    serverFailed: 'Der Medienserver kann nicht gelesen werden', retry: 'Noch einmal', results: 'Ergebnisse',

    stations: 'Sender', noStations: 'Noch keine Sender', noStationsHint: 'Suche einen nach seinem Namen, oder füge seine Adresse hinzu.',
    addStation: 'Sender hinzufügen', editStation: 'Sender bearbeiten', stationTitle: 'Name', stationUri: 'Adresse des Streams',
    stationArt: 'Adresse eines Bildes (freiwillig)', tryStation: 'Anhören', fromFile: 'Aus der Konfigurationsdatei',
    removed_station: 'Sender entfernt', stationAdded: 'Sender hinzugefügt', findStations: 'Sender suchen, tag:jazz, country:de', popularStations: 'Beliebt in der Nähe', required: 'Bitte ausfüllen.', invalidUrl: 'Eine Adresse beginnt mit http:// oder https://.',
    edit: 'Bearbeiten',

    pinThis: 'Als Favorit merken', pinWhere: 'Platz wählen', pinned: 'Auf Platz {number} gemerkt', pinStation: 'Sender mit seiner Adresse merken',
    pinPlaylist: 'Playlist mit ihrer Adresse merken', pinFolder: 'Album in der Bibliothek wählen', playlistUri: 'Adresse der Playlist (m3u, pls, xspf)',
    pinCurrent: 'Aktuelle Wiedergabe merken', pinPlay: 'Favorit {number} abspielen: {title}', pinNumber: 'Favorit {number}',
    pinClear: 'Lösen', pinLeft: 'Nach vorn', pinRight: 'Nach hinten', pinHint: 'Ein Sender, ein Album oder eine Playlist, nur einen Fingertipp entfernt.',

    noSpeakers: 'Keine anderen Lautsprecher gefunden', noSpeakersHint: 'Das Netz wird durchsucht. Andere UPnP-Lautsprecher erscheinen hier von selbst.',
    openSpeaker: 'Seite von {name} öffnen', volumeOf: 'Lautstärke von {name}', muteOf: '{name} stumm schalten', thisSpeaker: 'Dieser Lautsprecher',
    everywhere: 'Überall', ungroup: 'Gruppe auflösen', leaveGroup: 'Gruppe verlassen', groupVolume: 'Lautstärke aller', groupLouder: 'Alle lauter', groupQuieter: 'Alle leiser',
    playOn: 'Abspielen auf…', playsOn: 'Spielt auf {name}', theQueue: 'Warteschlange zeigen', queueOf: 'Warteschlange von {name}', partOf: 'Ein Teil von {count} Titeln',
    join: 'Zur Gruppe hinzufügen', leave: 'Aus der Gruppe nehmen', follow: 'Dort mitspielen', give: 'Wiedergabe dorthin verschieben', take: 'Wiedergabe hierher holen',
    moved: 'Die Wiedergabe ist jetzt hier: {name}.', notJoined: 'Nicht dabei: {names}', asksSpeakers: 'Fragt die Lautsprecher…', playsAlone: 'Spielt allein', playsWith: 'Spielt mit {names}',
    follows: 'Spielt mit bei {name}', fromRoom: 'Von {name}', anotherRoom: 'einem anderen Raum', othersListen: 'Andere Räume spielen mit',
    rooms: '{count} Räume',

    'why_environment': 'Die Umgebungsvariable {name} legt es fest.', 'why_command line': 'Die Option {name} legt es fest.', origin_default: 'Vorgabe', origin_file: 'aus der Datei', origin_page: 'hier gesetzt', origin_environment: 'aus der Umgebung',
    'origin_command line': 'von der Befehlszeile', saved: 'Gespeichert', numberBetween: 'Bitte eine Zahl von {minimum} bis {maximum} eingeben.',
    wholeBetween: 'Bitte eine ganze Zahl von {minimum} bis {maximum} eingeben.', numberOnly: 'Bitte eine Zahl eingeben.', forget: 'Zurücksetzen', forgetOf: '{title} zurücksetzen', on: 'An', off: 'Aus',
    settingsSpeaker: 'Lautsprecher', settingsSound: 'Klang', settingsAdvanced: 'Erweitert',
    settingsHint: 'Änderungen gelten sofort und bleiben im Lautsprecher gespeichert.', defaultIs: 'Vorgabe: {value}', noDefault: 'keine',

    networks: 'Netze', noNetworks: 'Mit keinem Netz verbunden', playback: 'Wiedergabe', uptime: 'Läuft seit', version: 'Version',
    buffer: 'Puffer', delay: 'Verzögerung des Livestreams', underruns: 'Aussetzer', program_running: 'läuft', program_off: 'aus', program_waiting: 'startet bald wieder', program_failed: 'ausgefallen', lastScan: 'Letzte Suche', scanning: 'bisher {count} Dateien', rescan: 'Neu suchen', errors: 'Fehler', noErrors: 'Keine Fehler', log: 'Protokoll', logEmpty: 'Keine Meldungen',
    logLevel: 'Zeigen', level_all: 'Alles', level_notice: 'Hinweise', level_warning: 'Warnungen', level_error: 'Fehler',
    seconds: '{value} s', days: '{value} T', hours: '{value} Std.', minutes: '{value} Min.', refresh: 'Aktualisieren',

    lock: 'Partysperre', lockHint: 'Gäste dürfen Musik anhängen und leiser stellen, aber nicht überspringen, stoppen oder lauter stellen. Eine PIN hebt die Sperre auf.',
    lockPin: 'PIN (4 bis 12 Ziffern)', lockNow: 'Sperren', unlock: 'Entsperren', unlockHint: 'Der Lautsprecher ist gesperrt. Gäste dürfen Musik anhängen und leiser stellen.',
    guestHint: 'Gesperrt: Gäste dürfen anhängen und leiser stellen.', guestMayNot: 'Für Gäste gesperrt',
    guestQuieter: 'Gäste dürfen nur leiser stellen',
    locked: 'Gesperrt', unlockedHere: 'Auf dieser Seite entsperrt', removeLock: 'Sperre aufheben', lockAgain: 'Wieder sperren', wrongPin: 'Falsche PIN.', lockSet: 'Der Lautsprecher ist gesperrt',
    lockRemoved: 'Die Sperre ist aufgehoben', readOnly: 'Diese Seite zeigt nur an und kann nichts ändern.', pinDigits: 'Eine PIN hat 4 bis 12 Ziffern.',

    keyboard: 'Tastatur', key_space: 'Leertaste', key_arrowsX: '← →', key_arrowsY: '↑ ↓',
    keys_space: 'Abspielen oder anhalten', keys_arrowsX: 'Zehn Sekunden zurück oder vor', keys_arrowsY: 'Lautstärke', keys_m: 'Stumm',
    keys_slash: 'Suchen', keys_n: 'Nächster oder voriger Titel', keys_digits: 'Ansicht wechseln', keys_help: 'Diese Liste',

    companionTitle: 'Begleiter', thisPhone: 'Dieses Telefon', phoneName: 'Name dieses Telefons', registerPhone: 'Anmelden',
    registerHint: 'Andere im Haus sehen den Namen. Der Lautsprecher erkennt diesen Browser an einem geheimen Zeichen, ohne Benutzung 30 Tage lang.',
    isHere: 'im Raum', isAway: 'nicht im Raum', enterRoom: 'Ich bin da', leaveRoom: 'Ich gehe', forgetPhone: 'Dieses Telefon vergessen',
    hereHint: 'Seiten, die der Lautsprecher vorschlägt, öffnen sich hier. Fünfzehn Minuten nach dem Schließen der Seite gilt dieses Telefon als gegangen.',
    awayHint: 'Dieses Telefon bekommt keine Vorschläge.', phonesInRoom: 'Telefone im Raum', nobodyHere: 'Niemand',
    phonesAway: 'Anderswo angemeldet: {count}', thisOne: ' (dieses Telefon)', openOnPhones: 'Diese Seite auf allen öffnen',
    otherPhone: 'Ein anderes Telefon', codeHint: 'Scanne den Code mit der Kamera des anderen Telefons. Es muss im selben Netz sein.',
    codeAlt: 'QR-Code mit der Adresse dieser Seite', beaconUUID: 'UUID des Beacons', openSpeakerPage: 'Seite des Lautsprechers öffnen',
    inStep: 'Im Takt mit dem Lautsprecher', otherSession: 'Die Sitzung des Beacons ist vorbei. Das läuft jetzt.',
    byBeacon: 'Nach dem Beacon, bis der Lautsprecher antwortet', launchTitle: 'Diese Seite öffnen?',
    launchHint: 'Jemand in deinem Netz bittet über {name}, eine fremde Seite zu öffnen.', launchOpen: 'Öffnen',
    launched: 'Der Lautsprecher bat, diese Seite zu öffnen', launchedTo: 'Auf {count} geöffnet, {waiting} warten',
    whatWorks: 'Was in welchem Browser geht',
    worksAll: 'Jeder Browser zeigt, was läuft, kann sich anmelden und bekommt Vorschläge, solange diese Seite sichtbar ist.',
    worksHidden: 'Telefone halten verborgene Seiten an. Ein Vorschlag wartet dann eine Minute.',
    worksBeacon: 'Kein Browser empfängt Beacons. Eine App, die es kann, auf Android oder iOS, öffnet diese Seite mit den Zahlen des Beacons.',
    worksPlain: 'Der Lautsprecher hat kein Zertifikat. Deshalb bieten Browser weder Mitteilungen noch Arbeit im Hintergrund.',

    companions: 'Begleiter', bluetooth: 'Bluetooth', beacon: 'Beacon', ready: 'bereit', notReady: 'nicht bereit',
    advertised: 'auf Sendung', notAdvertised: 'nicht auf Sendung', phones: 'Telefone', phonesHere: '{here} von {count} im Raum',
    openCompanion: 'Begleiter-Seite öffnen', presence: 'Anwesenheit', presence_present: 'da', presence_absent: 'weg',
    presence_unknown: 'noch nicht bekannt', buttons: 'Tasten', connected: 'verbunden', notConnected: 'nicht verbunden',
    mediaKeys: 'Medientasten', sleep: 'Ruhezustand',

    pair: 'Gerät koppeln', pairing: 'Kopplung', yes: 'Ja', no: 'Nein', pairNeedsPIN: 'Zum Koppeln ist eine PIN nötig. Setze sie mit der Partysperre.',
    pairHint: 'Bluetooth ist 30 Sekunden lang offen. Wähle das Gerät hier, oder koppele ein Telefon in dessen Einstellungen.',
    pair_opening: 'Öffnet…', pair_open: 'Sucht…', pair_pairing: 'Koppelt…', pair_paired: 'Gekoppelt: {name}',
    pair_closed: 'Das Fenster ist geschlossen.', pair_failed: 'Das Koppeln ist misslungen.', ask_confirm: 'Zeigt {name} die Zahl {number}?',
    ask_authorize: 'Darf {name} gekoppelt werden?', ask_type: 'Tippe {number} auf {name} und drücke Enter.',

    equalizer: 'Equalizer', eqPresets: 'Voreinstellungen', eqName: 'Name der Voreinstellung', eqNameOptional: 'Als Voreinstellung sichern (optional)',
    eqChanged: 'geändert', eqSave: 'Als neue Voreinstellung sichern', eqRename: '{name} umbenennen', eqReplaced: 'Ungesicherte Änderungen wurden ersetzt.',
    eqImport: 'Datei importieren', eqExport: 'Als Datei exportieren', eqImportHint: 'Eine Textdatei von Room EQ Wizard, AutoEQ oder Equalizer APO. Sie ersetzt die Bänder.',
    eqText: 'Text der Datei', eqTooLong: 'Die Datei ist länger als 64 KiB.', eqCurve: 'Frequenzgang', eqPreamp: 'Vorverstärkung (dB)', eqAutomatic: 'automatisch',
    eqBoost: 'Größte Anhebung der Bänder: {boost}. Vorverstärkung: {preamp}.', eqAdd: 'Band hinzufügen', eqBand: 'Band {number}', eqRemove: 'Band {number} entfernen',
    eq_kind: 'Art', eq_channel: 'Kanal', eq_frequency: 'Hz', eq_gain: 'dB', eq_q: 'Q',
    eq_kind_peak: 'Glocke', eq_kind_low_shelf: 'Tiefen', eq_kind_high_shelf: 'Höhen', eq_kind_low_pass: 'Tiefpass',
    eq_kind_high_pass: 'Hochpass', eq_kind_notch: 'Kerbe', eq_channel_both: 'Beide', eq_channel_left: 'Links', eq_channel_right: 'Rechts',
    alarms: 'Wecker', alarm: 'Wecker', addAlarm: 'Wecker hinzufügen', editAlarm: 'Wecker ändern', noAlarms: 'Keine Wecker', noAlarmsHint: 'Lass dich mit einem Sender, einem Favoriten oder der Warteschlange wecken.',
    alarmTime: 'Uhrzeit', alarmDays: 'Tage (keiner für einmal)', alarmSound: 'Spielt', alarmVolume: 'Lautstärke (0: wie sie ist)', alarmRamp: 'Lauter in Sekunden',
    alarmLimit: 'Endet nach Minuten', alarmSnooze: 'Schlummern in Minuten', alarmName: 'Name (freiwillig)', once: 'Einmal', daily: 'Täglich', tone: 'Eingebauter Ton',
    playlist: 'Playlist', nextAlarm: 'Nächstes Mal: {time}', timeZone: 'Zeitzone des Lautsprechers: {zone}', snooze: 'Schlummern',
    alarmRings: '{name} läutet', alarmTone: '{name} läutet mit dem eingebauten Ton: Die Musik ist nicht zu hören', alarmWaits: '{name} wartet auf das Ende einer Durchsage',
    alarmSnoozed: '{name}: schlummert bis {time}', alarmMissed: '{name} wurde verpasst: {time}',
    clockNotSet: 'Die Uhr des Lautsprechers ist noch nicht gestellt. Die Wecker warten.',
    sleepTimer: 'Schlummer-Timer', sleepHint: 'Beendet die Wiedergabe und blendet dabei 30 Sekunden lang aus.', sleepIn: 'Schlummer-Timer: {time}', sleepOff: 'Schlummer-Timer ausschalten',
    sleep_track: 'Ende des Titels', sleep_queue: 'Ende der Warteschlange', sleep_minutes: 'Schlummer-Timer',
    announcement: 'Durchsage', announcementHint: 'Ist über der Musik zu hören. Danach geht alles weiter wie zuvor.',
    announcementUri: 'Adresse eines Klangs (leer: nur der Gong)', announcementMode: 'Die Musik unterdessen',
    announcementDuck: 'spielt leise weiter', announcementPause: 'pausiert', announcementChime: 'Gong davor', announcementSeconds: 'Höchstens Sekunden', announcementGroup: 'In der ganzen Gruppe', announceNow: 'Durchsagen',
    announcementSame: 'wie die Musik', announcementLouder: '{steps} Stufen lauter', announced: 'Die Durchsage kommt.',
    announcementLoads: 'Die Durchsage wird geladen…', reason_announcement: 'Eine Durchsage ist über der Musik zu hören.',
  },
};

export const language = (navigator.languages ?? [navigator.language])
  .map((name) => name.slice(0, 2).toLowerCase()).find((name) => name in texts) ?? 'en';

const fill = (text, values) => text.replace(/\{(\w+)\}/g, (all, name) => values[name] ?? all);

/** A text in the language of the browser. */
export const t = (key, values = {}) => fill(texts[language][key] ?? texts.en[key] ?? key, values);

/** The words of the speaker in the language of the browser; it speaks English itself. */
const words = language === 'en' ? {} : (await import(`./speaker-${language}.js`)).words;

/** Translates texts that have a code, such as errors. Others stay in the English of the speaker. */
export function said(kind, code, english, values = {}) {
  const text = words[kind]?.[code];
  return text === undefined ? english : fill(text, values);
}

/** The name of an output, which is its notation in the state. `bin` means any GStreamer bin. */
export const outputName = (output, english = output === 'null' ? t('outputNull') : output) =>
  (output === 'bin' ? t('outputBin') : said('outputs', output, english));

/** A sentence about a track that could not be played. */
export function failureText(failure) {
  const { code, detail = '' } = failure;
  const reason = said('failures', code, null, { detail });
  return reason === null ? failure.text : code.startsWith('device_') ? reason : failureStart(failure) + reason;
}

/** The same beside the title of the track, without it. */
export function failureReason(failure) {
  const [text, start] = [failureText(failure), failureStart(failure)];
  return text.startsWith(start) ? text.slice(start.length) : text;
}

const failureStart = ({ title, host }) => t(host ? 'failedFrom' : 'failedTitle', { title, host });

/** Whether there is a text for a word of the server, such as a reason. */
export const has = (key) => key in texts.en;

/** A count with its noun, such as "1 track" and "12 tracks". */
export function counted(key, count) {
  return count === 1 ? t(`${key}1`) : t(key, { count: number(count) });
}

const formats = new Map();
/** A number in the format of the language, with this many decimals. */
export function number(value, decimals = 0) {
  if (!formats.has(decimals)) {
    formats.set(decimals, new Intl.NumberFormat(language, { minimumFractionDigits: decimals, maximumFractionDigits: decimals }));
  }
  return formats.get(decimals).format(value);
}

/** A time in a track, such as 3:05 or 1:02:03. */
export function time(seconds) {
  const whole = Math.max(0, Math.floor(seconds ?? 0));
  const two = (value) => String(value).padStart(2, '0');
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return hours ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

/** A level, such as "−12.5 dB". */
export function decibels(value) {
  if (value == null) return t('silence');
  return `${value < 0 ? '−' : ''}${number(Math.abs(value), 1)} dB`;
}

/** The format of a stream, such as "FLAC · 44.1 kHz · 24 bit". */
export function format(stream) {
  if (!stream) return '';
  const { codec, sample_rate: rate, bit_depth: depth, channels } = stream;
  return [
    codec, rate && `${number(rate / 1000, rate % 1000 ? 1 : 0)} kHz`, depth && t('bits', { depth }),
    channels && channels !== 2 && (channels === 1 ? t('channels1') : t('channels', { count: channels })),
  ].filter(Boolean).join(' · ');
}

/** The state of playback, such as "Playing". */
export const playingState = ({ state, waiting }) => t(waiting ? 'waiting' : state);

/** A duration, such as "3 d 4 h". */
export function duration(seconds) {
  const [days, hours, minutes] = [Math.floor(seconds / 86400), Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60];
  if (days) return `${t('days', { value: days })} ${t('hours', { value: hours })}`;
  if (hours) return `${t('hours', { value: hours })} ${t('minutes', { value: minutes })}`;
  return minutes ? t('minutes', { value: minutes }) : t('seconds', { value: Math.floor(seconds) });
}

/** The title of what is playing; stations without one show their address. */
export function playingTitle({ playing } = {}) {
  if (!playing || playing.state === 'empty') return '';
  if (playing.title) return playing.title;
  const name = (playing.uri ?? '').split(/[?#]/)[0].split('/').pop();
  try { return decodeURIComponent(name) || t('untitled'); } catch { return name || t('untitled'); }
}
