/// Builds service descriptions for tests.
enum SCPD {
  static func document(actions: String = "", variables: String = "") -> String {
    """
    <scpd xmlns="urn:schemas-upnp-org:service-1-0">
    <actionList>\(actions)</actionList>
    <serviceStateTable>\(variables)</serviceStateTable>
    </scpd>

    """
  }

  /// - Parameter arguments: such as `in Speed: TransportPlaySpeed`.
  static func action(_ name: String, _ arguments: String...) -> String {
    let list = arguments.map { argument in
      let words = argument.split { $0 == " " || $0 == ":" }
      return "<argument><name>\(words[1])</name><direction>\(words[0])</direction>"
        + "<relatedStateVariable>\(words[2])</relatedStateVariable></argument>"
    }
    return "<action><name>\(name)</name><argumentList>\(list.joined())</argumentList></action>"
  }

  static func variable(
    _ name: String, _ type: String = "string", evented: String = "no", values: [String] = [],
    range: (String, String)? = nil,
    initial: String? = nil
  ) -> String {
    var text = "<stateVariable sendEvents=\"\(evented)\"><name>\(name)</name><dataType>\(type)</dataType>"
    if let initial { text += "<defaultValue>\(initial)</defaultValue>" }
    if !values.isEmpty {
      let list = values.map { "<allowedValue>\($0)</allowedValue>" }.joined()
      text += "<allowedValueList>\(list)</allowedValueList>"
    }
    if let (low, high) = range {
      text += "<allowedValueRange><minimum>\(low)</minimum><maximum>\(high)</maximum></allowedValueRange>"
    }
    return text + "</stateVariable>"
  }
}

extension String {
  /// Whether generated code contains the lines, ignoring indentation.
  func containsLines(_ part: String) -> Bool {
    func flat(_ text: String) -> String {
      "\n" + text.split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: "\n") + "\n"
    }
    return flat(self).contains(flat(part))
  }
}
