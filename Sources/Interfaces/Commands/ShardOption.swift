import ArgumentParser
import ShoeboxKit

/// The option for one of several tasks that share a scan or an export.
struct ShardOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Do part K of N, as one of N tasks. K is a number from 1, or `auto` for the index that Slurm, Kubernetes or GNU parallel gives the task.",
      valueName: "k/n"))
  var shard: String?

  /// The shard that the option names; nil without the option.
  ///
  /// - Throws: `Failure` with ``ExitStatus/usage``.
  func named(in environment: [String: String]) throws -> LibraryShard? {
    guard let shard else { return nil }
    let parts = shard.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, let count = Int(parts[1]) else {
      throw Failure(.usage, "--shard \(shard): write K/N, as 3/64, or auto/64")
    }
    let number =
      parts[0] == "auto" ? try Self.taskNumber(of: count, in: environment) : Int(parts[0])
    guard let number, let named = LibraryShard(number, of: count) else {
      throw Failure(.usage, "--shard \(shard): K must be from 1 to N, and N at most 1000000")
    }
    return named
  }

  /// - Throws: `Failure` if the result is not a number of a shard.
  private static func sum(_ first: Int, _ second: Int, minus third: Int = 0) throws -> Int {
    let (sum, isTooLarge) = first.addingReportingOverflow(second)
    let (difference, isTooSmall) = sum.subtractingReportingOverflow(third)
    guard !isTooLarge, !isTooSmall else {
      throw Failure(.usage, "--shard auto: the task's index is out of range")
    }
    return difference
  }

  /// The number of this task among its array, from 1.
  ///
  /// - Parameter count: the number of shards.
  private static func taskNumber(of count: Int, in environment: [String: String]) throws -> Int {
    func number(_ name: String) throws -> Int? {
      guard let text = environment[name], !text.isEmpty else { return nil }
      guard let number = Int(text) else {
        throw Failure(.usage, "--shard auto: $\(name) is '\(text)', not a number")
      }
      return number
    }
    // Slurm's arrays may begin with any index. One that repeats only some tasks does not have the lowest index of the first
    // one, from which to count.
    if let index = try number("SLURM_ARRAY_TASK_ID") {
      if let tasks = try number("SLURM_ARRAY_TASK_COUNT"), tasks != count {
        throw Failure(
          .usage,
          "--shard auto/\(count): the array has \(tasks) task\(tasks == 1 ? "" : "s"), not \(count): write K/\(count)"
        )
      }
      return try sum(index, 1, minus: try number("SLURM_ARRAY_TASK_MIN") ?? 1)
    }
    // Kubernetes counts from 0.
    if let index = try number("JOB_COMPLETION_INDEX") { return try sum(index, 1) }
    if let index = try number("PARALLEL_SEQ") { return index }
    throw Failure(
      .usage,
      "--shard auto: none of $SLURM_ARRAY_TASK_ID, $JOB_COMPLETION_INDEX and $PARALLEL_SEQ is set")
  }
}
