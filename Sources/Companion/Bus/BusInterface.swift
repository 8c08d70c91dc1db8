/// An interface of an exported object.
package struct BusInterface: Sendable {
  package struct Argument: Sendable {
    let name: String
    let signature: String

    package init(_ name: String, _ signature: String) {
      self.name = name
      self.signature = signature
    }
  }

  package struct Method: Sendable {
    let name: String
    let inputs: [Argument]
    let outputs: [Argument]
    let body: @CompanionActor @Sendable (BusCall) async throws(BusFault) -> [BusValue]

    /// The body is called only with arguments of the declared types. Calls start in the order of their arrival.
    package init(
      _ name: String, in inputs: [Argument] = [], out outputs: [Argument] = [],
      _ body: @escaping @CompanionActor @Sendable (BusCall) async throws(BusFault) -> [BusValue]
    ) {
      self.name = name
      self.inputs = inputs
      self.outputs = outputs
      self.body = body
    }
  }

  package struct Property: Sendable {
    let name: String
    let signature: String
    let emitsChange: Bool
    let get: @CompanionActor @Sendable () -> BusValue
    let set: (@CompanionActor @Sendable (BusValue) throws(BusFault) -> Void)?

    /// - Parameters:
    ///   - emitsChange: whether changes are announced. The owner calls `Bus.emitPropertiesChanged`.
    ///   - get: returns a value of the declared type, without a variant.
    ///   - set: called with a value of the declared type; nil for a read-only property.
    package init(
      _ name: String, _ signature: String, emitsChange: Bool = true,
      get: @escaping @CompanionActor @Sendable () -> BusValue,
      set: (@CompanionActor @Sendable (BusValue) throws(BusFault) -> Void)? = nil
    ) {
      self.name = name
      self.signature = signature
      self.emitsChange = emitsChange
      self.get = get
      self.set = set
    }
  }

  /// A signal, for introspection only.
  package struct Signal: Sendable {
    let name: String
    let arguments: [Argument]

    package init(_ name: String, _ arguments: [Argument] = []) {
      self.name = name
      self.arguments = arguments
    }
  }

  let name: String
  let methods: [Method]
  let properties: [Property]
  let signals: [Signal]

  package init(
    _ name: String, methods: [Method] = [], properties: [Property] = [], signals: [Signal] = []
  ) {
    self.name = name
    self.methods = methods
    self.properties = properties
    self.signals = signals
  }

  /// The properties, as `a{sv}`.
  @CompanionActor var values: BusValue {
    .options(Dictionary(properties.map { ($0.name, $0.get()) }, uniquingKeysWith: { first, _ in first }))
  }
}

/// A call of an exported method.
package struct BusCall: Sendable {
  /// The caller's unique name.
  package let sender: String
  package let path: String
  package let arguments: [BusValue]
}

// MARK: Introspection

extension BusInterface {
  var xml: String {
    var lines = [" <interface name=\"\(name)\">"]
    for method in methods {
      lines.append("  <method name=\"\(method.name)\">")
      lines += method.inputs.map { "   <arg name=\"\($0.name)\" type=\"\($0.signature)\" direction=\"in\"/>" }
      lines += method.outputs.map { "   <arg name=\"\($0.name)\" type=\"\($0.signature)\" direction=\"out\"/>" }
      lines.append("  </method>")
    }
    for signal in signals {
      lines.append("  <signal name=\"\(signal.name)\">")
      lines += signal.arguments.map { "   <arg name=\"\($0.name)\" type=\"\($0.signature)\"/>" }
      lines.append("  </signal>")
    }
    for property in properties {
      let access = property.set == nil ? "read" : "readwrite"
      let annotation = "org.freedesktop.DBus.Property.EmitsChangedSignal"
      lines += [
        "  <property name=\"\(property.name)\" type=\"\(property.signature)\" access=\"\(access)\">",
        "   <annotation name=\"\(annotation)\" value=\"\(property.emitsChange)\"/>",
        "  </property>",
      ]
    }
    return (lines + [" </interface>"]).joined(separator: "\n")
  }
}
