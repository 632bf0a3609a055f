import Foundation
import ShoeboxKit
import SystemPackage
import Testing
import Workbench

/// Exports by the kit.
struct ExportTests {
  /// Three pictures with a place, of which one is a HEIC, and a video of a second.
  private static let pool = Task {
    let bench = try Workbench()
    _ = try await bench.bash(
      """
      cd library
      for i in 1 2; do
        convert -size 64x48 "xc:rgb($((i * 60)),40,200)" "$i.jpg"
        exiftool -q -overwrite_original -GPSLatitude=47.1 -GPSLatitudeRef=N -GPSLongitude=8.5 \\
          -GPSLongitudeRef=E -DateTimeOriginal='2023:05:06 07:08:09' "$i.jpg"
      done
      convert -size 128x96 plasma: a.png && heif-enc -q 50 a.png -o 3.heic >/dev/null 2>&1 && rm a.png
      ffmpeg -v error -f lavfi -i testsrc=d=1:s=640x480:r=30 -c:v mpeg4 -pix_fmt yuv420p 4.avi </dev/null
      """)
    return bench
  }

  /// A library with the files of the pool.
  ///
  /// - Parameter videoSeconds: how long the video is, which repeats the pool's.
  private func bench(videoSeconds: Int = 1) async throws -> (Workbench, PhotoLibrary) {
    let pool = try await Self.pool.value.library
    let bench = try Workbench()
    _ = try await bench.bash(
      """
      cd library
      cp '\(pool)'/*.{jpg,heic} .
      ffmpeg -v error -stream_loop \(videoSeconds - 1) -i '\(pool)/4.avi' -c copy 4.avi </dev/null
      """)
    let library = try await PhotoLibrary.open(
      .init(
        catalog: FilePath(bench.catalog), workers: .programs(in: FilePath(Workbench.programs)),
        jobs: 2))
    let report = try await library.scan([FilePath(bench.library)]).report
    #expect(report.added == 4)
    return (bench, library)
  }

  private func ids(_ library: PhotoLibrary) async throws -> [Asset.ID] {
    var ids: [Asset.ID] = []
    for try await asset in try await library.fetchAssets(
      options: .init(sort: .name, order: .ascending))
    {
      ids.append(asset.id)
    }
    return ids
  }

  private func files(in folder: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
      .filter { !$0.hasPrefix(".") }.sorted()
  }

  @Test(.timeLimit(.minutes(2)))
  func `an export does what its plan says, and nothing before`() async throws {
    let (bench, library) = try await bench()
    let target = bench.folder + "/out"
    let export = try await library.export(
      try await ids(library), as: .compatible.removingLocation(), to: FilePath(target))
    let plan = try await export.plan
    let names = plan.map { $0.names.map { $0.lastComponent?.string ?? "" } }
    #expect(names == [["1.jpg"], ["2.jpg"], ["3.jpg"], ["4.mp4"]])
    #expect(plan.map(\.action) == [.copied, .copied, .transcoded, .transcoded])
    #expect(!FileManager.default.fileExists(atPath: target))
    var last: ExportEvent?
    for try await event in export { last = event }
    #expect(last?.completed == 4)
    let report = try await export.report
    #expect(report.map(\.action) == plan.map(\.action))
    #expect(report.flatMap(\.files) == plan.flatMap(\.names))
    #expect(files(in: target) == ["1.jpg", "2.jpg", "3.jpg", "4.mp4"])
    let tags = try await bench.bash(
      "exiftool -q -GPSPosition -DateTimeOriginal -s3 \(target)/1.jpg")
    #expect(tags.trimmingCharacters(in: .whitespacesAndNewlines) == "2023:05:06 07:08:09")
    let codec = try await bench.bash(
      "ffprobe -v error -select_streams v -show_entries stream=codec_name -of csv=p=0 \(target)/4.mp4"
    )
    #expect(codec.hasPrefix("h264"))
    // The command knows the results.
    let again = try await bench.shoebox(
      ["export", "--strip-location", "--to", target, "--format", "json", "--quiet"])
    #expect(again.status == 0)
    let second = try await library.export(
      try await ids(library), as: .compatible.removingLocation(), to: FilePath(target))
    #expect(try await second.plan.map(\.action) == [.skipped, .skipped, .skipped, .skipped])
  }

