// swift-tools-version: 6.2
import PackageDescription

let nio: [Target.Dependency] = [
  .product(name: "NIOCore", package: "swift-nio"),
  .product(name: "NIOPosix", package: "swift-nio"),
  .product(name: "NIOHTTP1", package: "swift-nio"),
]
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
// Separate products, because the umbrella product builds five unused modules.
let deque: Target.Dependency = .product(name: "DequeModule", package: "swift-collections")
let heap: Target.Dependency = .product(name: "HeapModule", package: "swift-collections")
let ordered: Target.Dependency = .product(name: "OrderedCollections", package: "swift-collections")
let lifecycle: Target.Dependency = .product(name: "ServiceLifecycle", package: "swift-service-lifecycle")

let package = Package(
  name: "swiftlet",
  products: [
    .executable(name: "swiftlet", targets: ["swiftlet"]),
    .executable(name: "swiftlet-control", targets: ["swiftlet-control"]),
    .library(name: "UPnP", targets: ["UPnP"]),
    .library(name: "DeviceStack", targets: ["DeviceStack"]),
    .library(name: "ControlPoint", targets: ["ControlPoint"]),
    .plugin(name: "ServiceXMLPlugin", targets: ["ServiceXMLPlugin"]),
    .library(name: "sound-card-stand-in", type: .dynamic, targets: ["SoundCardStandIn"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    .package(url: "https://github.com/LebJe/TOMLKit", from: "0.6.0"),
  ],
  targets: [
    // System libraries: a module map and static inline functions, nothing else.
    .systemLibrary(
      name: "CGStreamer", pkgConfig: "gstreamer-audio-1.0",
      providers: [.apt(["libgstreamer1.0-dev", "libgstreamer-plugins-base1.0-dev"])]),
    .systemLibrary(name: "CGIO", pkgConfig: "gio-2.0", providers: [.apt(["libglib2.0-dev"])]),
    .systemLibrary(name: "CALSA", pkgConfig: "alsa", providers: [.apt(["libasound2-dev"])]),
    .systemLibrary(
      name: "CLibXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
    .systemLibrary(
      name: "CAvahi", pkgConfig: "avahi-client", providers: [.apt(["libavahi-client-dev"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    // Without a flag for the linker: it is opened at run time.
    .systemLibrary(name: "CMosquitto", providers: [.apt(["libmosquitto-dev"])]),
    .systemLibrary(name: "CCrypt", providers: [.apt(["libcrypt-dev"])]),
    .systemLibrary(name: "CQREncode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"])]),
    .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
    .systemLibrary(name: "CLinux"),
    .systemLibrary(name: "CTerminal"),

    // service-xml to Swift. Neither the tool nor its library needs a system library.
    .target(name: "ServiceXML", path: "Plugins/ServiceXML"),
    .executableTarget(
      name: "service-xml-tool", dependencies: ["ServiceXML"], path: "Plugins/ServiceXMLTool"),
    .plugin(
      name: "ServiceXMLPlugin", capability: .buildTool(), dependencies: ["service-xml-tool"]),
    // The folder web to Swift.
    .executableTarget(name: "page-assets-tool", path: "Plugins/PageAssetsTool"),
    .plugin(name: "PageAssetsPlugin", capability: .buildTool(), dependencies: ["page-assets-tool"]),

    // Network interfaces and addresses, for all that listens on the network.
    .target(
      name: "Network",
      dependencies: [
        "CLinux", logging, .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ]),
    // Rooms that play together, over OpenHome's Songcast.
    .target(
      name: "Songcast",
      dependencies: [
        "Network", "CLinux", logging, .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ]),
    .target(name: "UPnP", dependencies: nio + ["Network", logging, "CLibXML2", "CLinux"]),
    .target(name: "ControlPoint", dependencies: nio + ["UPnP", logging], plugins: ["ServiceXMLPlugin"]),
    .target(
      name: "DeviceStack", dependencies: nio + ["UPnP", logging, deque, heap, ordered, lifecycle, "CAvahi"]),
    // What playback decides and reads, in Swift alone; what performs it; what is kept; and the player that wires them.
    .target(name: "PlaybackModel", path: "Sources/Playback/Model"),
    .target(name: "PlaybackFormats", path: "Sources/Playback/Formats"),
    // Streams over HTTP for the engine, which itself does not import NIO.
    .target(
      name: "MediaStream",
      dependencies: [
        "PlaybackModel", "CGIO", .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ]),
    // The directory of internet radio, for the page and the command line.
    .target(name: "Stations", dependencies: ["PlaybackModel", "MediaStream", "CLinux"]),
    .target(
      name: "PlaybackEngine",
      dependencies: [
        "PlaybackModel", "PlaybackFormats", "MediaStream", logging, deque, "CGStreamer", "CALSA", "CLibXML2", "CLinux",
      ],
      path: "Sources/Playback/Engine"),
    .target(
      name: "PlaybackStore", dependencies: ["PlaybackModel", logging, "SQLite"], path: "Sources/Playback/Store"),
    .target(
      name: "Playback", dependencies: ["PlaybackModel", "PlaybackEngine", "PlaybackStore", logging],
      path: "Sources/Playback/Player"),
    // The index of the music on the speaker's own disks.
    .target(
      name: "LocalLibrary", dependencies: ["MediaFiles", "SQLite", "PlaybackModel", "UPnP", "CLinux", logging]),
    // Databases of SQLite.
    .target(name: "SQLite", dependencies: ["CSQLite"]),
    // What all that shows or drives the speaker has in common: its commands, who may send them, and its words.
    .target(name: "SpeakerCore", dependencies: ["UPnP", "Songcast", "Playback", "PlaybackModel"]),
    .target(
      name: "Providers",
      dependencies: nio + [
        "SpeakerCore", "UPnP", "DeviceStack", "LocalLibrary", "Playback", "PlaybackModel", logging,
      ],
      plugins: ["ServiceXMLPlugin"]),
    // The speaker's page and its API.
    .target(
      name: "Page",
      dependencies: nio + [
        "SpeakerCore", "Companion", "DeviceStack", "ControlPoint", "MediaFiles", "MediaStream", "Stations", "UPnP",
        "Playback", "PlaybackModel", "CZlib", "CGIO", "CCrypt", "CQREncode", logging,
      ],
      plugins: ["PageAssetsPlugin"]),
    // What controls or shows the speaker beside the network.
    .target(
      name: "Companion",
      dependencies: [
        "SpeakerCore", "Playback", "PlaybackModel", "PlaybackStore", "UPnP", "CLinux", "CMosquitto", "CSystemd",
        logging,
        .product(name: "NIOCore", package: "swift-nio"),
      ]),
    // Everything that `swiftlet` does; the executable itself is only `main`.
    .target(
      name: "Renderer",
      dependencies: nio + [
        "Page", "Companion", "Providers", "SpeakerCore", "LocalLibrary", "MediaFiles", "DeviceStack", "UPnP",
        "MediaStream", "Stations", "Playback", "PlaybackModel", "PlaybackEngine", "PlaybackStore", "Songcast", "CLinux",
        "CSystemd", logging,
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        lifecycle,
        .product(name: "UnixSignals", package: "swift-service-lifecycle"),
        .product(name: "TOMLKit", package: "TOMLKit"),
      ]),
    .executableTarget(name: "swiftlet", dependencies: ["Renderer"], path: "Sources/Swiftlet"),
    // Programs that run one part of the engine, for developers. They are not installed.
    .executableTarget(
      name: "run-source",
      dependencies: [
        "PlaybackEngine", "PlaybackModel", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Sources/Development/RunSource"),
    .executableTarget(
      name: "run-output",
      dependencies: [
        "PlaybackEngine", "PlaybackModel", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Sources/Development/RunOutput"),
    .executableTarget(
      name: "run-library",
      dependencies: [
        "LocalLibrary", "UPnP", logging, .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Sources/Development/RunLibrary"),
    // Measures how fast a control point decodes events.
    .executableTarget(
      name: "decode-events", dependencies: ["ControlPoint"], path: "Sources/Development/DecodeEvents"),
    .executableTarget(
      name: "swiftlet-control",
      dependencies: nio + [
        "ControlPoint", "Conformance", "FileServing", "Stations", "UPnP", "CTerminal", logging,
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "UnixSignals", package: "swift-service-lifecycle"),
      ],
      path: "Sources/Control"),
    // Checks of renderers, as values, and what runs them.
    .target(
      name: "Conformance", dependencies: nio + ["ControlPoint", "MediaOrigin", "UPnP"],
      resources: [.embedInCode("Peers/peers.txt")]),
    // Local files for a renderer. `swiftlet` does not link it.
    .target(name: "FileServing", dependencies: nio + ["ControlPoint", "UPnP", "MediaFiles"]),
    // Audio, picture and playlist files: types, tags with TagLib, and order.
    .target(name: "MediaFiles", dependencies: ["PlaybackModel", "UPnP", "CTagLib", "CLinux"]),
    .target(name: "CTagLib", linkerSettings: [.linkedLibrary("tag")]),
    // A media server with configurable misbehaviour, for tests and tools. `swiftlet` does not link it.
    .target(name: "MediaOrigin", dependencies: nio + ["UPnP"]),

    .testTarget(name: "ServiceXMLTests", dependencies: ["ServiceXML"]),
    .testTarget(name: "NetworkTests", dependencies: ["Network", "NetworkTesting", logging] + nio),
    .testTarget(
      name: "SongcastTests", dependencies: ["Songcast", "Network", "NetworkTesting", logging] + nio,
      exclude: ["Recordings"]),
    .testTarget(name: "UPnPTests", dependencies: ["UPnP", "NetworkTesting", logging] + nio),
    .testTarget(name: "ControlPointTests", dependencies: ["ControlPoint", "UPnP", logging] + nio),
    .testTarget(
      name: "ConformanceTests",
      dependencies: ["Conformance", "ControlPoint", "DeviceStack", "MediaOrigin", "UPnP", logging] + nio,
      exclude: ["Faults/findings.txt"], plugins: ["ServiceXMLPlugin"]),
    .testTarget(
      name: "ControlTests",
      dependencies: [
        "swiftlet-control", "Conformance", "ControlPoint",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    .testTarget(
      name: "DeviceStackTests",
      dependencies: nio + [
        "DeviceStack", "ControlPoint", "UPnP", "NetworkTesting", logging,
        .product(name: "NIOEmbedded", package: "swift-nio"),
      ],
      exclude: ["service-xml"], plugins: ["ServiceXMLPlugin"]),
    // These two neither wait nor play, so that their tests may run side by side.
    .testTarget(
      name: "PlaybackModelTests", dependencies: ["PlaybackModel", "PlaybackTestKit"]),
    .testTarget(
      name: "PlaybackFormatsTests",
      dependencies: ["PlaybackFormats", "PlaybackModel", "PlaybackTestKit", "TestFixtures"]),
    .testTarget(
      name: "MediaStreamTests", dependencies: ["MediaStream", "PlaybackModel", "MediaOrigin"] + nio),
    .testTarget(name: "StationsTests", dependencies: ["Stations", "MediaStream"]),
    .testTarget(
      name: "PlaybackStoreTests",
      dependencies: ["PlaybackStore", "PlaybackModel", "PlaybackTestKit", "SQLite", logging]),
    .testTarget(
      name: "PlaybackEngineTests",
      dependencies: [
        "PlaybackEngine", "PlaybackModel", "PlaybackFormats", "Playback", "PlayerTestKit", "PlaybackTestKit",
        "MediaOrigin", "MediaStream", "TestFixtures", "CGStreamer", "CGStreamerCheck",
      ]),
    .systemLibrary(
      name: "CGStreamerCheck", path: "Tests/CGStreamerCheck", pkgConfig: "gstreamer-check-1.0",
      providers: [.apt(["libgstreamer1.0-dev"])]),
    .testTarget(
      name: "PlaybackTests",
      dependencies: ["Playback", "PlaybackModel", "PlayerTestKit", "PlaybackTestKit", "MediaOrigin", logging]),
    .testTarget(
      name: "ProvidersTests",
      dependencies: [
        "Providers", "SpeakerCore", "UPnP", "DeviceStack", "LocalLibrary", "Playback", "PlaybackModel",
        "PlaybackTestKit", "ServiceXML", logging,
      ] + nio),
    .testTarget(name: "SpeakerCoreTests", dependencies: ["SpeakerCore", "PlaybackModel", "UPnP"]),
    .testTarget(
      name: "PageTests",
      dependencies: [
        "Page", "Companion", "SpeakerCore", "ControlPoint", "DeviceStack", "Playback", "PlaybackModel",
        "PlaybackTestKit", "UPnP", logging, .product(name: "NIOEmbedded", package: "swift-nio"),
      ] + nio),
    .testTarget(
      name: "CompanionTests",
      dependencies: [
        "Companion", "SpeakerCore", "Playback", "PlaybackModel", "PlaybackTestKit", "NetworkTesting", "CLinux", logging,
      ]),
    .testTarget(
      name: "RendererTests",
      dependencies: [
        "Renderer", "Page", "Companion", "SpeakerCore", "Playback", "PlaybackModel", "PlaybackStore", "PlayerTestKit",
        "Songcast", logging, .product(name: "NIOEmbedded", package: "swift-nio"),
      ]),

    // What several of Playback's test targets share: without sound, and with a player.
    .target(
      name: "PlaybackTestKit", dependencies: ["PlaybackModel", "PlaybackFormats"], path: "Tests/PlaybackTestKit"),
    .target(
      name: "PlayerTestKit",
      dependencies: [
        "Playback", "PlaybackEngine", "PlaybackModel", "PlaybackTestKit", "MediaOrigin", "CGStreamer", logging,
        deque,
      ],
      path: "Tests/PlayerTestKit"),
    // A simulated sound card for ALSA, as plugins that the tests configure.
    .target(
      name: "SoundCardStandIn", path: "Tests/SoundCardStandIn", cSettings: [.define("PIC")],
      linkerSettings: [.linkedLibrary("asound")]),
    // Network namespaces, and programs in them.
    .target(name: "NetworkTesting", dependencies: nio + ["Network", logging], path: "Tests/NetworkTesting"),
    // A media server with configurable misbehaviour, as a program for the tests in Python.
    .executableTarget(
      name: "media-server", dependencies: ["MediaOrigin"], path: "Tests/MediaServerTool"),
    // The audio files of `Tests/fixtures/make.py`.
    .target(name: "TestFixtures", dependencies: ["MediaOrigin"], path: "Tests/TestFixtures"),
    .testTarget(
      name: "FileServingTests",
      dependencies: ["FileServing", "MediaFiles", "ControlPoint", "UPnP", "MediaOrigin", "TestFixtures"] + nio),
    .testTarget(name: "MediaFilesTests", dependencies: ["MediaFiles"]),
    .testTarget(
      name: "LocalLibraryTests", dependencies: ["LocalLibrary", "MediaFiles", "SQLite", "TestFixtures", logging]),
    .testTarget(name: "MediaOriginTests", dependencies: ["MediaOrigin", "TestFixtures"] + nio),

    // What is fuzzed, and the known inputs as ordinary tests.
    .target(
      name: "FuzzTargets",
      dependencies: nio + [
        "Companion", "Renderer", "Page", "Providers", "SpeakerCore", "Playback", "PlaybackModel", "PlaybackFormats",
        "PlaybackEngine", "PlaybackStore", "PlaybackTestKit", "MediaStream", "Network", "Songcast", "UPnP",
        "DeviceStack", "ControlPoint", "FileServing", "MediaFiles", "LocalLibrary", "SQLite", "Stations", logging,
        .product(name: "NIOEmbedded", package: "swift-nio"),
      ],
      path: "Tests/Fuzz/Targets"),
    .testTarget(name: "FuzzCorpusTests", dependencies: ["FuzzTargets"], path: "Tests/Fuzz/Replay"),
  ],
  swiftLanguageModes: [.v6]
)

// The fuzzer links libFuzzer's runtime, which only the options of scripts/fuzz.sh provide, so that an ordinary build must not
// see it.
if Context.environment["SWIFTLET_FUZZ"] != nil {
  package.targets += [
    .systemLibrary(name: "CFuzzer", path: "Tests/Fuzz/CFuzzer"),
    .executableTarget(name: "fuzz", dependencies: ["CFuzzer", "FuzzTargets"], path: "Tests/Fuzz/Fuzzer"),
  ]
}
