import UPnP

/// A variable's allowed values, in the form that the generator emits.
enum PlayMode: String, AllowedValue {
  case normal = "NORMAL"
  case repeatAll = "REPEAT_ALL"
}
