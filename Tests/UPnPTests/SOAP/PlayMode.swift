import UPnP

/// A variable's allowed values, as the generator writes them.
enum PlayMode: String, AllowedValue {
  case normal = "NORMAL"
  case repeatAll = "REPEAT_ALL"
}
