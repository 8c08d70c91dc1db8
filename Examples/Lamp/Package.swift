// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Lamp",
  dependencies: [
    // The name makes the references below independent of the name of the folder that the clone is in.
    .package(name: "swiftlet", path: "../.."),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
  ],
  targets: [
    .executableTarget(
      name: "Lamp",
      dependencies: [
        .product(name: "DeviceStack", package: "swiftlet"),
        .product(name: "UPnP", package: "swiftlet"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ],
      plugins: [.plugin(name: "ServiceXMLPlugin", package: "swiftlet")])
  ],
  swiftLanguageModes: [.v6]
)
