import CAvahi
import Glibc
import Logging

/// The thread that talks to the Avahi daemon. Everything except `start` runs on it.
final class AvahiThread {
  /// Bounds of the reconnection backoff in milliseconds. It doubles before each attempt. Needed only without D-Bus,
  /// where nothing reports that the daemon starts.
  private static let shortestRetry: CInt = 500
  private static let longestRetry: CInt = 64_000
  /// AVAHI_IF_UNSPEC and AVAHI_PROTO_UNSPEC: macros with a cast, which are not imported.
  private static let anyInterface: AvahiIfIndex = -1
  private static let anyProtocol: AvahiProtocol = -1

  private let publisher: DNSSDPublisher
  private let logger: Logger
  private let poll: OpaquePointer
  private var client: OpaquePointer?
  private var group: OpaquePointer?
  /// The browsers of the watched types.
  private var browsers: [String: OpaquePointer] = [:]
  private var registration = DNSSDRegistration(services: [])
  private var mustReconnect = false
  private var retry = AvahiThread.shortestRetry
  private var isAbsenceKnown = false

  private init?(publisher: DNSSDPublisher, logger: Logger) {
    guard let poll = avahi_simple_poll_new() else { return nil }
    self.poll = poll
    self.publisher = publisher
    self.logger = logger
  }

  /// Starts the thread. Returns nil if it cannot be created.
  static func start(publisher: DNSSDPublisher, logger: Logger) -> pthread_t? {
    let start = Unmanaged.passRetained(Start(publisher: publisher, logger: logger))
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    // D-Bus and Avahi need far less than the default of 8 MiB.
    pthread_attr_setstacksize(&attributes, 256 * 1024)
    var thread = pthread_t()
    let error = pthread_create(
      &thread, &attributes,
      { context in
        guard let context else { return nil }
        let start = Unmanaged<Start>.fromOpaque(context).takeRetainedValue()
        AvahiThread(publisher: start.publisher, logger: start.logger)?.run()
        return nil
      }, start.toOpaque())
    guard error == 0 else {
      start.release()
      return nil
    }
    return thread
  }

  /// The arguments of the thread.
  private final class Start: Sendable {
    let publisher: DNSSDPublisher
    let logger: Logger

    init(publisher: DNSSDPublisher, logger: Logger) {
      self.publisher = publisher
      self.logger = logger
    }
  }

  private func run() {
    let handle = PollHandle(poll: poll)
    publisher.setWakeUp { avahi_simple_poll_wakeup(handle.poll) }
    while true {
      let wanted = publisher.wanted
      if wanted.isStopped { break }
      perform(registration.publish(wanted.services))
      if mustReconnect { disconnect() }
      if client == nil { connect() }
      watch(registration.watchedTypes)
      guard avahi_simple_poll_iterate(poll, client == nil ? retry : -1) == 0 else { break }
    }
    publisher.setWakeUp(nil)
    disconnect()
    avahi_simple_poll_free(poll)
  }

  private func connect() {
    var error: CInt = 0
    // `avahi_client_new` may call the callback before it returns.
    client = avahi_client_new(
      avahi_simple_poll_get(poll), AVAHI_CLIENT_NO_FAIL,
      { client, state, context in
        guard let client, let context else { return }
        Unmanaged<AvahiThread>.fromOpaque(context).takeUnretainedValue().clientChanged(client, state)
      }, Unmanaged.passUnretained(self).toOpaque(), &error)
    if client == nil {
      retry = min(retry * 2, Self.longestRetry)
      reportAbsence(String(cString: avahi_strerror(error)))
    } else {
      retry = Self.shortestRetry
    }
  }

  private func disconnect() {
    mustReconnect = false
    // Also frees the group and the browsers.
    if let client { avahi_client_free(client) }
    client = nil
    group = nil
    browsers = [:]
  }

  private func clientChanged(_ client: OpaquePointer, _ state: AvahiClientState) {
    self.client = client
    switch state {
    case AVAHI_CLIENT_S_RUNNING: perform(registration.daemon(.running))
    case AVAHI_CLIENT_S_REGISTERING, AVAHI_CLIENT_S_COLLISION: perform(registration.daemon(.busy))
    case AVAHI_CLIENT_CONNECTING:
      reportAbsence("the daemon is not running")
      perform(registration.daemon(.absent))
    default: perform(registration.daemon(.lost))
    }
  }

