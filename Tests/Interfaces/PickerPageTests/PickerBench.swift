import Foundation
import Workbench

/// A library of real media, and the picker's server on it.
final class PickerBench: Sendable {
  /// The bench that tests share: they change no file of it.
  static let shared = Task { try await PickerBench(Library.varied) }

  let workbench: Workbench
  let host: PickerHost
  private let server: BackgroundProgram

  /// - Parameters:
  ///   - script: lines of bash that make the library in the current folder.
  ///   - environment: added to the server's.
  init(_ script: String, environment: [String: String] = [:]) async throws {
    workbench = try Workbench()
    try await workbench.bash("cd library\n\(script)")
    let scan = try await workbench.scan([workbench.library])
    guard scan.status == 0 else { throw PageTestError("the scan failed: \(scan.report.failures)") }
    server = try BackgroundProgram(
      [
        Workbench.programs + "/shoebox-picker", "serve", "--catalog", workbench.catalog,
        "--listen", "127.0.0.1:0",
      ], log: workbench.folder + "/server.log", environment: environment)
    let token = try String(
      contentsOfFile: try await server.output(after: "Host token: "), encoding: .utf8)
    let authorization = "Bearer " + token.trimmingCharacters(in: .whitespacesAndNewlines)
    let address = try await server.output(after: "Address: http://127.0.0.1:")
    guard let port = Int(address) else { throw PageTestError("no port: \(address)") }
    host = PickerHost(
      client: LocalClient(port: port, headers: [("Authorization", authorization)]))
  }

  /// Begins a session and opens its page in a browser.
  ///
  /// - Parameter waiting: whether to wait for pictures, which a server without workers does not have.
  func visit(_ config: JSON, in page: Page, waiting: Bool = true) async throws -> Visit {
    let session = try await host.create(config)
    guard let address = session.pickerUri else { throw PageTestError("no pickerUri") }
    let visit = Visit(host: host, id: session.id, pickerUri: address, page: page)
    try await page.load(address)
    if waiting { try await visit.waitForGrid() }
    return visit
  }
}

/// Libraries that the tests make.
enum Library {
  /// A name and a title that would change the page if it took them for markup.
  static let markup = "<img src=x onerror=\"document.title='owned'\">"
  static let markupAlbum = "<b>Rome + Ostia"

  /// 56 photos of six months, a Live Photo, a video, a screenshot, and a photo whose name and title are markup.
  static let varied = """
    mkdir DCIM Screenshots '\(markupAlbum)'
    convert -size 320x240 plasma:tomato-steelblue -quality 80 base.jpg
    {
      echo SourceFile,DateTimeOriginal
      for number in {1..56}; do
        printf 'DCIM/IMG_%04d.JPG,2024:%02d:%02d 10:%02d:00\\n' \\
          $number $((1 + (number - 1) / 10)) $((1 + (number - 1) % 10)) $number
      done
      echo 'DCIM/IMG_0100.JPG,2024:07:12 10:15:30'
    } >dates.csv
    for number in {1..56}; do
      convert base.jpg -modulate 100,100,$((number * 3)) -strip "$(printf 'DCIM/IMG_%04d.JPG' $number)"
    done
    # Larger than a screen.
    convert base.jpg -resize 2400x1800! -strip DCIM/IMG_0056.JPG
    convert base.jpg -strip markup.jpg
    convert -size 300x600 gradient:white-navy -strip Screenshots/Screenshot_20240710.png
    convert base.jpg -negate -strip DCIM/IMG_0100.JPG
    identifier=6D1F4A52-93C7-4E0B-A1D8-2F5B7C9E0A31
    # Apple's MakerNote with a content identifier (layout: docs/formats.md).
    {
      printf 'Apple iOS\\0\\0\\001MM\\0\\001\\0\\021\\0\\002\\0\\0\\0\\045\\0\\0\\0\\040\\0\\0\\0\\0'
      printf '%s\\0' $identifier
    } >makernote
    exiftool -q -q -overwrite_original -csv=dates.csv DCIM -execute \\
      -q -q -overwrite_original -DateTimeOriginal='2024:07:11 09:00:00' \\
      "-XMP-dc:Title=\(markup.replacing("\"", with: "\\\""))" markup.jpg -execute \\
      -q -q -overwrite_original -Make=Apple '-MakerNoteApple<=makernote' \\
      DCIM/IMG_0100.JPG -execute \\
      -q -q -overwrite_original -DateTimeOriginal='2024:07:10 12:00:00' \\
      -EXIF:UserComment=Screenshot Screenshots/Screenshot_20240710.png >/dev/null
    mv markup.jpg "\(markupAlbum)/"'\(markup.replacing("'", with: "'\\''")).jpg'
    movie() {
      ffmpeg -v error -f lavfi -i testsrc=size=320x240:rate=25:duration=$1 -c:v libx264 -pix_fmt yuv420p \\
        -movflags use_metadata_tags "${@:3}" "$2"
    }
    movie 2 DCIM/IMG_0100.MOV -metadata com.apple.quicktime.content.identifier=$identifier \\
      -metadata com.apple.quicktime.creationdate=2024-07-12T10:15:29+0000
    movie 3 DCIM/IMG_0101.MP4 -metadata creation_time=2024-07-09T08:00:00Z
    rm base.jpg dates.csv makernote
    """

  /// 700 photos of one month, a minute after the other. A page of the grid has 200.
  static var long: String {
    get async throws { "cp '\(try await longPool.value.library)'/* ." }
  }

  private static let longPool = Task {
    let bench = try Workbench()
    try await bench.bash("cd library\n" + longMaking)
    return bench
  }

  private static let longMaking = """
    convert -size 32x24 gradient:red-blue -strip base.jpg
    {
      echo SourceFile,DateTimeOriginal
      for number in {0..699}; do
        name=$(printf 'IMG_%04d.JPG' $number)
        cp base.jpg $name
        printf '%s,2024:06:%02d %02d:%02d:00\\n' $name $((1 + number / 60)) 10 $((number % 60))
      done
    } >dates.csv
    exiftool -q -q -overwrite_original -csv=dates.csv . >/dev/null
    rm base.jpg dates.csv
    """

  /// Three photos.
  static let small = """
    for number in 1 2 3; do
      convert -size 320x240 gradient:red-blue -rotate $((number * 90)) IMG_$number.JPG
      exiftool -q -q -overwrite_original -DateTimeOriginal="2024:06:0$number 10:00:00" IMG_$number.JPG
    done
    """
}
