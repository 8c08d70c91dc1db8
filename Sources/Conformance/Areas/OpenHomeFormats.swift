import UPnP

/// Requirements that several OpenHome services share.
enum OpenHomeFormats {
  /// The grammar of ProtocolInfo.
  static func protocolInfo(_ id: String, _ service: String, source: String) -> Check {
    Check(
      id, .openHome, .practice, "ProtocolInfo of \(service) is a list of entries with four fields.", source: source,
      needs: [.action(service, "ProtocolInfo")],
      steps: "Reads ProtocolInfo. It must not be empty, and each entry has to have a MIME type or * in its third field."
    ) { context async throws(Finding) in
      let text = try await context.call(service, "ProtocolInfo")["Value"] ?? ""
      try context.expect(!ProtocolInfo.list(text).isEmpty, "formats in ProtocolInfo", got: "an empty text")
      try context.expectNone(ProtocolInfoForm.malformed(in: text), "protocol:network:format:info")
    }
  }
}

/// The grammar of protocolInfo (ConnectionManager:1 §2.5.2).
enum ProtocolInfoForm {
  /// The entries of a list that violate the grammar, quoted.
  static func malformed(in list: String) -> [String] {
    ProtocolInfo.list(list).filter { entry in
      let fields = entry.text.split(separator: ":", maxSplits: 3, omittingEmptySubsequences: false)
      let isHTTP = entry.transport == "http-get"
      return fields.count != 4 || fields.contains("")
        || (isHTTP && entry.contentFormat != "*" && !entry.contentFormat.contains("/"))
    }.map { "\"\($0.text.prefix(60))\"" }
  }
}