  private func groupChanged(_ state: AvahiEntryGroupState) {
    switch state {
    case AVAHI_ENTRY_GROUP_ESTABLISHED:
      isAbsenceKnown = false
      logger.info("DNS-SD: services are announced")
    case AVAHI_ENTRY_GROUP_COLLISION: perform(registration.nameIsTaken())
    case AVAHI_ENTRY_GROUP_FAILURE: reportError()
    default: break
    }
  }

  private func perform(_ actions: [DNSSDRegistration.Action]) {
    for action in actions {
      switch action {
      case .register(let services): register(services)
      case .withdraw: if let group { avahi_entry_group_reset(group) }
      // A client must not be freed in its own callback.
      case .reconnect: mustReconnect = true
      }
    }
  }

  private func register(_ services: [DNSSDService]) {
    guard let client else { return }
    if let group {
      avahi_entry_group_reset(group)
    } else {
      group = avahi_entry_group_new(
        client,
        { _, state, context in
          guard let context else { return }
          Unmanaged<AvahiThread>.fromOpaque(context).takeUnretainedValue().groupChanged(state)
        }, Unmanaged.passUnretained(self).toOpaque())
    }
    guard let group else { return reportError() }
    for service in services {
      var entries: UnsafeMutablePointer<AvahiStringList>?
      for entry in service.txt.reversed() { entries = avahi_string_list_add(entries, entry) }
      defer { avahi_string_list_free(entries) }
      let error = avahi_entry_group_add_service_strlst(
        group, service.interfaceIndex.map(AvahiIfIndex.init) ?? Self.anyInterface, Self.anyProtocol,
        AvahiPublishFlags(rawValue: 0), service.name, service.type, nil, nil, service.port, entries)
      if error == AVAHI_ERR_COLLISION { return perform(registration.nameIsTaken()) }
      if error != 0 { return reportError() }
    }
    if avahi_entry_group_commit(group) != 0 { reportError() }
  }

  /// Browses exactly these types. It frees browsers, so it must not be called from a browser's callback.
  private func watch(_ types: Set<String>) {
    for (type, browser) in browsers where !types.contains(type) {
      avahi_service_browser_free(browser)
      browsers[type] = nil
    }
    guard let client else { return }
    for type in types where browsers[type] == nil {
      browsers[type] = avahi_service_browser_new(
        client, Self.anyInterface, Self.anyProtocol, type, nil, AvahiLookupFlags(rawValue: 0),
        { _, interface, `protocol`, event, name, type, _, _, context in
          guard let name, let type, let context else { return }
          let instance = DNSSDRegistration.Instance(
            name: String(cString: name), type: String(cString: type), interface: interface, protocol: `protocol`)
          Unmanaged<AvahiThread>.fromOpaque(context).takeUnretainedValue().observed(instance, event)
        }, Unmanaged.passUnretained(self).toOpaque())
    }
  }

  private func observed(_ instance: DNSSDRegistration.Instance, _ event: AvahiBrowserEvent) {
    switch event {
    case AVAHI_BROWSER_NEW: perform(registration.observe(instance, isThere: true))
    case AVAHI_BROWSER_REMOVE: perform(registration.observe(instance, isThere: false))
    default: break
    }
  }

  /// Logs that the daemon is absent, once per absence.
  private func reportAbsence(_ reason: String) {
    guard !isAbsenceKnown else { return }
    isAbsenceKnown = true
    logger.info("DNS-SD services are not announced: \(reason)")
  }

  private func reportError() {
    let error = client.map { String(cString: avahi_strerror(avahi_client_errno($0))) } ?? ""
    logger.warning("DNS-SD: \(error)")
  }
}

/// A handle to the poll, with which other threads wake it up.
///
/// Safe as Sendable: `avahi_simple_poll_wakeup` only writes to a pipe and may be called from any thread. The publisher calls
/// it under its lock, and drops it before the poll is freed.
private struct PollHandle: @unchecked Sendable {
  let poll: OpaquePointer
}
