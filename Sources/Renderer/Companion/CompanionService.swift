import Companion
import Logging
import ServiceLifecycle

/// Runs the companions until the program ends.
struct CompanionService: Service {
  let settings: CompanionSettings
  let context: CompanionContext

  func run() async {
    let companion = await Companion(settings, context)
    await companion.start()
    try? await gracefulShutdown()
    await companion.stop()
  }
}

extension CompanionSettings {
  init(_ configuration: Configuration) {
    self.init()
    mqtt = MQTTSettings(configuration)
  }
}
