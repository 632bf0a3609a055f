import Linux
import MediaModel
import ShoeboxKit
import Terminal

/// A script for `/bin/sh` that removes or moves spare files. Names are quoted byte by byte. Right before it touches a
/// file, it checks that the file to keep is there, and for exact copies that both have the same bytes.
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
      try output.append("# keep \(comment(set.keeper.asset.path)): \(set.reason)\n".utf8)
      for spare in set.spares { try output.append(line(spare, of: set)) }
    }
    let end = sets.isEmpty ? "\n# There are no duplicates.\n" : ""
    try output.append("\(end)\nexit \"$status\"\n".utf8)
  }

  /// The lines of a spare asset. Its sidecars are named in comments.
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

  /// A path in a comment, on one line.
  private func comment(_ path: BytePath) -> String { path.display.terminalSafe }

  private var head: String {
    """
    #!/bin/sh
    # Made by `shoebox duplicates`. Nothing has been deleted yet.
    #
    # Review it: delete the line of each file that is to stay, then run it with sh. Each line names a file to keep and
    # a file that goes, or several such pairs. A line does nothing if a file to keep is gone or is the same file.
    #
    # Spare files are removed, or moved below this folder if it is not empty:

    """
  }

  /// `-ef` is in POSIX since 2024, and in dash, bash and BusyBox for decades.
  private static let functions = #"""


    status=0

    skip() {
      printf 'skipped: %s: %s\n' "$2" "$1" >&2
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
  /// The bytes in single quotes, which `sh` takes literally.
  fileprivate var quotedForShell: [UInt8] {
    let quote = UInt8(ascii: "'")
    return [quote] + bytes.flatMap { $0 == quote ? Array("'\\''".utf8) : [$0] } + [quote]
  }
}