  @Test(.timeLimit(.minutes(2)))
  func `captions are removed alone or with the place`() async throws {
    let (bench, library) = try await bench()
    try await bench.bash(
      "exiftool -q -overwrite_original -IFD0:ImageDescription=Caption library/1.jpg")
    _ = try await library.scan([FilePath(bench.library)]).report
    let ids = try await ids(library)
    func tags(_ representation: Representation) async throws -> [Bool] {
      let file = try await library.data(for: ids[0], as: representation)
      let found = try await bench.bash(
        "exiftool -GPSPosition -ImageDescription '\(file.url.path)'")
      return [found.contains("GPS Position"), found.contains("Caption")]
    }
    #expect(try await tags(.current) == [true, true])
    #expect(try await tags(.current.removingCaptions()) == [true, false])
    #expect(try await tags(.current.removingLocation()) == [false, true])
    #expect(try await tags(.current.removingLocation().removingCaptions()) == [false, false])
    #expect(try await tags(.current.removingMetadata().removingCaptions()) == [false, false])
  }

  @Test(.timeLimit(.minutes(2)))
  func `a cancelled export leaves only complete files`() async throws {
    let (bench, library) = try await bench(videoSeconds: 60)
    let target = bench.folder + "/out"
    let export = try await library.export(
      try await ids(library), as: .preset(named: "AVAssetExportPreset640x480"), to: FilePath(target)
    )
    let work = Task {
      for try await _ in export {}
    }
    for _ in 0..<400 where files(in: target).isEmpty {
      try await Task.sleep(for: .milliseconds(25))
    }
    work.cancel()
    let result = await work.result
    let found = files(in: target)
    if case .failure(let error) = result {
      #expect(error as? PhotoLibraryError == .cancelled)
      #expect(!found.contains("4.mp4") && !found.contains("4.mov"))
    }
    let hidden = try FileManager.default.subpathsOfDirectory(atPath: target).filter {
      $0.contains(".partial")
    }
    #expect(hidden.isEmpty)
    // The rest is made by the next one.
    let rest = try await library.export(
      try await ids(library), as: .current, to: FilePath(bench.folder + "/all"))
    #expect(try await rest.report.count == 4)
    #expect(files(in: bench.folder + "/all") == ["1.jpg", "2.jpg", "3.heic", "4.avi"])
  }

