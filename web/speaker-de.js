/** What the speaker says, in German: `said` finds it by the code of an error, the key of a setting and so on. A test compares it
    with the program. */
export const words = {
  /** Why a track could not be played. */
  failures: {
    not_found: 'Diese Datei gibt es nicht.',
    not_authorized: 'Der Zugriff ist nicht erlaubt oder erfordert eine Anmeldung.',
    server_error: 'Der Server antwortete mit dem Status {detail}.',
    refused: 'Der Server nimmt keine Verbindung an.',
    unknown_host: 'Der Name des Servers ist unbekannt.',
    unreachable: 'Der Server ist nicht erreichbar.',
    untrusted_certificate: 'Dem Zertifikat des Servers wird nicht vertraut.',
    insecure: 'Die verschlüsselte Verbindung zum Server kam nicht zustande.',
    too_many_redirects: 'Der Server leitet zu oft weiter.',
    not_audio: 'Der Stream enthält keinen Ton.',
    unsupported_format: 'Es gibt keinen Decoder für {detail}.',
    unsupported_scheme: 'Adressen mit „{detail}“ werden nicht unterstützt: http oder https verwenden.',
    bad_address: 'Die Adresse ist ungültig.',
    forbidden_folder: 'Die Datei liegt nicht in einem erlaubten Ordner.',
    truncated: 'Der Stream brach ab und konnte nicht fortgesetzt werden.',
    empty: 'Die Datei ist leer.',
    damaged: 'Die Tondaten sind beschädigt.',
    timed_out: 'Der Server antwortete nicht rechtzeitig.',
    stalled: 'Der Server sendet nichts mehr.',
    bad_playlist: 'Die Playlist hat keinen abspielbaren Eintrag.',
    device_busy: 'Ein anderes Programm benutzt das Audiogerät.',
    device_missing: 'Das Audiogerät fehlt oder wurde abgezogen.',
    device_forbidden: 'Keine Erlaubnis für das Audiogerät: Diesen Benutzer in die Gruppe „audio“ aufnehmen.',
    device_failed: 'Das Audiogerät meldet einen Fehler: {detail}.',
    failed: 'Die Wiedergabe ist gescheitert: {detail}.',
  },
};
