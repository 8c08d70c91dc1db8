import ControlPoint
import UPnP

/// The device under test, with its documents.
public struct Target: Sendable {
  /// A service with its SCPD.
  struct Service: Sendable {
    var description: DeviceDescription.Service
    /// The SCPD as received.
    var document: RawResponse?
    /// Nil if it is not XML.
    var root: XMLElement?
    /// Characters that had to be escaped before the SCPD could be read.
    var repairs: [String] = []
    var scpd: ServiceDescription?
    /// Why the SCPD could not be read.
    var problem: String?

    var name: String { description.name }

    /// The variables that the service template requires to be evented.
    var requiredEvents: [String] {
      switch name {
      case "AVTransport", "RenderingControl": ["LastChange"]
      case "ContentDirectory": ["SystemUpdateID"]
      case "ConnectionManager": ["SourceProtocolInfo", "SinkProtocolInfo", "CurrentConnectionIDs"]
      default: []
      }
    }

    var eventedVariables: [String] { scpd?.variables.filter(\.isEvented).map(\.name) ?? [] }
  }

  let controlPoint: UPnPControlPoint
  public let description: DeviceDescription
  /// The description as received.
  let document: RawResponse
  let root: XMLElement
  let repairs: [String]
  let services: [Service]

  /// Reads the documents of a device.
  /// - Throws: if the description cannot be read.
  public init(at location: HTTPURL, _ controlPoint: UPnPControlPoint) async throws(ControlPointError) {
    self.controlPoint = controlPoint
    description = try await controlPoint.description(at: location)
    document = try await Self.document(at: description.location)
    do throws(XMLReadingError) {
      let reading = try XMLDocument.read(document.body)
      root = reading.root
      repairs = reading.repairs
    } catch {
      throw .malformed("The description is \(error).")
    }
    var services: [Service] = []
    for service in description.root.all.flatMap(\.services) {
      services.append(await Self.service(service, description.location.host))
    }
    self.services = services
  }

  var host: String { description.location.host }

  /// All UDNs, the root device's first.
  var udns: [String] { description.root.all.map(\.udn) }

  func service(_ name: String) -> Service? { services.first { $0.name == name } }

  private static func document(at url: HTTPURL) async throws(ControlPointError) -> RawResponse {
    do throws(Finding) {
      let connection = try await RawConnection.open(to: url)
      defer { connection.close() }
      let request = RawRequest("GET", url)
      connection.send(request.text)
      return try await connection.answers(to: ["GET"], within: .seconds(10))[0]
    } catch {
      guard case .failure(let expected, let got) = error else { throw .unreachable("\(url)") }
      throw .malformed("Instead of \(expected), there was \(got).")
    }
  }

  private static func service(
    _ description: DeviceDescription.Service, _ host: String
  ) async -> Service {
    var service = Service(description: description)
    guard let url = description.scpdURL else {
      service.problem = "there is no SCPDURL"
      return service
    }
    // A description must not lead this tool to other hosts.
    guard url.host == host else {
      service.problem = "the SCPD is on the other host \(url.host)"
      return service
    }
    do throws(ControlPointError) {
      let document = try await Self.document(at: url)
      service.document = document
      guard document.status == 200 else {
        service.problem = "\(url.target) answers with status \(document.status)"
        return service
      }
      do throws(XMLReadingError) {
        let reading = try XMLDocument.read(document.body)
        service.root = reading.root
        service.repairs = reading.repairs
        service.scpd = ServiceDescription(reading, name: description.name)
      } catch {
        service.problem = "The SCPD of \(description.name) is \(error)."
      }
    } catch {
      service.problem = error.description
    }
    return service
  }
}
