import NIOCore
import UPnP

extension EventBody {
  /// - Returns: a property set that holds the given variables with their current values.
  static func build(_ variables: VariableSet, of store: VariableStore) -> ByteBuffer {
    switch store.form {
    case .properties:
      return build(variables.indices.lazy.map { (store.variables[$0].name, store.value(of: $0)) })
    case .lastChange(let namespace):
      let text = lastChange(
        variables.indices.lazy.map { index in
          let variable = store.variables[index]
          return (variable.name, variable.channel, store.value(of: index))
        }, namespace: namespace)
      return build([("LastChange", text)])
    }
  }
}
