import Catalog
import Linux
import MediaModel
import Recognition

/// A file as the walk found it.
struct ListedFile: Sendable {
  var name: [UInt8]
  var stamp: FileStamp
  /// As ``FileRecord/changed``.
  var changed: Int64
}

/// Some of the files of a folder, in no particular order.
///
/// They share the memory of the folder's entries, and take 4 bytes each: a folder may have a million. An element
/// is created when it is accessed.
struct ListedFiles: Sendable, RandomAccessCollection {
  private let entries: DirectoryEntries
  /// The positions of the files among the entries.
  private var positions: [UInt32] = []
  /// A time before the folder was read.
  private let now: Int64

  init(_ entries: DirectoryEntries, now: Int64) {
    self.entries = entries
    self.now = now
  }

  var startIndex: Int { 0 }
  var endIndex: Int { positions.count }

  subscript(index: Int) -> ListedFile {
    let (stamp, changed) = state(at: index)
    return ListedFile(name: Array(name(at: index)), stamp: stamp, changed: changed)
  }

  /// A name, without a copy.
  func name(at index: Int) -> ArraySlice<UInt8> { entries.name(at: Int(positions[index])) }

  /// The stamp of a file, and its change time as in ``FileRecord/changed``.
  func state(at index: Int) -> (stamp: FileStamp, changed: Int64) {
    let position = Int(positions[index])
    guard let stamp = entries.stamp(at: position), let changed = entries.changed(at: position)
    else { return (FileStamp(size: 0, modified: 0, inode: 0), FileRecord.young) }
    let isYoung = isYoung(stamp.modified, at: now) || isYoung(changed, at: now)
    return (stamp, isYoung ? FileRecord.young : changed)
  }

  func inode(at index: Int) -> UInt64 {
    entries.stamp(at: Int(positions[index]))?.inode ?? 0
  }

  /// The indices of the files by ``FileStamp/digest(name:changed:)``, without those whose times prove nothing.
  var indicesByDigest: [UInt64: UInt32] {
    var found: [UInt64: UInt32] = [:]
    found.reserveCapacity(count)
    for index in indices {
      let (stamp, changed) = state(at: index)
      guard changed != FileRecord.young else { continue }
      found[stamp.digest(name: name(at: index), changed: changed)] = UInt32(index)
    }
    return found
  }

  /// Adds a regular file.
  ///
  /// - Parameter position: its position among the entries.
  mutating func append(_ position: Int) {
    if positions.isEmpty { positions.reserveCapacity(entries.count - position) }
    positions.append(UInt32(position))
  }

  /// The numbers of the elements, or of some of them, in the order of their names' bytes.
  func sortedByName(_ numbers: [UInt32]) -> [UInt32] {
    numbers.sorted {
      entries.name(at: Int(positions[Int($0)]), precedesThatAt: Int(positions[Int($1)]))
    }
  }

  /// Leaves out thumbnails and proxies that cameras write next to videos.
  ///
  /// - Returns: how many.
  mutating func removeStandIns() -> Int {
    guard indices.contains(where: { CameraStandIns.mayStandIn(name(at: $0)) }) else { return 0 }
    let standIns = CameraStandIns.among(lazy.map(\.name))
    guard !standIns.isEmpty else { return 0 }
    let entries = entries
    positions.removeAll { standIns.contains(Array(entries.name(at: Int($0)))) }
    return standIns.count
  }
}

/// Whether a file with this time may be changed later and keep the time, since the file system's clock has not
/// moved on. FAT counts times in steps of two seconds, other file systems with whole seconds in steps of
/// one; the rest take the time of the kernel's last tick, which is at most 10 ms ago.
///
/// Git distrusts such files, too ("racy git", Documentation/technical/racy-git.adoc).
func isYoung(_ time: Int64, at now: Int64) -> Bool {
  let (age, isFar) = now.subtractingReportingOverflow(time)
  // A time in the future is not that of a change that was just made.
  guard !isFar, abs(age) < 2_000_000_000 + clockStep else { return false }
  return time % 1_000_000_000 == 0 || abs(age) < clockStep
}

/// Nanoseconds; larger than a tick of any kernel.
private let clockStep: Int64 = 100_000_000
