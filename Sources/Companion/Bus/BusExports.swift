/// The exported objects with their standard interfaces: Properties and Introspectable.
@CompanionActor final class BusExports {
  private struct Export {
    let path: String
    let interface: BusInterface
  }

  private static let properties = "org.freedesktop.DBus.Properties"
  private static let introspectable = "org.freedesktop.DBus.Introspectable"

  private var exports: [Int: Export] = [:]

  func add(_ id: Int, _ path: String, _ interface: BusInterface) {
    exports[id] = Export(path: path, interface: interface)
  }

  func remove(_ id: Int) { exports[id] = nil }

  func interface(_ path: String, _ name: String) -> BusInterface? {
    exports.values.first { $0.path == path && $0.interface.name == name }?.interface
  }

  private func interfaces(_ path: String) -> [BusInterface] {
    exports.sorted { $0.key < $1.key }.filter { $0.value.path == path }.map(\.value.interface)
  }

  private static func isBelow(_ path: String, _ root: String) -> Bool {
    path != root && path.hasPrefix(root == "/" ? "/" : root + "/")
  }

  // MARK: Calls

  /// Whether something is exported at the path or below it.
  func contains(_ path: String) -> Bool {
    exports.values.contains { $0.path == path || Self.isBelow($0.path, path) }
  }

  /// Performs a call, and replies when it is done.
  func answer(_ message: BusMessage, on connection: BusConnection) {
    let arguments: [BusValue]
    do throws(BusError) {
      arguments = try message.arguments()
    } catch {
      return connection.reply(to: message, .failure(.invalidArguments(error.description)))
    }
    let call = BusCall(sender: message.sender, path: message.path, arguments: arguments)
    Task { @CompanionActor in
      let result: Result<[BusValue], BusFault>
      do throws(BusFault) {
        result = .success(try await perform(message.interface, message.member, message.signature, call))
      } catch {
        result = .failure(error)
      }
      connection.reply(to: message, result)
    }
  }

  /// - Parameter signature: the signature of the arguments.
  private func perform(
    _ interface: String, _ member: String, _ signature: String, _ call: BusCall
  ) async throws(BusFault) -> [BusValue] {
    switch (interface, member, signature) {
    case (Self.properties, "Get", "ss"): return [.variant(try property(call).get())]
    case (Self.properties, "GetAll", "s"): return [try known(call).values]
    case (Self.properties, "Set", "ssv"):
      try set(call)
      return []
    case (Self.introspectable, "Introspect", ""): return [.string(introspection(call.path))]
    default: break
    }
    guard let method = method(interface, member, call.path) else {
      throw BusFault("org.freedesktop.DBus.Error.UnknownMethod", "There is no method \(member) here.")
    }
    let expected = method.inputs.map(\.signature).joined()
    guard signature == expected else {
      throw .invalidArguments("\(member) takes arguments of the types “\(expected)”, not “\(signature)”.")
    }
    return try await method.body(call)
  }

  /// - Parameter interface: the interface's name; empty for any.
  private func method(_ interface: String, _ member: String, _ path: String) -> BusInterface.Method? {
    interfaces(path).lazy.filter { interface.isEmpty || $0.name == interface }
      .flatMap(\.methods).first { $0.name == member }
  }

  private func known(_ call: BusCall) throws(BusFault) -> BusInterface {
    let name = call.arguments.first?.string ?? ""
    guard let interface = interface(call.path, name) else {
      throw BusFault("org.freedesktop.DBus.Error.UnknownInterface", "There is no interface \(name) here.")
    }
    return interface
  }

  private func property(_ call: BusCall) throws(BusFault) -> BusInterface.Property {
    let name = call.arguments.dropFirst().first?.string ?? ""
    guard let property = try known(call).properties.first(where: { $0.name == name }) else {
      throw BusFault("org.freedesktop.DBus.Error.UnknownProperty", "There is no property \(name) here.")
    }
    return property
  }

  private func set(_ call: BusCall) throws(BusFault) {
    let property = try property(call)
    guard let set = property.set else {
      throw BusFault("org.freedesktop.DBus.Error.PropertyReadOnly", "\(property.name) is read-only.")
    }
    guard case .variant(let value) = call.arguments.last, value.signature == property.signature else {
      throw .invalidArguments("\(property.name) has the type \(property.signature).")
    }
    try set(value)
  }

  // MARK: Description

  private func introspection(_ path: String) -> String {
    let here = interfaces(path)
    var parts = here.map(\.xml)
    if !here.isEmpty { parts.append(Self.propertiesXML) }
    let prefix = path == "/" ? 1 : path.utf8.count + 1
    let children = Set(
      exports.values.map(\.path).filter { Self.isBelow($0, path) }
        .compactMap { $0.dropFirst(prefix).split(separator: "/").first.map(String.init) })
    parts += children.sorted().map { " <node name=\"\($0)\"/>" }
    return """
      <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN" \
      "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
      <node>
      \(parts.joined(separator: "\n"))
      </node>

      """
  }

  private static let propertiesXML = """
     <interface name="org.freedesktop.DBus.Properties">
      <method name="Get">
       <arg name="interface" type="s" direction="in"/>
       <arg name="property" type="s" direction="in"/>
       <arg name="value" type="v" direction="out"/>
      </method>
      <method name="GetAll">
       <arg name="interface" type="s" direction="in"/>
       <arg name="properties" type="a{sv}" direction="out"/>
      </method>
      <method name="Set">
       <arg name="interface" type="s" direction="in"/>
       <arg name="property" type="s" direction="in"/>
       <arg name="value" type="v" direction="in"/>
      </method>
      <signal name="PropertiesChanged">
       <arg name="interface" type="s"/>
       <arg name="changed" type="a{sv}"/>
       <arg name="invalidated" type="as"/>
      </signal>
     </interface>
    """
}
