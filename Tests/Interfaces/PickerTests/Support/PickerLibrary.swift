import Foundation
import MediaTools
import Workbench

/// A small library of real files, its catalog, and a server that most tests share.
struct PickerLibrary: Sendable {
  /// The bench with the library.
  let bench: Workbench
  /// The assets' ids by their paths below the library.
  let ids: [String: String]

  /// Whether the programs that make and check the files are installed.
  static let canBeMade = Tool.areInstalled(
    .exiftool, .ffmpeg, .ffprobe, .heifEncoder, .heifDecoder, .imageMagick)

  /// The library that tests share. They do not change it.
  static var shared: PickerLibrary { get async throws { try await made.value } }
  /// The server that tests share.
  static var server: Picker { get async throws { try await started.value } }

  private static let made = Task { try await PickerLibrary() }
  private static let started = Task { try await Picker(try await shared.bench) }

  /// A name with markup in it.
  static let markup = #"Web/<img src=x onerror=alert(1)>&amp;"quote'.jpg"#
  static let photo = "DCIM/IMG_0001.JPG"
  static let live = "DCIM/IMG_0002.HEIC"
  static let heic = "DCIM/IMG_0003.HEIC"
  static let video = "DCIM/IMG_0004.MOV"
  static let screenshot = "Screenshots/Screenshot_20240603-101112.png"
  /// HEIC content with the extension of a JPEG.
  static let misnamed = "Web/misnamed.jpg"
  /// Large enough that no buffer of the kernel holds it: 24 MB.
  static let large = "Web/large.png"

  private init() async throws {
    let bench = try Workbench()
    try Data(Self.script.utf8).write(to: URL(filePath: bench.folder).appending(path: "make"))
    try await bench.bash("bash -eu -o pipefail make")
    self = try await PickerLibrary(scanned: bench)
  }

  private init(scanned bench: Workbench) async throws {
    try await bench.letFilesAge()
    let (status, report) = try await bench.scan([bench.library])
    guard status == 0 else { throw WorkbenchError("the scan failed: \(report)") }
    (self.bench, ids) = (bench, try await bench.identifiers())
  }

  /// A library of its own for a test that changes it, with copies of some files.
  ///
  /// - Parameter renaming: new paths of some of them.
  func copy(_ paths: [String], renaming: [String: String] = [:]) async throws -> PickerLibrary {
    let bench = try Workbench()
    for path in paths {
      let target = URL(filePath: bench.library).appending(path: renaming[path] ?? path)
      try FileManager.default.createDirectory(
        at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
      try FileManager.default.copyItem(atPath: self.bench.library + "/" + path, toPath: target.path)
    }
    return try await PickerLibrary(scanned: bench)
  }

  /// A bench with one picture, for a server of its own.
  static func small() async throws -> Workbench {
    let bench = try Workbench()
    try bench.addPicture("one.gif")
    _ = try await bench.scan([bench.library])
    return bench
  }

  /// The id of a file.
  func id(_ path: String) throws -> String {
    guard let id = ids[path] else { throw WorkbenchError("no asset \(path) in \(ids.keys)") }
    return id
  }

  /// The ids of files.
  func ids(_ paths: [String]) throws -> [String] { try paths.map(id) }

  /// The bytes of a file.
  func bytes(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: bench.library + "/" + path)))
  }

  /// The value of a tag that exiftool reports of bytes.
  func tag(_ name: String, of bytes: [UInt8]) async throws -> String {
    try await tags(of: bytes, ["-s3", "-" + name])
  }

  /// What exiftool reports of bytes, as one tag a line.
  func tags(of bytes: [UInt8], _ options: [String] = []) async throws -> String {
    let path = bench.folder + "/fetched-\(UUID().uuidString)"
    try Data(bytes).write(to: URL(filePath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try await Tool.exiftool.run((options.isEmpty ? ["-G1", "-s"] : options) + [path])
  }

  /// The live photo as phones make it: still and clip have one identifier (docs/formats.md).
  private static let script = """
    export LC_ALL=C TZ=UTC
    cd library
    mkdir DCIM Screenshots Web
    ffmpeg -v error -f lavfi -i testsrc2=size=640x480 -frames:v 1 ../p.png
    convert ../p.png -quality 85 DCIM/IMG_0001.JPG
    heif-enc -q 40 ../p.png -o ../p.heic >../log 2>&1
    cp ../p.heic DCIM/IMG_0002.HEIC
    cp ../p.heic DCIM/IMG_0003.HEIC
    cp ../p.heic Web/misnamed.jpg
    convert ../p.png -resize 400x300 -negate Screenshots/Screenshot_20240603-101112.png
    convert -size 32x24 xc:olive -quality 80 "Web/<img src=x onerror=alert(1)>&amp;\\"quote'.jpg"
    convert -seed 3 -size 2900x2900 xc: +noise Random -depth 8 -strip \\
      -define png:compression-level=0 -define png:color-type=2 Web/large.png
    live=6D1F4A52-93C7-4E0B-A1D8-2F5B7C9E0A31
    {
      printf 'Apple iOS\\0\\0\\001MM\\0\\001\\0\\021\\0\\002\\0\\0\\0\\045\\0\\0\\0\\040\\0\\0\\0\\0'
      printf '%s\\0' "$live"
    } >../makernote
    movie() {
      ffmpeg -v error -f lavfi -i testsrc2=size=320x240:rate=30:duration=1 \\
        -f lavfi -i sine=duration=1 -c:v libx265 -preset ultrafast -pix_fmt yuv420p \\
        -x265-params log-level=error:pools=none -tag:v hvc1 -c:a aac -shortest "${@:2}" "$1"
    }
    movie DCIM/IMG_0002.MOV -movflags use_metadata_tags \\
      -metadata com.apple.quicktime.content.identifier="$live" \\
      -metadata com.apple.quicktime.creationdate=2024-06-01T10:15:29+0200
    movie DCIM/IMG_0004.MOV -movflags use_metadata_tags \\
      -metadata com.apple.quicktime.creationdate=2024-06-02T08:00:00+0200 \\
      -metadata com.apple.quicktime.location.ISO6709=+47.5596+007.5886/
    tag() { exiftool -q -q -overwrite_original "${@:2}" "$1"; }
    tag DCIM/IMG_0001.JPG -Make=Canon -Model='EOS R5' -DateTimeOriginal='2024:06:01 10:15:00' \\
      -OffsetTimeOriginal=+02:00 -GPSLatitude=47.5596 -GPSLatitudeRef=N -GPSLongitude=7.5886 \\
      -GPSLongitudeRef=E -IPTC:City=Basel -XMP:Title='Our lake' -XMP:Description='Swimming at dusk' \\
      -EXIF:ImageDescription='Swimming at dusk' -IPTC:Caption-Abstract='Swimming at dusk'
    tag DCIM/IMG_0002.HEIC -Make=Apple -Model='iPhone 15' "-MakerNoteApple<=../makernote" \\
      -DateTimeOriginal='2024:06:01 10:15:30' -OffsetTimeOriginal=+02:00
    tag DCIM/IMG_0003.HEIC -DateTimeOriginal='2024:05:01 12:00:00' -GPSLatitude=47.5596 \\
      -GPSLatitudeRef=N -GPSLongitude=7.5886 -GPSLongitudeRef=E
    tag "Web/<img src=x onerror=alert(1)>&amp;\\"quote'.jpg" -XMP:Title='<script>alert(2)</script>' \\
      -XMP:Description='"><svg onload=alert(3)>'

    """
}
