import Foundation
import GRDB
import Linux
import MediaModel
import ShoeboxKit
import Testing

@testable import Catalog
@testable import Commands
@testable import Query
@testable import Terminal

/// What a command did, run in this process.
struct CommandRun {
  var status: Commands.ExitStatus
  var bytes: [UInt8]
  var messages: [String]

  var text: String { String(decoding: bytes, as: UTF8.self) }
  var lines: [String] { text.split(separator: "\n").map(String.init) }
}

/// A catalog of a few assets, written row by row, and commands run on it.
final class CommandBench {
  let folder: String
  var catalogPath: String { "\(folder)/catalog.sqlite" }
  /// An existing folder that the catalog knows as a root.
  var root: String { "\(folder)/library" }
  var tags: [MetadataTag] = [
    MetadataTag(group: "EXIF IFD0", name: "Make", value: "Apple\u{1B}[31m")
  ]
  var width: Int?
  var isTerminal = false
  var environment: [String: String] = [:]

  init() throws {
    let temporary = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    let library = temporary.appending(path: "library")
    try FileManager.default.createDirectory(at: library, withIntermediateDirectories: true)
    try Data().write(to: library.appending(path: "a.jpg"))
    folder = try BytePath(temporary.path).resolved().display
    let catalog = try Catalog.open(at: catalogPath, mode: .readWrite)
    try catalog.database.write { [root] database in
      try database.execute(
        sql: "INSERT INTO roots VALUES (1, ?, 1700000000000, 1, 1)", arguments: [root])
      try database.execute(sql: Self.rows)
    }
    try catalog.write { _ = try $0.writeSearch(limit: .max) }
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  func run(_ arguments: String...) async -> CommandRun {
    await run(arguments)
  }

  /// One sentence on standard error, and nothing printed.
  func expectRefusal(
    of arguments: [String], _ status: Commands.ExitStatus, _ message: String
  ) async {
    let run = await run(arguments)
    #expect(run.status == status)
    #expect(run.bytes.isEmpty)
    #expect(run.messages.count == 1)
    #expect(run.messages.first?.contains(message) == true, "\(run.messages)")
  }

  func run(_ arguments: [String]) async -> CommandRun {
    var written: [UInt8] = []
    var messages: [String] = []
    let context = CommandContext(
      environment: environment.merging(["SHOEBOX_CATALOG": catalogPath]) { own, _ in own },
      output: Output { written += $0 }, message: { messages.append($0) },
      isOutputTerminal: isTerminal, width: width,
      inspect: { [tags] _, asset in
        if asset.path.display.hasSuffix("b,\"c\".png") { throw CocoaError(.fileReadUnknown) }
        return tags
      })
    let status = await runShoebox(arguments, in: context)
    return CommandRun(status: status, bytes: written, messages: messages)
  }

  /// A live photo with its clip, a screenshot with a hostile name, one that is not UTF-8, one that is
  /// missing, one that is unreadable.
  private static let rows = """
    INSERT INTO folders (id, root_id, path, name, media_count) VALUES (1, 1, '', '', 6);
    INSERT INTO folders (id, root_id, parent_id, path, name) VALUES (2, 1, 1, '旅行', '旅行');
    INSERT INTO folder_search (rowid, path) VALUES (2, '旅行');
    INSERT INTO origin_search (rowid, camera) VALUES (1, 'Apple' || char(10) || 'iPhone 13');
    INSERT INTO files (id, folder_id, family, name, size, modified, changed, inode, kind, missing_since, error) VALUES
      (1, 1, 1, 'a.jpg', 2182707, 1645016163000000000, 0, 1, 'media', NULL, NULL),
      (2, 1, 1, 'a.mov', 3040000, 1645016163000000000, 0, 2, 'media', NULL, NULL),
      (3, 2, 2, 'b,"c".png', 999, 0, 0, 3, 'media', NULL, NULL),
      (4, 1, 3, x'FF2E6A7067', 10, 0, 0, 4, 'media', NULL, NULL),
      (5, 1, 4, 'gone.jpg', 20, 0, 0, 5, 'media', 1, NULL),
      (6, 1, 5, 'bad' || char(27) || '[2J' || char(10) || '.jpg', 0, 0, 0, 6, 'media', NULL,
        'the file is empty');
    INSERT INTO origins (id, uniform_type, make, model) VALUES (1, 'public.jpeg', 'Apple', 'iPhone 13'),
      (2, 'com.apple.quicktime-movie', NULL, NULL), (3, 'public.png', NULL, NULL), (4, 'public.jpeg', NULL, NULL);
    INSERT INTO assets (id, identifier, revision, added_date, folder_id, origin_id, size, subtypes, is_video,
      is_missing, is_unreadable, absorbed_by, absorbed_as, capture_wall, capture_offset, pixel_width,
      pixel_height, duration, name) VALUES
      (1, x'AAAAAAAA000040008000000000000001', 1, 0, 1, 1, 2182707, 1, 0, 0, 0, NULL, NULL, 1645016141123, 60, 3024,
        4032, 1.85, 'a.jpg'),
      (2, x'AAAAAAAA000040008000000000000002', 1, 0, 1, 2, 3040000, 0, 1, 0, 0, 1, 'pairedVideo', NULL, NULL, NULL,
        NULL, 1.85, 'a.mov'),
      (3, x'BBBBBBBB000040008000000000000003', 1, 0, 2, 3, 999, 4, 0, 0, 0, NULL, NULL, 1645016142000, NULL, 1170,
        2532, NULL, 'b'),
      (4, x'CCCCCCCC000040008000000000000004', 1, 0, 1, 4, 10, 0, 0, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
        'x'),
      (5, x'DDDDDDDD000040008000000000000005', 1, 0, 1, 4, 20, 0, 0, 1, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
        'gone.jpg'),
      (6, x'EEEEEEEE000040008000000000000006', 1, 0, 1, 4, 0, 0, 0, 0, 1, NULL, NULL, 0, NULL, NULL, NULL, NULL,
        'bad');
    INSERT INTO keywords VALUES (1, 'holiday');
    INSERT INTO labels VALUES (1, 'livePhoto', 1, 95, 'name+time'),
      (1, 'motionPhoto', 0, NULL, 'the clip is cut off'),
      (3, 'screenshot', 1, 80, 'name' || char(10) || 'screenSize:1170x2532' || char(10) || 'png');
    INSERT INTO scans (id, started, finished, milliseconds, outcome, added, unreadable, roots)
      VALUES (1, 1700000000000, 1700000002500, 2500, 'finished', 5, 1, '/l');
    INSERT INTO failures (scan_id, path, error) VALUES (1, '/l/bad', 'the file is empty');
    """
}
