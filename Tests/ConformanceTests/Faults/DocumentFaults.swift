extension FaultRow {
  static let discovery: [FaultRow] =
    [
      FaultRow("uda/1.3.3/answers", Fault(searchDelay: { _ in .milliseconds(900) })),
      FaultRow("uda/1.3.3/own-targets", .search { search, answers in search.contains(":service:") ? [] : answers }),
      FaultRow(
        "uda/1.3.3/older-version", .search { search, answers in search.contains("MediaRenderer:1") ? [] : answers }),
      FaultRow(
        "uda/1.3.3/all",
        .search { search, answers in
          search.contains("ssdp:all") ? answers.filter { !$0.contains("service:AVTransport") } : answers
        }),
      FaultRow("uda/1.3.3/unicast", .search { search, answers in search.contains("HOST: 239.") ? answers : [] }),
      FaultRow("uda/1.3.3/st", .searchText("ST: upnp:rootdevice", "ST: upnp:root")),
      FaultRow("uda/1.3.3/usn", .searchText("::upnp:rootdevice", "")),
      FaultRow(
        "uda/1.3.3/udn",
        .searchText("USN: \(StandInDevice.renderer.udn)", "USN: uuid:00000000-0000-4000-8000-000000000000")),
      FaultRow("uda/1.3.3/location", .searchText("/renderer/description.xml", "/renderer/none.xml")),
      FaultRow("uda/1.3.3/cache-control", .searchText("max-age=1800", "no-cache")),
      FaultRow("uda/1.3.3/max-age", .searchText("max-age=1800", "max-age=100")),
      FaultRow("uda/1.3.3/ext", .searchText("EXT:\r\n", "")),
      FaultRow("uda/1.3.3/server", .searchText(" UPnP/1.1", "")),
      FaultRow("uda/1.3.3/bootid", .searchText("BOOTID.UPNP.ORG: 1\r\n", "")),
    ]
    + [
      "mx-missing", "mx-empty", "mx-negative", "mx-text", "man-missing", "man-other", "st-missing", "st-empty",
      "st-unknown", "other-udn", "other-type", "newer-version", "request-uri", "http-version",
    ].map { name in
      FaultRow(
        "uda/1.3.2/\(name)",
        .search { _, answers in
          answers.isEmpty
            ? ["HTTP/1.1 200 OK\r\nST: upnp:rootdevice\r\nUSN: \(StandInDevice.renderer.udn)::upnp:rootdevice\r\n\r\n"]
            : answers
        })
    }

  static let description: [FaultRow] = [
    FaultRow("uda/2.3/well-formed", .description("<friendlyName>", "<friendlyName>This & ")),
    FaultRow("uda/2.3/namespace", .description("urn:schemas-upnp-org:device-1-0", "urn:schemas-upnp-org:device")),
    FaultRow("uda/2.3/spec-version", .description("<minor>1</minor>", "<minor>9</minor>")),
    FaultRow("uda/2.3/required-elements", .description("modelName>", "model>")),
    FaultRow("uda/2.3/udn", .description("<UDN>\(StandInDevice.renderer.udn)", "<UDN>uuid:1")),
    FaultRow(
      "uda/2.3/friendly-name",
      .description("<friendlyName>", "<friendlyName>" + String(repeating: "long ", count: 20))),
    FaultRow(
      "uda/2.3/service-ids",
      .description("urn:upnp-org:serviceId:RenderingControl", "urn:upnp-org:serviceId:AVTransport")),
    FaultRow("uda/2.3/standard-service-ids", .description("urn:upnp-org:serviceId:AVTransport", "urn:x:AVT")),
    FaultRow(
      "uda/2.3/urls", .description("<controlURL>/renderer/AVTransport/control</controlURL>", "<controlURL/>")),
    FaultRow("uda/2.11/content-type", .answer("GET", "/description.xml") { $0.set("Content-Type", "text/plain") }),
    FaultRow("rfc9110/9.3.2/head", .answer("HEAD", "/description.xml") { $0.excess = "<root/>" }),
    FaultRow(
      "uda/2.3/presentation",
      .description("/renderer/description.xml</presentationURL>", "/renderer/none.html</presentationURL>")),
    FaultRow("uda/2.3/icons-load", .answer("GET", "/icon.png") { $0.set("Content-Type", "image/jpeg") }),
    FaultRow("uda/2.3/icon-size", .description("<width>48", "<width>120")),
  ]

  static let serviceDescriptions: [FaultRow] = [
    FaultRow("uda/2.5/readable", .answer("GET", "/AVTransport/scpd.xml") { $0.status = 404 }),
    FaultRow("uda/2.5/well-formed", .scpd("AVTransport", "</scpd>", " & </scpd>")),
    FaultRow("uda/2.5/namespace", .scpd("AVTransport", "service-1-0", "service")),
    FaultRow(
      "uda/2.5/related-variable",
      .scpd("RenderingControl", "<relatedStateVariable>PresetNameList", "<relatedStateVariable>Presets")),
    FaultRow("uda/2.5/unique-names", .scpd("AVTransport", "<name>Pause</name>", "<name>Play</name>")),
    FaultRow(
      "uda/2.5/argument-order",
      .answer("GET", "/RenderingControl/scpd.xml") { response in
        guard let action = response.text.firstRange(of: "<name>GetVolume</name>"),
          let direction = response.text[action.upperBound...].firstRange(of: ">in<")
        else { return }
        response.text.replaceSubrange(direction, with: ">out<")
      }),
    FaultRow("uda/2.5/data-type", .scpd("RenderingControl", "<dataType>ui2", "<dataType>short")),
    FaultRow("uda/2.5/range", .scpd("RenderingControl", "<maximum>100", "<maximum>0")),
    FaultRow("uda/2.5/default", .scpd("AVTransport", "<defaultValue>OK", "<defaultValue>FINE")),
    FaultRow(
      "uda/2.5/allowed-values",
      .scpd("AVTransport", "<allowedValue>STOPPED</allowedValue>", "<allowedValue>PLAYING</allowedValue>")),
    FaultRow("uda/2.5/required-actions", .scpd("AVTransport", "<name>Previous</name>", "<name>Back</name>")),
    FaultRow("uda/2.5/declared-works", .refuses("#GetMediaInfo", code: 602)),
    FaultRow("uda/2.5/outputs", .action("GetTransportInfo") { $0.replace("<CurrentSpeed>1</CurrentSpeed>", "") }),
    FaultRow(
      "uda/2.5/output-order",
      .action("GetTransportInfo") { response in
        response.replace("<CurrentSpeed>1</CurrentSpeed>", "")
        response.replace("<CurrentTransportState>", "<CurrentSpeed>1</CurrentSpeed><CurrentTransportState>")
      }),
    FaultRow("uda/2.5/output-values", .output("CurrentVolume", of: "GetVolume", "loud")),
  ]
}
