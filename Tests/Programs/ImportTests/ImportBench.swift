import Foundation
import MediaTools
import Testing
import Workbench

/// The report of `import --format json`.
struct ImportReport: Decodable {
  struct File: Decodable {
    var sourcePath: String
    var path: String?
    var action: String
    var error: String?
    var absentTwin: String?
  }
  struct Failure: Decodable {
    var path: String
    var error: String
  }

  var copied, known, kept, failed, left: Int
  var files: [File]
  var failures: [Failure]
}

extension Workbench {
  /// A card: a folder with `DCIM`.
  var card: String { folder + "/card" }

  /// Imports the card into the library and reads the report.
  func importCard(_ arguments: [String] = []) async throws -> (status: Int, report: ImportReport) {
    let outcome = try await shoebox(
      ["import", card, "--into", library, "--format", "json"] + arguments, seconds: 300)
    guard let last = outcome.lines.last else {
      throw WorkbenchError("import ended with \(outcome.status) and no report: \(outcome.errors)")
    }
    return (
      outcome.status, try JSONDecoder().decode(ImportReport.self, from: Data(last.utf8))
    )
  }

  /// The files below a folder, with their SHA-256 by sha256sum.
  func contents(_ folder: String) async throws -> [String: String] {
    let lines = try await bash(
      "cd '\(folder)'; find . -type f -not -name '.shoebox*' -print0 | sort -z | xargs -0r sha256sum"
    )
    return Dictionary(
      lines.split(separator: "\n").map { line in
        (String(line.dropFirst(68)), String(line.prefix(64)))
      }
    ) { first, _ in first }
  }

  /// A digest of all that a folder has: names, sizes, times, modes and content.
  func state(_ folder: String) async throws -> String {
    try await bash(
      """
      cd '\(folder)'; find . -printf '%p %y %s %T@ %C@ %m\\n' | sort
      find . -type f -print0 | sort -z | xargs -0r sha256sum
      """)
  }

  /// Makes a card with `count` live photos, RAW files next to JPEGs, and sidecars.
  ///
  /// Each picture is another one, but all are copies of a few files with another comment, so that a large card is made fast.
  /// A JPEG's comment, and a free box of a video, follow the rest of the file.
  func makeCard(pairs: Int, singles: Int) async throws {
    try await bash(
      """
      mkdir -p card/DCIM/100APPLE card/DCIM/101APPLE card/MISC
      echo volume >card/MISC/volume.txt
      camera='-q -overwrite_original -Make=Apple -Model=iPhone'
      convert -size 96x64 plasma:tomato-steelblue picture.jpg
      exiftool $camera -DateTimeOriginal=2024:06:01T10:15:30 -OffsetTimeOriginal=+02:00 picture.jpg
      convert -size 64x96 plasma:green-yellow old.jpg
      exiftool $camera -DateTimeOriginal=2023:12:31T23:59:58 -OffsetTimeOriginal=+01:00 old.jpg
      ffmpeg -v error -f lavfi -i testsrc2=s=64x48:r=10:d=1 -c:v libx264 -pix_fmt yuv420p \\
        -movflags use_metadata_tags -metadata com.apple.quicktime.make=Apple \\
        -metadata com.apple.quicktime.model=iPhone \\
        -metadata com.apple.quicktime.creationdate=2024-06-01T10:15:29+0200 clip.mov
      python3 - \(pairs) \(singles) <<'END'
      import os, sys
      pairs, singles = int(sys.argv[1]), int(sys.argv[2])
      picture, old, clip = (open(name, 'rb').read() for name in ('picture.jpg', 'old.jpg', 'clip.mov'))
      aae = ('<plist version="1.0"><dict><key>adjustmentFormatIdentifier</key>'
             '<string>com.apple.photo %d</string></dict></plist>')
      def comment(jpeg, number):
          text = b'number %d' % number
          return jpeg[:2] + b'\\xff\\xfe' + (len(text) + 2).to_bytes(2, 'big') + text + jpeg[2:]
      def write(path, content, age):
          with open(path, 'wb') as file:
              file.write(content)
          os.utime(path, (1700000000 + age, 1700000000 + age))
      for number in range(pairs):
          # The same names are in both folders.
          folder = 'card/DCIM/100APPLE' if number % 2 == 0 else 'card/DCIM/101APPLE'
          stem = '%s/IMG_%04d' % (folder, number // 2)
          write(stem + '.JPG', comment(picture, number), number)
          write(stem + '.MOV', clip + b'\\0\\0\\0\\x0cfree' + number.to_bytes(4, 'big'), number)
          if number % 5 == 0:
              write(stem + '.AAE', (aae % number).encode(), number)
      for number in range(singles):
          stem = 'card/DCIM/101APPLE/DSC_%04d' % number
          write(stem + '.JPG', comment(old, number), number)
          if number % 3 == 0:
              write(stem + '.XMP', b'<x:xmpmeta xmlns:x="adobe:ns:meta/"/>' + b' ' * number, number)
      END
      """)
  }

  /// Expects all files of the card in the library: each once, each group in one folder with one stem.
  func expectWholeImport(_ card: [String: String], _ comment: Comment) async throws {
    let library = try await contents(self.library)
    #expect(library.values.sorted() == card.values.sorted(), "lost or twice: \(comment)")
    // Where each content is.
    let places = Dictionary(library.map { ($1, $0) }) { first, _ in first }
    func stem(_ path: String) -> Substring {
      path.prefix(upTo: path.lastIndex(of: ".") ?? path.endIndex)
    }
    var groups: [Substring: Set<Substring>] = [:]
    for (path, digest) in card {
      groups[stem(path), default: []].insert(places[digest].map(stem) ?? "nowhere")
    }
    let torn = groups.filter { $0.value.count != 1 }
    #expect(torn.isEmpty, "\(comment)")
  }
}
