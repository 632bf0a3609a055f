// swift-tools-version: 6.3
import PackageDescription

/// The house rules every room is built under; see docs/architecture.md.
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
let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")
let grdb: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift")
let subprocess: Target.Dependency = .product(name: "Subprocess", package: "swift-subprocess")
let systemPackage: Target.Dependency = .product(name: "SystemPackage", package: "swift-system")

/// How `shoebox` is linked: scripts start it again and again, and more than half of what a short
/// listing takes is its start (docs/performance.md has what each of these is worth).
let quickStart: [LinkerSetting] = [
  .unsafeFlags(
    [
      // Nothing to relocate: that copied a third of all pages the program touches. What is known of its
      // addresses is of little use, since this program opens no media; shoebox-codec, which does, is
      // linked as usual.
      "-Xclang-linker", "-no-pie",
      // The Makefile puts archives of libstdc++ and SQLite there, and not the shared libraries, which take
      // long to relocate.
      "-L\(Context.packageDirectory)/.build/static",
      // Nobody looks its symbols up when it runs.
      "-Xlinker", "--no-export-dynamic",
      // Written in one piece, the file lies in memory in large pieces, of which fewer are mapped.
      "-Xlinker", "--no-mmap-output-file",
    ], .when(platforms: [.linux], configuration: .release))
]

/// One room of the house: a target under `Sources/` that follows the house rules.
func room(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: houseRules)
}

/// The tests of one room (or of several that work together), under `Tests/`.
func tests(
  _ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []
) -> Target {
  .testTarget(
    name: name, dependencies: dependencies, exclude: exclude, swiftSettings: houseRules)
}