  @Test func `a transferred file is there until it is released`() async throws {
    let (bench, library) = try await bench()
    let ids = try await ids(library)
    var file: TransferredFile? = try await library.data(for: ids[2])
    let url = try #require(file?.url)
    #expect(file?.uniformType == "public.jpeg")
    #expect(file?.filename == "3.jpg")
    #expect(file?.pairedVideo == nil)
    #expect(try await bench.bash("identify -format '%m %w %h' '\(url.path)'") == "JPEG 128 96")
    file = nil
    #expect(!FileManager.default.fileExists(atPath: url.path))
    #expect(!FileManager.default.fileExists(atPath: url.deletingLastPathComponent().path))
    let raw = try await library.data(for: ids[2], as: .current)
    #expect(
      try Data(contentsOf: raw.url) == Data(contentsOf: URL(filePath: bench.library + "/3.heic")))
    #expect(raw.uniformType == "public.heic")
  }

  @Test func `other users cannot reach a transferred file`() async throws {
    let (bench, library) = try await bench()
    let ids = try await ids(library)
    let (first, second) = (
      try await library.data(for: ids[0], as: .current), try await library.data(for: ids[2])
    )
    /// The modes of the folders from the system's folder for temporary files to a file.
    func modes(_ file: TransferredFile) async throws -> [Substring] {
      try await bench.bash(
        """
        temporary=$(realpath "${TMPDIR:-/tmp}")
        path='\(file.url.deletingLastPathComponent().path)'
        [[ $path == "$temporary"/* ]]
        while [[ $path != "$temporary" ]]; do stat -c %a "$path"; path=${path%/*}; done
        """
      ).split(separator: "\n")
    }
    for file in [first, second] { #expect(try await modes(file).contains("700")) }
    // A service such as systemd-tmpfiles may delete what was not used for some days. A new folder is as private.
    let common = first.url.deletingLastPathComponent().deletingLastPathComponent()
    try FileManager.default.removeItem(at: common)
    let third = try await library.data(for: ids[1])
    #expect(try await modes(third).contains("700"))
    #expect(FileManager.default.fileExists(atPath: third.url.path))
  }

  /// A picture with its edited version, next to it a live photo: names and Apple's camera make them so.
  @Test func `the paired video is the clip and no other file`() async throws {
    let bench = try Workbench()
    try await bench.bash(
      """
      cd library
      convert -size 64x48 xc:red IMG_0001.JPG; convert -size 64x48 xc:blue IMG_E0001.JPG
      exiftool -q -overwrite_original -DateTimeOriginal='2023:05:06 07:08:09' -Make=Apple \
        -Model='iPhone 13' *.JPG
      ffmpeg -v error -f lavfi -i testsrc=d=2:s=64x48:r=30 -c:v libx264 -pix_fmt yuv420p \
        -movflags use_metadata_tags -metadata com.apple.quicktime.make=Apple \
        -metadata com.apple.quicktime.creationdate=2023-05-06T07:08:09+0200 IMG_0002.MOV </dev/null
      cp IMG_0001.JPG IMG_0002.JPG
      """)
    let library = try await PhotoLibrary.open(
      .init(
        catalog: FilePath(bench.catalog), workers: .programs(in: FilePath(Workbench.programs)),
        jobs: 2))
    _ = try await library.scan([FilePath(bench.library)]).report
    let ids = try await ids(library)
    try #require(ids.count == 2)
    let edited = try await library.data(for: ids[0], as: .current.version(.both))
    #expect(edited.filename == "IMG_E0001.JPG")
    #expect(edited.pairedVideo == nil)
    let live = try await library.data(for: ids[1], as: .current)
    #expect(live.filename == "IMG_0002.JPG")
    let clip = try #require(live.pairedVideo)
    #expect(clip.lastPathComponent == "IMG_0002.MOV")
    #expect(FileManager.default.fileExists(atPath: clip.path))
  }

  @Test func `results have the names of a template, and are updated`() async throws {
    let (bench, library) = try await bench()
    let target = bench.folder + "/out"
    var options = ExportOptions(nameTemplate: "{captureDate:yyyy}-{stem}{ext}", isFlat: true)
    let filter: AssetFilter = .captured(from: "2023", through: "2023")
    let fetched = try await library.fetchAssets(
      filter, options: .init(sort: .name, order: .ascending))
    let export = try await library.export(
      fetched, as: .current, to: FilePath(target), options: options)
    let report = try await export.report
    #expect(files(in: target) == ["2023-1.jpg", "2023-2.jpg"])
    for item in report {
      let object = try JSONSerialization.jsonObject(with: item.json) as? [String: Any]
      #expect(object?["id"] as? String == item.asset.id)
      #expect(object?["imageURL"] as? String == "file://\(item.files[0])")
    }
    _ = try await bench.bash(
      "exiftool -q -overwrite_original -ImageDescription=new '\(bench.library)/1.jpg'")
    _ = try await library.scan().report
    for (existing, actions) in [
      (ExportOptions.ExistingFiles.keep, [ExportAction.skipped, .skipped]),
      (.update, [.copied, .skipped]), (.overwrite, [.copied, .copied]),
    ] {
      options.existingFiles = existing
      let export = try await library.export(
        fetched, as: .current, to: FilePath(target), options: options)
      #expect(try await export.plan.map(\.action) == actions, "\(existing)")
    }
    options.nameTemplate = "{nothing}"
    await #expect {
      _ = try await library.export(fetched, to: FilePath(target), options: options)
    } throws: {
      guard case .invalidNameTemplate = $0 as? PhotoLibraryError else { return false }
      return true
    }
  }

  @Test(.timeLimit(.minutes(2)))
  func `sessions share an export by shards`() async throws {
    let (bench, library) = try await bench()
    let target = FilePath(bench.folder + "/out")
    var sessions: [ExportSession] = []
    for number in 1...3 {
      var options = ExportOptions(isFlat: true)
      options.shard = LibraryShard(number, of: 3)
      sessions.append(
        try await library.export(
          try await library.fetchAssets(), as: .current, to: target, options: options))
    }
    let made = try await withThrowingTaskGroup { group in
      for session in sessions { group.addTask { try await session.report.flatMap(\.files) } }
      return try await group.reduce(into: [FilePath]()) { $0 += $1 }
    }
    #expect(made.compactMap { $0.lastComponent?.string }.sorted() == files(in: target.string))
    #expect(files(in: target.string) == ["1.jpg", "2.jpg", "3.heic", "4.avi"])
    // Everything is recorded where exports without shards look for it.
    let rest = try await library.export(
      try await library.fetchAssets(), as: .current, to: target,
      options: ExportOptions(isFlat: true))
    #expect(try await rest.plan.map(\.action) == [.skipped, .skipped, .skipped, .skipped])
    #expect(
      try await bench.bash("ls -A out | grep '^[.]'")
        == ".shoebox-export.jsonl\n.shoebox-export.lock\n")
  }

  @Test func `results have XMP files if the options ask for them`() async throws {
    let (bench, library) = try await bench()
    let ids = try await ids(library)
    let target = bench.folder + "/out"
    let options = ExportOptions(isFlat: true, sidecars: .xmp)
    let export = try await library.export(ids, to: FilePath(target), options: options)
    let report = try await export.report
    #expect(report.count == 4)
    for item in report {
      #expect(item.files.dropFirst().map(\.string) == ["\(item.files[0]).xmp"])
    }
    #expect(
      try await bench.bash("exiftool -s3 -XMP-exif:DateTimeOriginal '\(target)/1.jpg.xmp'")
        .hasPrefix("2023"))
    let bare = Representation.compatible.removingMetadata()
    let stripped = try await library.export(
      ids, as: bare, to: FilePath(bench.folder + "/bare"), options: options)
    #expect(try await stripped.report.map(\.files.count) == [1, 1, 1, 1])
  }

  @Test func `a representation that cannot be made is refused`() async throws {
    let (bench, library) = try await bench()
    let ids = try await ids(library)
    let to = FilePath(bench.folder + "/out")
    for representation in [
      Representation.preset(named: "no such preset"), .compatible.maxPixels(0),
      .compatible.trimmed(to: 5...5), .file(FilePath(bench.folder + "/none.json")),
      .compatible.cropped(to: .init(x: -1, y: 0, size: PixelSize(width: 1, height: 1))),
    ] {
      await #expect(throws: PhotoLibraryError.self) {
        _ = try await library.export(ids, as: representation, to: to)
      }
    }
    let none = "00000000-0000-4000-8000-000000000000"
    await #expect(throws: PhotoLibraryError.noAsset(none)) {
      _ = try await library.export([none], to: to)
    }
    let preset = #"{"name": "tiny", "kind": "image", "format": "jpeg", "maxPixels": 32}"#
    let file = bench.folder + "/tiny.json"
    try Data(preset.utf8).write(to: URL(filePath: file))
    let export = try await library.export([ids[0]], as: .file(FilePath(file)), to: to)
    let made = try #require(try await export.report.first?.files.first)
    #expect(try await bench.bash("identify -format '%w %h' '\(made)'") == "32 24")
  }
}
