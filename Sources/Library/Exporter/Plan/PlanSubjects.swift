import MediaModel

/// The assets of an export in the order of their sources' paths, with what depends on all of them.
///
/// One of several tasks that share an export plans names over the whole selection, so that its results have the names that
/// one export of everything would give them. It needs the files of its own assets, and of those whose results may want the
/// same names.
package struct PlanSubjects: Sendable {
  /// Sorted by path.
  package private(set) var all: [ExportSubject]
  /// Each one's number in the order of capture, from 1.
  let captureIndices: [Int]
  /// The names that are wanted for their results, before collisions are resolved.
  let wanted: [WantedName]
  /// The indices of those that the plan needs: all, or those of naming groups with an asset of the request's shard.
  package let needed: [Int]

  /// - Parameter check: called for each of many steps. What it throws ends the work.
  package init(
    _ subjects: [ExportSubject], _ request: ExportRequest, checking check: () throws -> Void
  ) rethrows {
    let all = try subjects.inOrder(checking: check)
    let numbers = try all.captureIndices(checking: check)
    let wanted = try zip(all, numbers).map { subject, number in
      try check()
      return subject.wantedName(request, subject.parts(request), index: number)
    }
    (self.all, captureIndices, self.wanted) = (all, numbers, wanted)
    guard request.shard != nil else {
      needed = Array(all.indices)
      return
    }
    var groups = NamingGroups(count: all.count)
    for (index, subject) in all.enumerated() {
      try check()
      groups.add(
        index, in: wanted[index].folder,
        stems: subject.possibleStems(request, wanted[index], index: numbers[index]))
    }
    needed = groups.indices { request.owns(all[$0].asset) }
    for index in needed where !request.owns(all[index].asset) {
      try check()
      self.all[index].readStamps(request)
    }
  }

  /// Those that the plan needs.
  var neededSubjects: [ExportSubject] { needed.map { all[$0] } }
  /// The folders below the target for the results of those that the plan needs.
  var neededFolders: Set<String> { Set(needed.map { wanted[$0].folder }) }
  /// The folders below the target for all results, of other tasks too.
  var folders: Set<String> { Set(wanted.map(\.folder)) }
}