let package = Package(
  name: "shoebox",
  products: [
    .executable(name: "shoebox", targets: ["shoebox"]),
    .executable(name: "shoebox-codec", targets: ["shoebox-codec"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-async-algorithms", from: "1.1.4"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2"),
  ],
  targets: [
    // System libraries.
    .systemLibrary(name: "CExif", pkgConfig: "libexif", providers: [.apt(["libexif-dev"])]),
    .systemLibrary(name: "CHeif", pkgConfig: "libheif", providers: [.apt(["libheif-dev"])]),
    .systemLibrary(
      name: "CFFmpeg", pkgConfig: "libavfilter libavformat libavcodec libavutil libswscale",
      providers: [
        .apt(["libavfilter-dev", "libavformat-dev", "libavcodec-dev", "libswscale-dev"])
      ]),
    .systemLibrary(name: "CLinux"),
    .systemLibrary(
      name: "CTurboJPEG", pkgConfig: "libturbojpeg", providers: [.apt(["libturbojpeg0-dev"])]),

    // Pure rooms.
    room("MediaModel"),
    room("Color", ["MediaModel"]),
    room("Containers", ["MediaModel"]),
    room("Recognition", ["MediaModel"]),
    room("CodecMessages", ["MediaModel"]),

    // Doors: the only rooms that may say `unsafe`.
    room("POSIX", ["CLinux", "MediaModel"]),
    room("Exif", ["CExif", "MediaModel"]),
    room("Heif", ["CHeif", "MediaModel"]),
    room("AudioVideo", ["CFFmpeg", "MediaModel"]),
    room("JPEG", ["CTurboJPEG", "MediaModel"]),

    // The codec process.
    room(
      "Codec",
      [
        "AudioVideo", "CodecMessages", "Color", "Containers", "Exif", "Heif", "JPEG", "MediaModel",
        "POSIX",
      ]),
    .executableTarget(
      name: "shoebox-codec", dependencies: ["Codec"], swiftSettings: houseRules),

    // The program a person runs.
    .target(
      name: "Migrations", path: "Migrations",
      resources: [
        .embedInCode("v1-catalog.sql"), .embedInCode("v2-search.sql"),
        .embedInCode("v3-folders.sql"), .embedInCode("v4-candidates.sql"),
        .embedInCode("v5-read-anew.sql"), .embedInCode("v6-read-anew.sql"),
        .embedInCode("v7-forms-of-texts.sql"), .embedInCode("v8-changes-and-copies.sql"),
        .embedInCode("v9-export-key.sql"),
        .embedInCode("v10-families.sql"),
      ],
      swiftSettings: houseRules),
    .target(
      name: "Presets", dependencies: ["MediaModel"], path: "Presets",
      resources: [.embedInCode("Shipped")], swiftSettings: houseRules),
    room("Catalog", [grdb, "MediaModel", "Migrations"]),
    room("CodecPool", [asyncAlgorithms, "CodecMessages", "MediaModel", "POSIX"]),
    room(
      "Indexer",
      ["Catalog", "CodecMessages", "CodecPool", "MediaModel", "POSIX", "Recognition"]),
    room(
      "Exporter",
      [crypto, "Catalog", "CodecMessages", "CodecPool", "MediaModel", "POSIX", "Presets"]),
    room("Thumbnails", [grdb, "Catalog", "CodecMessages", "CodecPool", "MediaModel"]),
    room(
      "Commands",
      [
        argumentParser, "Catalog", "CodecMessages", "CodecPool", "Exporter", "Indexer",
        "MediaModel", "POSIX", "Presets", "Thumbnails",
      ]),
    .executableTarget(
      name: "shoebox", dependencies: ["Commands"], swiftSettings: houseRules,
      linkerSettings: quickStart),

    // Tests.
    .target(
      name: "MediaTools", dependencies: [subprocess, systemPackage], path: "Tests/MediaTools",
      swiftSettings: houseRules),
    .target(name: "PlantedPlaces", path: "Tests/PlantedPlaces", swiftSettings: houseRules),
    .target(name: "SeededRandom", path: "Tests/SeededRandom", swiftSettings: houseRules),
    tests("AudioVideoTests", ["AudioVideo", "CFFmpeg", "MediaModel", "MediaTools"]),
    tests("CatalogTests", [grdb, "Catalog", "MediaModel", "Migrations", "SeededRandom"]),

    // The programs as a whole; they are built because `swift test` builds every target.
    .target(
      name: "Workbench", dependencies: [subprocess, systemPackage], path: "Tests/Workbench",
      swiftSettings: houseRules),
    tests("ScanTests", ["Workbench"]),
    tests("SettlementTests", ["SeededRandom", "Workbench"]),
    tests("CorpusTests", ["PlantedPlaces", "Workbench"]),
    tests("CodecMessagesTests", ["CodecMessages", "MediaModel", "SeededRandom"]),
    tests("CodecTests", ["Codec", "CodecMessages", "Containers", "MediaModel", "MediaTools"]),
    tests("ColorTests", ["Color", "MediaModel"]),
    tests(
      "CommandsTests",
      [
        argumentParser, grdb, "Catalog", "CodecMessages", "Commands", "MediaModel", "POSIX",
        "Thumbnails",
      ],
      exclude: ["Help"]),
    tests("ContainersTests", ["Containers", "MediaModel", "SeededRandom"]),
    tests("ExifTests", ["Exif", "MediaModel", "MediaTools"]),
    tests(
      "ExporterTests",
      ["Catalog", "CodecMessages", "Exporter", "MediaModel", "MediaTools", "POSIX", "Presets"]),
    tests("ExportTests", ["MediaTools", "PlantedPlaces", "SeededRandom", "Workbench"]),
    tests("HeifTests", ["Heif", "MediaModel", "MediaTools"]),
    tests("CodecPoolTests", ["CodecPool", "MediaModel", "MediaTools", "POSIX"]),
    tests("IndexerTests", [grdb, "Catalog", "Indexer", "MediaModel", "MediaTools"]),
    tests("JPEGTests", ["JPEG", "MediaModel", "MediaTools"]),
    tests("POSIXTests", ["MediaModel", "POSIX"]),
    tests("PresetsTests", ["MediaModel", "Presets"]),
    tests("PrivacyTests", ["MediaTools", "PlantedPlaces", "Workbench"]),
    tests("RecognitionTests", ["MediaModel", "Recognition", "SeededRandom"]),
    tests("ThumbnailsTests", [grdb, "CodecMessages", "MediaModel", "Thumbnails"]),
  ]
)
