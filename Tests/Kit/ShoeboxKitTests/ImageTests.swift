import Foundation
import ShoeboxKit
import SystemPackage
import Testing
import Workbench

/// Pictures of assets.
struct ImageTests {
  /// A library of pictures of one colour each, and a folder of worker programs that logs each start of the codec. While
  /// the bench's folder has a file `hold`, the codec starts late, by at most 8 seconds.
  ///
  /// - Parameter pictures: at most 43.
  private func bench(pictures: Int) async throws -> (Workbench, PhotoLibrary, log: String) {
    let bench = try Workbench()
    _ = try await bench.bash(
      """
      cd library
      for i in $(seq 1 \(pictures)); do convert -size 600x400 "xc:rgb($((i * 6 - 5)),40,200)" "$i.jpg"; done
      mkdir ../programs
      ln -s \(Workbench.programs)/shoebox-probe ../programs
      """)
    let log = bench.folder + "/starts"
    let program = """
      #!/bin/sh
      echo start >>'\(log)'
      step=0
      while [ -e '\(bench.folder)/hold' ] && [ $step -lt 80 ]; do sleep 0.1; step=$((step + 1)); done
      exec '\(bench.codec)' "$@"
      """
    let codec = bench.folder + "/programs/shoebox-codec"
    try writeProgram(program, to: codec)
    let library = try await PhotoLibrary.open(
      .init(
        catalog: FilePath(bench.catalog),
        workers: .programs(in: FilePath(bench.folder + "/programs")),
        jobs: 2))
    let report = try await library.scan([FilePath(bench.library)]).report
    #expect(report.added == pictures)
    return (bench, library, log)
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

  @Test func `a picture fits, and has the colour of its source`() async throws {
    let (bench, library, _) = try await bench(pictures: 1)
    let id = try #require(try await ids(library).first)
    for (box, wanted) in [
      (PixelSize(width: 300, height: 300), PixelSize(width: 300, height: 200)),
      (PixelSize(width: 1000, height: 100), PixelSize(width: 150, height: 100)),
      (PixelSize(width: 5000, height: 5000), PixelSize(width: 600, height: 400)),
    ] {
      let image = try await library.image(for: id, fitting: box)
      #expect(image.pixelSize == wanted)
      #expect(image.uniformType == "public.jpeg")
      let file = bench.folder + "/\(wanted.width).jpg"
      try image.data.write(to: URL(filePath: file))
      let seen = try await bench.bash("identify -format '%m %w %h ' \(file)")
      #expect(seen.contains("JPEG \(wanted.width) \(wanted.height)"))
      let colour = try await bench.bash(
        "convert \(file) -scale 1x1 -format '%[fx:round(255*r)] %[fx:round(255*g)] %[fx:round(255*b)]' info:"
      )
      let channels = colour.split(separator: " ").compactMap {
        Int($0.trimmingCharacters(in: .whitespacesAndNewlines))
      }
      #expect(zip(channels, [1, 40, 200]).allSatisfy { abs($0 - $1) <= 3 } && channels.count == 3)
    }
  }

  /// Names and Apple's camera make one asset of a wide picture and its tall edit, and the reverse.
  @Test(.timeLimit(.minutes(2)))
  func `an edited picture of another shape fits, and is as large as it can be`() async throws {
    let bench = try Workbench()
    try await bench.bash(
      """
      cd library
      convert -size 1200x800 xc:red IMG_0001.JPG; convert -size 300x800 xc:blue IMG_E0001.JPG
      convert -size 300x900 xc:red IMG_0002.JPG; convert -size 1200x400 xc:blue IMG_E0002.JPG
      exiftool -q -overwrite_original -DateTimeOriginal='2023:05:06 07:08:09' -Make=Apple \
        -Model='iPhone 13' *.JPG
      """)
    let library = try await PhotoLibrary.open(
      .init(
        catalog: FilePath(bench.catalog), workers: .programs(in: FilePath(Workbench.programs)),
        jobs: 2))
    _ = try await library.scan([FilePath(bench.library)]).report
    let ids = try await ids(library)
    try #require(ids.count == 2)
    // The longer side of an edit that is larger than its original is that of the original.
    let sizes = [(width: 300.0, height: 800.0), (width: 900.0, height: 300.0)]
    for (id, size) in zip(ids, sizes) {
      for (width, height) in [(400, 100), (100, 400), (300, 300), (50, 2000), (4000, 4000)] {
        let image = try await library.image(
          for: id, fitting: PixelSize(width: width, height: height))
        #expect(image.pixelSize.width <= width && image.pixelSize.height <= height)
        let scale = min(Double(width) / size.width, Double(height) / size.height)
        // Pictures are never enlarged.
        guard scale <= 1 else { continue }
        #expect(abs(Double(image.pixelSize.width) - size.width * scale) <= 4)
        #expect(abs(Double(image.pixelSize.height) - size.height * scale) <= 4)
      }
    }
  }

  @Test(.timeLimit(.minutes(2)))
  func `a large picture has at most 4096 pixels and looks like its source`() async throws {
    let bench = try Workbench()
    let source = bench.library + "/a.jpg"
    _ = try await bench.bash(
      "convert -size 500x300 -seed 7 plasma:red-blue -resize 1000% -quality 95 '\(source)'")
    let library = try await PhotoLibrary.open(
      .init(
        catalog: FilePath(bench.catalog), workers: .programs(in: FilePath(Workbench.programs)),
        jobs: 2))
    _ = try await library.scan([FilePath(bench.library)]).report
    let id = try #require(try await ids(library).first)
    for (side, wanted) in [
      (9000, PixelSize(width: 4096, height: 2458)), (4096, PixelSize(width: 4096, height: 2458)),
      (2048, PixelSize(width: 2048, height: 1229)), (320, PixelSize(width: 320, height: 192)),
    ] {
      let image = try await library.image(for: id, fitting: PixelSize(width: side, height: side))
      #expect(abs(image.pixelSize.height - wanted.height) <= 1)
      #expect(image.pixelSize.width == wanted.width)
      #expect(image.data.count <= (side > 1024 ? 8 << 20 : 64 << 10))
      guard side == 2048 else { continue }
      let file = bench.folder + "/\(side).jpg"
      try image.data.write(to: URL(filePath: file))
      let same = try await bench.bash(
        """
        convert '\(source)' -resize '\(image.pixelSize.width)x\(image.pixelSize.height)!' '\(bench.folder)/wanted.png'
        compare -metric PSNR '\(bench.folder)/wanted.png' '\(file)' null: 2>&1 || true
        """)
      let decibels = try #require(Double(same.prefix { $0.isNumber || $0 == "." }))
      #expect(decibels > 35)
    }
    #expect(
      try await bench.query(
        "SELECT longer_side FROM thumbnails ORDER BY 1", of: bench.catalog + ".thumbnails")
        == ["320", "2048", "4096"])
  }

