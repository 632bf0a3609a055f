// swift-tools-version: 6.3
import PackageDescription

/// The compiler settings of every module; see docs/architecture.md.
let houseRules: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
]

let argumentParser: Target.Dependency = .product(
  name: "ArgumentParser", package: "swift-argument-parser")
let asyncAlgorithms: Target.Dependency = .product(
  name: "AsyncAlgorithms", package: "swift-async-algorithms")
let configuration: Target.Dependency = .product(
  name: "Configuration", package: "swift-configuration")
let coreMetrics: Target.Dependency = .product(name: "CoreMetrics", package: "swift-metrics")
let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")
let grdb: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift")
let httpTypes: Target.Dependency = .product(name: "HTTPTypes", package: "swift-http-types")
let hummingbird: Target.Dependency = .product(name: "Hummingbird", package: "hummingbird")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let hummingbirdCore: Target.Dependency = .product(
  name: "HummingbirdCore", package: "hummingbird")
let nioCore: Target.Dependency = .product(name: "NIOCore", package: "swift-nio")
let nioHTTPTypes: Target.Dependency = .product(name: "NIOHTTPTypes", package: "swift-nio-extras")
let nioHTTP1: Target.Dependency = .product(name: "NIOHTTP1", package: "swift-nio")
let nioPosix: Target.Dependency = .product(name: "NIOPosix", package: "swift-nio")
let unixSignals: Target.Dependency = .product(
  name: "UnixSignals", package: "swift-service-lifecycle")
let serviceLifecycle: Target.Dependency = .product(
  name: "ServiceLifecycle", package: "swift-service-lifecycle")
let subprocess: Target.Dependency = .product(name: "Subprocess", package: "swift-subprocess")
let yams: Target.Dependency = .product(name: "Yams", package: "Yams")
let systemPackage: Target.Dependency = .product(name: "SystemPackage", package: "swift-system")

/// The linker settings of `shoebox`. Scripts start it often, and its start takes more than half of the time of a
/// short listing (docs/performance.md has the effect of each setting).
let quickStart: [LinkerSetting] = [
  .unsafeFlags(
    [
      // Nothing to relocate: relocation copied a third of all pages that the program uses. Fixed addresses
      // are acceptable because this program opens no media; shoebox-codec, which does, is linked as usual.
      "-Xclang-linker", "-no-pie",
      // The Makefile links to archives of libstdc++ and SQLite there: the shared libraries take long to
      // relocate.
      "-L\(Context.packageDirectory)/.build/static",
      // No program looks up its symbols at run time.
      "-Xlinker", "--no-export-dynamic",
      // Written at once, the file is in the page cache in large pieces, so fewer mappings are needed.
      "-Xlinker", "--no-mmap-output-file",
    ], .when(platforms: [.linux], configuration: .release))
]

/// One module: a target below `Sources/`.
///
/// - Parameter folder: the layer that it belongs to.
func module(
  _ name: String, in folder: String, _ dependencies: [Target.Dependency] = []
) -> Target {
  .target(
    name: name, dependencies: dependencies, path: "Sources/\(folder)/\(name)",
    swiftSettings: houseRules)
}

/// The module map of one of the system's C libraries.
func systemLibrary(
  _ name: String, pkgConfig: String? = nil, apt packages: [String] = []
) -> Target {
  .systemLibrary(
    name: name, path: "Sources/Bindings/\(name)", pkgConfig: pkgConfig,
    providers: packages.isEmpty ? nil : [.apt(packages)])
}

/// Code that several test targets share, under `Tests/Support`.
func testSupport(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(
    name: name, dependencies: dependencies, path: "Tests/Support/\(name)",
    swiftSettings: houseRules)
}

/// Tests of a release build are not worth the minutes that it takes to optimize them. Their modules, which only the list of
/// all tests imports, would take as long as their code if they were made apart from it.
let quickCompilation = SwiftSetting.unsafeFlags(
  ["-Onone", "-no-emit-module-separately-wmo"], .when(configuration: .release))

