import Linux
import MediaModel
import ShoeboxKit
import Terminal

/// A script for `/bin/sh` that removes or moves spare files. Names are quoted byte by byte, and each command is on one
/// line, so that a person who deletes lines deletes whole commands. Right before it touches a file, it checks that the
/// file to keep is there, and for exact copies that both have the same bytes.
struct DuplicateScript {
  private let sets: [DuplicateSet]
  /// Where spare files go; nil to remove them.
  private let folder: BytePath?

  init(_ sets: [DuplicateSet], movingTo folder: BytePath?) {
    (self.sets, self.folder) = (sets, folder)
  }

  func write(to output: Output) throws {
    try output.append(head.utf8)
    try output.append(Array("FOLDER=".utf8) + (folder?.quotedForShell ?? Array("''".utf8)))
    try output.append(Self.functions.utf8)
    for (number, set) in zip(1..., sets) {
      try output.append(
        "\n# set \(number), \(set.kind.rawValue), \(humanBytes(set.reclaimableBytes))\n".utf8)
      let kept = comment(set.keeper.asset.path)
      try output.append("# keep \(kept): \(set.reason.terminalSafe)\n".utf8)
      for spare in set.spares { try output.append(line(spare, of: set)) }
    }
    let end = sets.isEmpty ? "\n# There are no duplicates.\n" : ""
    try output.append("\(end)\nexit \"$status\"\n".utf8)
  }

  /// The command for a spare asset, on one line. Its sidecars are named in comments.
  private func line(_ spare: DuplicateSet.Member, of set: DuplicateSet) -> [UInt8] {
    var line = Array(set.kind.rawValue.utf8)
    switch set.kind {
    case .exact:
      for file in spare.files {
        line += [UInt8(ascii: " ")] + (file.equal ?? set.keeper.asset.path).quotedForShell
        line += [UInt8(ascii: " ")] + file.path.quotedForShell
      }
    case .similar:
      line += [UInt8(ascii: " ")] + set.keeper.asset.path.quotedForShell
      for file in spare.files { line += [UInt8(ascii: " ")] + file.path.quotedForShell }
    }
    line.append(UInt8(ascii: "\n"))
    let gone = Set(spare.files.map(\.path))
    let left = spare.asset.resources.map(\.path).filter { !gone.contains($0) }
    for path in Set(left).sorted() { line += "#   left: \(comment(path))\n".utf8 }
    return line
  }

  /// A path in a comment, on one line: line feeds and other controls are replaced.
  private func comment(_ path: BytePath) -> String { path.display.terminalSafe }

  private var head: String {
    """
    #!/bin/sh
    # Made by `shoebox duplicates`. Nothing has been deleted yet.
    #
    # Review it: delete the line of each file that is to stay, then run it with sh. Each line names a file to keep and
    # a file that goes, or several such pairs. A line does nothing if a file to keep is gone or is the same file.
    #
    # In names, $nl is a line feed, and printf writes bytes that a terminal does not show.

    nl=$(printf '\\nx')
    nl=${nl%x}

    # Spare files are removed, or moved below this folder if it is not empty:

    """
  }

  /// `-ef` is in POSIX since 2024, and in dash, bash and BusyBox for decades.
  private static let functions = #"""


    status=0

    skip() {
      printf 'skipped: %s: %s' "$2" "$1" | LC_ALL=C tr '\001-\037\177' '?' >&2
      echo >&2
      status=1
    }

    spare() {
      if [ -z "$FOLDER" ]; then
        rm -- "$1" || status=1
      else
        mkdir -p -- "$FOLDER${1%/*}" && mv -- "$1" "$FOLDER$1" || status=1
      fi
    }

    # usable KEPT SPARE
    usable() {
      [ -f "$2" ] || { skip 'is not there' "$2"; return 1; }
      [ -f "$1" ] || { skip 'the file to keep is not there' "$2"; return 1; }
      [ ! "$1" -ef "$2" ] || { skip 'is the file to keep' "$2"; return 1; }
      [ -z "$FOLDER" ] || [ ! -e "$FOLDER$2" ] || { skip 'is in the folder already' "$2"; return 1; }
    }

    # equal KEPT SPARE [KEPT SPARE]...: whether all spare files have the bytes of the files to keep
    equal() {
      while [ $# -ge 2 ]; do
        usable "$1" "$2" || return 1
        cmp -s -- "$1" "$2" || { skip 'differs from the file to keep' "$2"; return 1; }
        shift 2
      done
    }

    # exact KEPT SPARE [KEPT SPARE]...
    exact() {
      equal "$@" || return 0
      while [ $# -ge 2 ]; do
        spare "$2"
        shift 2
      done
    }

    # similar KEPT SPARE [SPARE]...
    similar() {
      kept=$1
      shift
      for file; do usable "$kept" "$file" || return 0; done
      for file; do spare "$file"; done
    }

    """#
}

extension BytePath {
  /// The path as one word on one line for `sh`.
  ///
  /// What a terminal shows as it is is in single quotes, which `sh` takes literally. Control characters, those that
  /// change the direction of writing, and bytes that are not UTF-8 are written by `printf` in octal. `$(…)` cuts line
  /// feeds off at the end, so they come from the variable `nl`.
  fileprivate var quotedForShell: [UInt8] {
    guard !bytes.isEmpty else { return Array("''".utf8) }
    return pieces.flatMap { piece in
      piece.isShown ? Self.quoted(piece.bytes) : Self.written(piece.bytes)
    }
  }

  /// The path in pieces that a terminal shows as they are, and others. Of a path that is not UTF-8, only ASCII is shown.
  private var pieces: [(bytes: [UInt8], isShown: Bool)] {
    var pieces: [(bytes: [UInt8], isShown: Bool)] = []
    func append(_ bytes: [UInt8], isShown: Bool) {
      if pieces.last?.isShown != isShown { pieces.append((bytes: [], isShown: isShown)) }
      pieces[pieces.count - 1].bytes += bytes
    }
    if let text {
      for scalar in text.unicodeScalars {
        append(Array(String(scalar).utf8), isShown: !scalar.isDisplayControl)
      }
    } else {
      for byte in bytes { append([byte], isShown: (0x20..<0x7F).contains(byte)) }
    }
    return pieces
  }

  private static func quoted(_ bytes: [UInt8]) -> [UInt8] {
    let quote = UInt8(ascii: "'")
    return [quote] + bytes.flatMap { $0 == quote ? Array("'\\''".utf8) : [$0] } + [quote]
  }

  /// An expression of `sh` that gives these bytes.
  private static func written(_ bytes: [UInt8]) -> [UInt8] {
    var text = ""
    for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
      if !line.isEmpty { text += "$(printf '\(line.map(octal).joined())')" }
      text += "$nl"
    }
    // The last line has no end.
    return Array("\"\(text.dropLast("$nl".count))\"".utf8)
  }

  /// A byte in the format of `printf`: always three digits.
  private static func octal(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 8)
    return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
  }
}