  @Test(.timeLimit(.minutes(3)))
  func `a thousand requests at once are answered, and equal ones are one`() async throws {
    let (bench, library, log) = try await bench(pictures: 40)
    let ids = try await ids(library)
    // Scans of pictures need no codec.
    #expect(!FileManager.default.fileExists(atPath: log))
    let size = PixelSize(width: 160, height: 160)
    let images = try await withThrowingTaskGroup(of: EncodedImage.self) { group in
      for number in 0..<1000 {
        group.addTask {
          try await library.image(
            for: ids[number % ids.count], fitting: size,
            priority: number % 3 == 0 ? .visible : .upcoming)
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(images.count == 1000)
    #expect(Set(images.map(\.data)).count == 40)
    let made = try await bench.query(
      "SELECT count(*), max(id) FROM thumbnails", of: bench.catalog + ".thumbnails")
    // Each was made once: the numbers of rows never repeat.
    #expect(made == ["40|40"])
    let starts = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").count
    #expect(starts <= 2)
  }

  @Test(.timeLimit(.minutes(2)))
  func `a cancelled request ends at once and disturbs no other`() async throws {
    let (bench, library, _) = try await bench(pictures: 30)
    defer { withExtendedLifetime(bench) {} }
    let ids = try await ids(library)
    let size = PixelSize(width: 200, height: 200)
    let requests = ids.map { id in
      Task { try await library.image(for: id, fitting: size, priority: .upcoming) }
    }
    let cancelled = Array(requests.dropFirst(5))
    for request in cancelled { request.cancel() }
    for request in requests.prefix(5) { _ = try await request.value }
    for request in cancelled {
      // Some may have been made before.
      do {
        _ = try await request.value
      } catch let error as PhotoLibraryError {
        #expect(error == .cancelled)
      }
    }
    for id in ids { _ = try await library.image(for: id, fitting: size) }
  }

  @Test(.timeLimit(.minutes(2)))
  func `only the bound of the server's own refuses requests`() async throws {
    let (bench, library, _) = try await bench(pictures: 30)
    defer { withExtendedLifetime(bench) {} }
    var configuration = library.configuration
    configuration.pendingImages = 10
    var server = try await PhotoLibrary.open(configuration)
    let ids = try await ids(library)
    let size = PixelSize(width: 120, height: 120)
    // Two hundred requests for ten pictures are ten.
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<200 {
        group.addTask { [server] in _ = try await server.image(for: ids[number % 10], fitting: size)
        }
      }
      try await group.waitForAll()
    }
    // With new processes, which make no picture until all that the bound refuses is refused.
    let hold = bench.folder + "/hold"
    try Data().write(to: URL(filePath: hold))
    server = try await PhotoLibrary.open(configuration)
    let refused = try await withThrowingTaskGroup(of: PhotoLibraryError?.self) { group in
      for id in ids {
        group.addTask { [server] in
          do throws(PhotoLibraryError) {
            _ = try await server.image(for: id, fitting: PixelSize(width: 60, height: 60))
            return nil
          } catch {
            return error
          }
        }
      }
      var refused: [PhotoLibraryError] = []
      for try await error in group {
        refused += error.map { [$0] } ?? []
        if error != nil, refused.count == 20 { try FileManager.default.removeItem(atPath: hold) }
      }
      return refused
    }
    #expect(refused == Array(repeating: .tooManyRequests, count: 20))
    // It was busy for a moment only.
    for id in ids { _ = try await server.image(for: id, fitting: PixelSize(width: 60, height: 60)) }
  }

  /// Another process locks the file of the pictures, which fails as a full disk does.
  @Test(.timeLimit(.minutes(2)))
  func `a picture that cannot be stored is there all the same`() async throws {
    let (bench, library, _) = try await bench(pictures: 2)
    let ids = try await ids(library)
    let size = PixelSize(width: 100, height: 100)
    _ = try await library.image(for: ids[0], fitting: size)
    try await bench.bash(
      """
      cd '\(bench.folder)'
      mkfifo end
      sqlite3 catalog.sqlite.thumbnails 'BEGIN IMMEDIATE;' '.shell touch locked; cat end' >/dev/null 2>&1 &
      until [ -e locked ]; do sleep 0.05; done
      """)
    let stored = "SELECT count(*) FROM thumbnails"
    async let waiting = library.image(for: ids[1], fitting: size)
    try await Task.sleep(for: .milliseconds(500))
    // One that is stored waits for no lock, which takes 5 seconds.
    let start = ContinuousClock.now
    _ = try await library.image(for: ids[0], fitting: size)
    #expect(ContinuousClock.now - start < .seconds(3))
    let unstored = try await waiting
    #expect(unstored.pixelSize == PixelSize(width: 100, height: 67))
    #expect(try await bench.query(stored, of: bench.catalog + ".thumbnails") == ["1"])
    try await bench.bash("echo >'\(bench.folder)/end'")
    #expect(try await library.image(for: ids[1], fitting: size) == unstored)
    #expect(try await bench.query(stored, of: bench.catalog + ".thumbnails") == ["2"])
  }

  @Test func `what has no picture says why`() async throws {
    let (bench, library, _) = try await bench(pictures: 2)
    let ids = try await ids(library)
    let size = PixelSize(width: 100, height: 100)
    let none = "00000000-0000-4000-8000-000000000000"
    await #expect(throws: PhotoLibraryError.noAsset(none)) {
      _ = try await library.image(for: none, fitting: size)
    }
    // A file that was cut off after the scan.
    let handle = try #require(FileHandle(forWritingAtPath: bench.library + "/1.jpg"))
    try handle.truncate(atOffset: 200)
    await #expect {
      _ = try await library.image(for: ids[0], fitting: size)
    } throws: {
      guard case .unreadable(let path, let reason) = $0 as? PhotoLibraryError else { return false }
      return path == FilePath(bench.library + "/1.jpg") && !reason.isEmpty
    }
    let limited = library.limited(to: .search("nothing"))
    await #expect(throws: PhotoLibraryError.noAsset(ids[1])) {
      _ = try await limited.image(for: ids[1], fitting: size)
    }
    _ = try await library.image(for: ids[1], fitting: size)
  }
}