/// The tests of one module, or of several that work together, under `Tests/`.
///
/// - Parameter folder: the layer of the modules.
func tests(
  _ name: String, in folder: String, _ dependencies: [Target.Dependency], exclude: [String] = []
) -> Target {
  .testTarget(
    name: name, dependencies: dependencies, path: "Tests/\(folder)/\(name)", exclude: exclude,
    swiftSettings: houseRules + [quickCompilation])
}

let package = Package(
  name: "shoebox",
  products: [
    .library(name: "ShoeboxKit", targets: ["ShoeboxKit"]),
    .executable(name: "shoebox", targets: ["shoebox"]),
    .executable(name: "shoebox-codec", targets: ["shoebox-codec"]),
    .executable(name: "shoebox-picker", targets: ["shoebox-picker"]),
    .executable(name: "shoebox-probe", targets: ["shoebox-probe"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-async-algorithms", from: "1.1.4"),
    .package(
      url: "https://github.com/apple/swift-configuration", from: "1.4.0", traits: ["YAML"]),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
    .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2"),
  ],
  targets: [
    // Model: the values that all modules share.
    module("MediaModel", in: "Model"),
    module("MediaEdits", in: "Model", ["MediaModel"]),

    // Formats: reads and edits the bytes of files. No C library.
    .target(
      name: "ByteReading", dependencies: ["MediaModel"], path: "Sources/Formats/ByteReading",
      resources: [.embedInCode("Brotli/brotli-dictionary.deflate")], swiftSettings: houseRules),
    module("MediaFormats", in: "Formats", ["ByteReading", "MediaModel"]),
    module(
      "MetadataRemoval", in: "Formats",
      ["ByteReading", "MediaEdits", "MediaFormats", "MediaModel"]),
    module(
      "MetadataTransfer", in: "Formats",
      ["ByteReading", "MediaEdits", "MediaFormats", "MediaModel", "MetadataRemoval"]),

    // Bindings: the only modules that may use `unsafe`. They expose no C names.
    systemLibrary("CExif", pkgConfig: "libexif", apt: ["libexif-dev"]),
    systemLibrary("CHeif", pkgConfig: "libheif", apt: ["libheif-dev"]),
    systemLibrary(
      "CFFmpeg", pkgConfig: "libavfilter libavformat libavcodec libavutil libswscale",
      apt: ["libavfilter-dev", "libavformat-dev", "libavcodec-dev", "libswscale-dev"]),
    systemLibrary("CLCMS", pkgConfig: "lcms2", apt: ["liblcms2-dev"]),
    systemLibrary("CLinux"),
    // Without pkg-config: GRDB already links SQLite, in a release the archive (see quickStart).
    systemLibrary("CSQLite", apt: ["libsqlite3-dev"]),
    systemLibrary("CTIFF", pkgConfig: "libtiff-4", apt: ["libtiff-dev"]),
    systemLibrary(
      "CTurboJPEG", pkgConfig: "libturbojpeg", apt: ["libturbojpeg0-dev", "libjpeg-dev"]),
    module("Linux", in: "Bindings", [systemPackage, "CLinux", "MediaModel"]),
    module("LibExif", in: "Bindings", ["ByteReading", "CExif", "MediaModel"]),
    module("LibHeif", in: "Bindings", ["CHeif", "MediaEdits", "MediaModel"]),
    module("LibTIFF", in: "Bindings", ["CTIFF", "MediaEdits", "MediaModel"]),
    module("LittleCMS", in: "Bindings", ["CLCMS", "MediaEdits", "MediaModel"]),
    module("FFmpeg", in: "Bindings", ["CFFmpeg", "MediaEdits", "MediaModel"]),
    module("TurboJPEG", in: "Bindings", ["CTurboJPEG", "MediaEdits", "MediaModel"]),
    module("SQLite", in: "Bindings", [grdb, "CSQLite"]),

    // Media: reads facts and makes files. Only the worker links these modules.
    module("Color", in: "Media", ["MediaEdits", "MediaModel"]),
    module(
      "FactReading", in: "Media",
      [
        "ByteReading", "LibExif", "Linux", "MediaEdits", "MediaFormats", "MediaModel",
        "WorkerProtocol",
      ]),
    module(
      "LibraryFacts", in: "Media",
      [
        "ByteReading", "FactReading", "FFmpeg", "LibHeif", "MediaFormats", "MediaModel",
        "WorkerProtocol",
      ]),
    module(
      "MediaMaking", in: "Media",
      [
        "ByteReading", "Color", "FFmpeg", "FactReading", "LibHeif", "LibraryFacts", "LibTIFF",
        "Linux", "LittleCMS", "MediaEdits", "MediaFormats", "MediaModel", "MetadataRemoval",
        "MetadataTransfer", "TurboJPEG", "WorkerProtocol",
      ]),

    // Isolation: keeps hostile bytes out of the process that has the catalog.
    module("WorkerProtocol", in: "Isolation", ["Linux", "MediaEdits", "MediaModel"]),
    module("WorkerProcess", in: "Isolation", ["Linux", "MediaModel", "WorkerProtocol"]),
    module(
      "ProbeWorker", in: "Isolation",
      ["FactReading", "Linux", "MediaModel", "WorkerProcess", "WorkerProtocol"]),
    module(
      "CodecWorker", in: "Isolation",
      [
        "FFmpeg", "FactReading", "LibHeif", "LibraryFacts", "Linux", "MediaMaking", "MediaModel",
        "WorkerProcess", "WorkerProtocol",
      ]),
    module(
      "WorkerPool", in: "Isolation",
      [asyncAlgorithms, "Linux", "MediaEdits", "MediaModel", "WorkerProtocol"]),

    // Library: the catalog, and what reads and writes it.
    .target(
      name: "Migrations", path: "Migrations",
      resources: [.embedInCode("v1-catalog.sql")],
      swiftSettings: houseRules),
    .target(
      name: "Presets", dependencies: ["MediaEdits", "MediaModel"], path: "Presets",
      resources: [.embedInCode("Shipped")], swiftSettings: houseRules),
    module("Query", in: "Library", ["MediaModel"]),
    module(
      "Catalog", in: "Library",
      [grdb, "CSQLite", "Linux", "MediaModel", "Migrations", "Query", "SQLite"]),
    .target(
      name: "Recognition", dependencies: ["MediaModel"], path: "Sources/Library/Recognition",
      resources: [.embedInCode("Zones/place-zones.bin")], swiftSettings: houseRules),
    module("Similarity", in: "Library", ["MediaModel"]),
    module(
      "Indexer", in: "Library",
      [
        asyncAlgorithms, "Catalog", "Linux", "MediaModel", "Query", "Recognition", "WorkerPool",
        "WorkerProtocol",
      ]),
    module(
      "Exporter", in: "Library",
      [
        crypto, "Catalog", "Linux", "MediaEdits", "MediaModel", "MetadataRemoval",
        "MetadataTransfer", "Presets", "Query", "WorkerPool", "WorkerProtocol",
      ]),
    module(
      "Importer", in: "Library",
      [
        crypto, "Catalog", "Exporter", "Linux", "MediaModel", "Query", "Recognition", "Verifier",
        "WorkerPool",
      ]),
    module("Thumbnails", in: "Library", [grdb, "MediaModel", "WorkerProtocol"]),
    module(
      "Verifier", in: "Library",
      [crypto, "ByteReading", "Catalog", "Linux", "MediaModel", "WorkerPool"]),

    // ShoeboxKit: the public API.
    .target(
      name: "ShoeboxKit",
      dependencies: [
        coreMetrics, logging, systemPackage, "Catalog", "Exporter", "Importer", "Indexer", "Linux",
        "MediaEdits", "MediaModel", "Presets", "Query", "Similarity", "Thumbnails", "Verifier",
        "WorkerPool",
        "WorkerProtocol",
      ], path: "Sources/ShoeboxKit", swiftSettings: houseRules),

    // Interfaces: the command line.
    module("Terminal", in: "Interfaces", ["Linux", "MediaModel"]),
    module("Logs", in: "Interfaces", [logging, "Linux", "MediaModel"]),
    module(
      "Commands", in: "Interfaces",
      [
        argumentParser, configuration, logging, systemPackage, yams, "Linux", "Logs", "MediaEdits",
        "MediaModel", "Presets", "Query", "ShoeboxKit", "Terminal",
      ]),

    // The picker's server, in a program of its own: nothing else pays for the start of a web server.
    .target(
      name: "PickerServer",
      dependencies: [
        argumentParser, crypto, grdb, httpTypes, hummingbird, hummingbirdCore, logging, nioCore,
        nioHTTPTypes, nioPosix, serviceLifecycle, systemPackage, unixSignals, "Linux", "Logs",
        "MediaModel", "ShoeboxKit",
      ], path: "Sources/Interfaces/PickerServer",
      resources: [
        .embedInCode("Page/index.html"), .embedInCode("Page/picker.css"),
        .embedInCode("Page/picker.js"), .embedInCode("Page/en.json"),
        .embedInCode("Page/de.json"), .embedInCode("Page/icon.svg"),
        .embedInCode("Page/openapi.yaml"),
      ], swiftSettings: houseRules),

    // Programs.
    .executableTarget(
      name: "shoebox", dependencies: ["Commands"], path: "Sources/Programs/shoebox",
      swiftSettings: houseRules, linkerSettings: quickStart),
    .executableTarget(
      name: "shoebox-codec", dependencies: ["CodecWorker", "WorkerProcess"],
      path: "Sources/Programs/shoebox-codec", swiftSettings: houseRules),
    .executableTarget(
      name: "shoebox-picker", dependencies: ["PickerServer"],
      path: "Sources/Programs/shoebox-picker", swiftSettings: houseRules),
    .executableTarget(
      name: "shoebox-probe", dependencies: ["ProbeWorker", "WorkerProcess"],
      path: "Sources/Programs/shoebox-probe", swiftSettings: houseRules),

    // Tests.
    testSupport("MediaTools", [subprocess, systemPackage]),
    testSupport("PlantedPlaces"),
    testSupport("SeededRandom"),
    testSupport("Workbench", [subprocess, systemPackage]),
    tests(
      "FormatsTests", in: "Formats",
      [
        "ByteReading", "MediaEdits", "MediaFormats", "MediaModel", "MetadataRemoval",
        "MetadataTransfer", "SeededRandom",
      ]),
    tests(
      "FFmpegTests", in: "Bindings",
      ["CFFmpeg", "FFmpeg", "MediaEdits", "MediaModel", "MediaTools"]),
    tests(
      "LibExifTests", in: "Bindings", ["ByteReading", "LibExif", "MediaModel", "MediaTools"]),
    tests("LibHeifTests", in: "Bindings", ["LibHeif", "MediaEdits", "MediaModel", "MediaTools"]),
    tests("LibTIFFTests", in: "Bindings", ["LibTIFF", "MediaModel"]),
    tests(
      "LittleCMSTests", in: "Bindings",
      ["LittleCMS", "MediaEdits", "MediaModel", "MediaTools", "SeededRandom"]),
    tests("LinuxTests", in: "Bindings", ["Linux", "MediaModel"]),
    tests("SQLiteTests", in: "Bindings", [grdb, "SQLite"]),
    tests(
      "TurboJPEGTests", in: "Bindings", ["MediaEdits", "MediaModel", "MediaTools", "TurboJPEG"]),
    tests("ColorTests", in: "Media", ["Color", "MediaEdits", "MediaModel"]),
    tests(
      "MediaTests", in: "Media",
      [
        "ByteReading", "CodecWorker", "FactReading", "FFmpeg", "LibHeif", "LibraryFacts", "Linux",
        "MediaEdits", "MediaFormats", "MediaMaking", "MediaModel", "MediaTools",
        "MetadataRemoval", "MetadataTransfer", "WorkerProcess", "WorkerProtocol",
      ]),
    tests(
      "WorkerPoolTests", in: "Isolation",
      [
        "Linux", "MediaEdits", "MediaModel", "MediaTools", "Workbench", "WorkerPool",
        "WorkerProtocol",
      ]),
    tests(
      "WorkerProtocolTests", in: "Isolation",
      ["Linux", "MediaEdits", "MediaModel", "SeededRandom", "WorkerProtocol"]),
    tests(
      "CatalogTests", in: "Library",
      [crypto, grdb, "Catalog", "Linux", "MediaModel", "Migrations", "Query", "SeededRandom"]),
    tests(
      "ExporterTests", in: "Library",
      [
        "Catalog", "Exporter", "Linux", "MediaEdits", "MediaModel", "MediaTools", "Presets",
        "Query", "SeededRandom", "WorkerProtocol",
      ]),
    tests(
      "IndexerTests", in: "Library",
      [
        grdb, "Catalog", "Indexer", "MediaModel", "MediaTools", "Query", "Workbench", "WorkerPool",
      ]),
    tests(
      "ImporterTests", in: "Library",
      ["Catalog", "Exporter", "Importer", "Linux", "MediaModel", "WorkerPool"]),
    tests("PresetsTests", in: "Library", ["MediaEdits", "MediaModel", "Presets"]),
    tests("RecognitionTests", in: "Library", ["MediaModel", "Recognition", "SeededRandom"]),
    tests("SimilarityTests", in: "Library", ["MediaModel", "SeededRandom", "Similarity"]),
    tests(
      "ThumbnailsTests", in: "Library",
      [grdb, "MediaEdits", "MediaModel", "Thumbnails", "WorkerProtocol"]),
    tests("VerifierTests", in: "Library", ["Catalog", "Linux", "MediaModel", "Verifier"]),
    tests(
      "CommandsTests", in: "Interfaces",
      [
        argumentParser, grdb, logging, "Catalog", "Commands", "Linux", "Logs", "MediaEdits",
        "MediaModel", "Presets", "Query", "ShoeboxKit", "Terminal", "Thumbnails", "WorkerProtocol",
      ], exclude: ["Help"]),
    // They use the program shoebox-picker as hosts and browsers do.
    tests(
      "PickerTests", in: "Interfaces", ["MediaTools", "Workbench"], exclude: ["Scripts"]),
    // Starts the programs and a browser.
    tests("PickerPageTests", in: "Interfaces", [nioCore, nioHTTP1, nioPosix, "Workbench"]),

    tests(
      "ShoeboxKitTests", in: "Kit",
      [
        coreMetrics, logging, systemPackage,
        .product(name: "InMemoryLogging", package: "swift-log"),
        .product(name: "MetricsTestKit", package: "swift-metrics"), "MediaTools", "SeededRandom",
        "ShoeboxKit", "Workbench",
      ]),

    // Tests of the programs, which `swift test` builds because it builds every target.
    tests("CorpusTests", in: "Programs", ["PlantedPlaces", "SeededRandom", "Workbench"]),
    tests(
      "ExportTests", in: "Programs", ["MediaTools", "PlantedPlaces", "SeededRandom", "Workbench"]),
    tests("ImportTests", in: "Programs", ["MediaTools", "SeededRandom", "Workbench"]),
    tests("PrivacyTests", in: "Programs", ["MediaTools", "PlantedPlaces", "Workbench"]),
    tests("NightTests", in: "Programs", ["SeededRandom", "Workbench"]),
    tests("ScanTests", in: "Programs", ["Workbench"]),
    tests("VerifyTests", in: "Programs", ["SeededRandom", "Workbench"]),
    tests("SettlementTests", in: "Programs", ["SeededRandom", "Workbench"]),
  ]
)

// Only `make fuzz` sees the fuzz program: it links libFuzzer.
if Context.environment["SHOEBOX_FUZZ"] != nil {
  package.targets += [
    .systemLibrary(name: "CLibFuzzer", path: "Tests/Fuzzing/CLibFuzzer"),
    .executableTarget(
      name: "fuzz",
      dependencies: [
        "ByteReading", "Catalog", "CLibFuzzer", "Exporter", "FactReading", "Indexer", "LibExif",
        "Linux", "LittleCMS",
        "MediaEdits", "MediaFormats", "MediaModel", "MetadataRemoval", "MetadataTransfer",
        "Presets", "Query", "Recognition", "ShoeboxKit", "WorkerProtocol",
      ], path: "Tests/Fuzzing/Fuzz",
      swiftSettings: houseRules + [.unsafeFlags(["-parse-as-library"])]),
  ]
}

// Only `make bench` needs the program that measures ShoeboxKit.
if Context.environment["SHOEBOX_BENCH"] != nil {
  package.targets.append(
    .executableTarget(
      name: "kit-bench", dependencies: ["ShoeboxKit"], path: "benchmarks/Kit",
      swiftSettings: houseRules))
}
