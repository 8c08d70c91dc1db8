// Shows that Swift 6.3 loses members of a tuple that a task returns, if one member is evaluated before a suspension and
// another one after it (swiftlang/swift#91911, reverted in #92155). A struct with the same members is kept.
//
//   swiftc -swift-version 6 -parse-as-library -O task_tuple.swift && ./task_tuple

struct Numbered: Sendable {
  let number: Int
  let text: String?
}

actor Server {
  func text() async throws -> String {
    try await Task.sleep(for: .milliseconds(1))
    return "text"
  }
}

@main struct TaskTuple {
  static func main() async {
    let server = Server()
    let tuples = await withTaskGroup(of: (number: Int, text: String?).self) { group in
      for number in 1...100 {
        group.addTask { do { return (number, try await server.text()) } catch { return (number, nil) } }
      }
      var numbers: Set<Int> = []
      for await result in group { numbers.insert(result.number) }
      return numbers
    }
    let structs = await withTaskGroup(of: Numbered.self) { group in
      for number in 1...100 {
        group.addTask {
          do {
            return Numbered(number: number, text: try await server.text())
          } catch {
            return Numbered(number: number, text: nil)
          }
        }
      }
      var numbers: Set<Int> = []
      for await result in group { numbers.insert(result.number) }
      return numbers
    }
    print("Numbers from 100 tasks: \(tuples.count) in tuples, \(structs.count) in structs")
  }
}
