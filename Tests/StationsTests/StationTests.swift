import Testing

@testable import Stations

@Suite struct StationTests {
  private func station(_ members: String) -> Station? {
    Station.list(Array("[{\(members)}]".utf8))?.first
  }

  @Test func readsTheFactsOfAStation() {
    let found = station(
      #"""
      "stationuuid":"00aa-1","name":" A\n B ","url":"http://192.0.2.1/a","url_resolved":"https://192.0.2.2/b",
      "favicon":"http://192.0.2.1/a.png","codec":"AAC+","bitrate":64,"country":"The Netherlands","countrycode":"nl",
      "language":"dutch, english ,","tags":"pop,,rock","votes":7,"lastcheckok":1,"geo_lat":null,"unknown":[]
      """#)
    #expect(
      found
        == Station(
          id: "00aa-1", title: "A B", uri: "https://192.0.2.2/b", artURI: "http://192.0.2.1/a.png", codec: "AAC+",
          bitRate: 64000, country: "The Netherlands", countryCode: "NL", languages: ["dutch", "english"],
          tags: ["pop", "rock"], votes: 7))
    #expect(found?.summary == "The Netherlands · pop, rock · AAC+ 64 kbit/s")
  }

  @Test(arguments: [
    #""stationuuid":"1","url":"http://192.0.2.1/a""#,
    #""stationuuid":"1","url":"http://192.0.2.1/a","url_resolved":"""#,
    #""stationuuid":"1","url":"http://192.0.2.1/a","bitrate":"128","votes":-1,"tags":7,"name":null,"favicon":"javascript:""#,
    #""stationuuid":"1","url":"http://192.0.2.1/a","bitrate":99999999,"codec":"UNKNOWN","countrycode":"1""#,
  ])
  func leavesOutWhatIsWrongOrMissing(_ members: String) {
    #expect(
      station(members)
        == Station(id: "1", title: "192.0.2.1", uri: "http://192.0.2.1/a", languages: [], tags: [], votes: 0))
  }

  @Test(arguments: [
    #""name":"A","url":"http://192.0.2.1/a""#, #""stationuuid":"1","name":"A""#,
    #""stationuuid":"1","url":"ftp://a/b""#,
    #""stationuuid":"1/..","url":"http://192.0.2.1/a""#, #""stationuuid":"1","url":"http://192.0.2.1/a b\r\nX: y""#,
    #""stationuuid":"1","url":"http://192.0.2.1/a","lastcheckok":0"#,
  ])
  func leavesOutStationsThatCannotBeUsed(_ members: String) {
    let good = #"{"stationuuid":"2","name":"B","url":"http://192.0.2.1/b"}"#
    #expect(Station.list(Array("[{\(members)},\(good),7,null]".utf8))?.map(\.id) == ["2"])
  }

  @Test(arguments: ["", "{}", "[", #"[{"stationuuid""#, "null", "<html>"])
  func otherDocumentsAreNoLists(_ text: String) { #expect(Station.list(Array(text.utf8)) == nil) }

  @Test(arguments: [("DE", "DE"), ("de", "DE"), ("Germany", nil), ("D1", nil), ("", nil), ("ß", nil)])
  func countriesHaveTwoLetters(_ text: String, _ code: String?) { #expect(CountryCode(text)?.text == code) }
}

@Suite struct StationQueryTests {
  @Test(arguments: [
    ("radio  paradise", "name=radio%20paradise&"), ("", ""),
    ("tag:smooth jazz country:New Zealand", "country=New%20Zealand&tag=smooth%20jazz&"),
    ("Bayern country:DE", "name=Bayern&countrycode=DE&"), ("LANGUAGE: german", "language=german&"), ("tag:", ""),
    ("a:b http://x", "name=a%3Ab%20http%3A%2F%2Fx&"), ("é&=+", "name=%C3%A9%26%3D%2B&"), ("tag:a tag:b", "tag=b&"),
  ])
  func readsWordsAndFields(_ text: String, _ query: String) {
    #expect(
      StationQuery(text).path
        == "/json/stations/search?\(query)hidebroken=true&order=votes&reverse=true&limit=200")
  }

  @Test func theLongestWordStandsForSeveral() {
    #expect(StationQuery("bbc radio 4 tag:news").loosened == StationQuery("radio tag:news"))
    #expect(StationQuery("radio tag:jazz music").loosened == nil)
  }

  @Test func theStationOfThatNameIsMeant() {
    let named = { Station(id: "1", title: $0, uri: "http://192.0.2.1/", languages: [], tags: [], votes: 0) }
    let stations = [named("Radio Jazz Berlin"), named("radio jazz")]
    #expect(stations.best(for: StationQuery("Radio  Jazz"))?.title == "radio jazz")
    #expect(stations.best(for: StationQuery("radio"))?.title == "Radio Jazz Berlin")
  }
}

@Suite struct HomeCountryTests {
  @Test(arguments: [
    ("de_AT.UTF-8", "AT"), ("en_GB", "GB"), ("pt_BR.UTF-8@x", "BR"), ("C.UTF-8", nil), ("POSIX", nil), ("de", nil),
    ("", nil),
  ])
  func readsTheLocale(_ locale: String, _ country: String?) {
    #expect(HomeCountry.country(ofLocale: locale)?.text == country)
    #expect(HomeCountry.find(zone: nil) { $0 == "LANG" ? locale : nil }?.text == country)
  }

  @Test func theTimeZoneIsBetterThanTheLocale() {
    let find = { HomeCountry.find(zone: $0) { $0 == "LC_ALL" ? "en_GB.UTF-8" : "de_DE" }?.text }
    #expect(find("Europe/Vienna") == "AT")
    #expect(find("Europe/Vienn") == "GB")
    #expect(find("UTC") == "GB")
    #expect(HomeCountry.find(zone: "Europe/Vienna", table: "/nonexistent") { _ in nil } == nil)
  }
}
