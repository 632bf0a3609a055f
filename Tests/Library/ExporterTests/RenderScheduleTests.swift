import MediaEdits
import MediaModel
import Synchronization
import Testing

@testable import Exporter

/// The order of work, and the cores and the memory that running files use.
struct RenderScheduleTests {
  private typealias Schedule = RenderSchedule<Int, Begun>

  private struct Begun: Sendable {
    var file: Int
    var threads: Int
    var share: RenderSchedule<Int, Begun>.Share
  }

  /// A number that several tasks change, and the most that it has been.
  private final class Running: Sendable {
    private let counts = Mutex((now: 0, most: 0))

    func add(_ number: Int) {
      counts.withLock { counts in
        counts.now += number
        counts.most = max(counts.most, counts.now)
      }
    }

    var most: Int { counts.withLock(\.most) }
  }

  private static let gigabyte: UInt64 = 1 << 30

  private func entry(
    _ file: Int, seconds: Double, memory: UInt64 = 1 << 20, item: Int? = nil, isMovie: Bool = true
  ) -> Schedule.Entry {
    Schedule.Entry(
      file: file, item: item ?? file, cost: ExpectedCost(seconds: seconds, memory: memory),
      isDivisible: isMovie)
  }

  private func schedule(
    _ entries: [Schedule.Entry], cores: Int, memory: UInt64 = 8 << 30,
    isStopped: @escaping @Sendable () -> Bool = { false }
  ) -> Schedule {
    Schedule(
      entries, cores: cores, memory: memory, isStopped: isStopped,
      begin: { file, threads, share in Begun(file: file, threads: threads, share: share) })
  }

  /// Takes a file, which is there at once.
  private func take(_ schedule: Schedule) async throws -> Begun {
    var iterator = schedule.makeAsyncIterator()
    return try #require(await iterator.next(isolation: #isolation)?.first)
  }

  /// Takes and finishes all files, one after the other.
  private func order(_ schedule: Schedule) async -> [Begun] {
    var begun: [Begun] = []
    for await jobs in schedule {
      begun += jobs
      for job in jobs { schedule.finish(job.share) }
    }
    return begun
  }

  @Test func longWorkComesFirstAndShortWorkInTheOrderOfThePlan() async {
    let schedule = schedule(
      [
        entry(0, seconds: 0.5), entry(1, seconds: 90), entry(2, seconds: 4),
        entry(3, seconds: 600), entry(4, seconds: 1),
      ], cores: 4)
    #expect(await order(schedule).map(\.file) == [3, 1, 0, 2, 4])
  }

  /// Otherwise thousands of stills would wait for their clips.
  @Test func theFilesOfOneItemFollowEachOther() async {
    let schedule = schedule(
      [
        entry(0, seconds: 1, item: 7), entry(1, seconds: 50, item: 7),
        entry(2, seconds: 1, item: 8), entry(3, seconds: 60, item: 8),
      ], cores: 2)
    #expect(await order(schedule).map(\.file) == [2, 3, 0, 1])
  }

  /// A movie that is more than its share of the work gets more cores, one alone all of them; a picture gets one.
  @Test(arguments: [
    ([1000, 10, 10, 10], 4, 4), ([100, 100, 100, 100], 4, 1), ([100, 100], 4, 2), ([50], 8, 8),
    ([60, 20, 20], 2, 2), ([50, 25, 25], 2, 1),
  ])
  func threadsAreSharedByTheWork(seconds: [Double], cores: Int, threads: Int) async throws {
    let entries = seconds.enumerated().map { entry($0.offset, seconds: $0.element) }
    #expect(try await take(schedule(entries, cores: cores)).threads == threads)
    let picture = schedule([entry(0, seconds: 50, isMovie: false)], cores: cores)
    #expect(try await take(picture).threads == 1)
  }

  @Test(.timeLimit(.minutes(1)))
  func allThreadsTogetherAreAtMostTheCores() async throws {
    let cores = 4
    let schedule = schedule(
      (0..<60).map { entry($0, seconds: Double(1 + $0 * 37 % 50)) }, cores: cores)
    let running = Running()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for await jobs in schedule {
            for job in jobs {
              running.add(job.threads)
              try? await Task.sleep(for: .milliseconds(2))
              running.add(-job.threads)
              schedule.finish(job.share)
            }
          }
        }
      }
    }
    #expect(running.most == cores)
  }

  /// What does not fit waits, smaller work goes before it, and what never fits is made alone.
  @Test(.timeLimit(.minutes(1)))
  func memoryIsSharedToo() async throws {
    let big = 3 * Self.gigabyte
    let schedule = schedule(
      [
        entry(0, seconds: 100, memory: big, isMovie: false),
        entry(1, seconds: 90, memory: big, isMovie: false),
        entry(2, seconds: 1, memory: 1 << 20, isMovie: false),
        entry(3, seconds: 80, memory: 50 * Self.gigabyte, isMovie: false),
      ], cores: 4, memory: 4 * Self.gigabyte)
    let (first, second) = (try await take(schedule), try await take(schedule))
    #expect([first.file, second.file] == [0, 2])
    async let third = take(schedule)
    schedule.finish(second.share)
    schedule.finish(first.share)
    let next = try await third
    #expect(next.file == 1)
    async let last = take(schedule)
    schedule.finish(next.share)
    #expect(try await last.file == 3)
  }

  /// Four movies that need half of the memory each: two at once, with two threads each.
  @Test func coresWithoutMemoryForFurtherFilesAreUsedByThreads() async throws {
    let schedule = schedule(
      (0..<8).map { entry($0, seconds: 100, memory: 2 * Self.gigabyte) }, cores: 4,
      memory: 4 * Self.gigabyte)
    #expect(try await take(schedule).threads == 2)
    #expect(try await take(schedule).threads == 2)
  }

  @Test(.timeLimit(.minutes(1)))
  func waitingEndsWithTheExport() async throws {
    let stopped = Running()
    let schedule = schedule(
      [entry(0, seconds: 100, memory: 9 << 30), entry(1, seconds: 90, memory: 9 << 30)],
      cores: 2, isStopped: { stopped.most > 0 })
    _ = try await take(schedule)
    async let rest = order(schedule)
    stopped.add(1)
    #expect(await rest.isEmpty)
  }

  /// Bytes of memory for a copy of a file that a worker rewrites.
  private func memory(
    _ type: UniformType, size: Int64, _ policy: MetadataPolicy = .keep,
    _ change: (inout FileDecision) -> Void = { _ in }
  ) throws -> UInt64 {
    let asset = sample("/l/a", type: type, size: PixelSize(width: 1000, height: 1000))
    var part = try #require(subject(asset).parts(request(image: "current")).first)
    part.size = size
    var decision = FileDecision(work: .render(.copy(type), policy), type: type, reasons: [])
    change(&decision)
    return ExpectedCost.of(decision, part, asset).memory
  }

  /// A still whose metadata is rewritten is in memory several times, and a WebP is decoded to find unused data.
  @Test func aRewrittenCopyNeedsMemory() throws {
    let size: Int64 = 100_000_000
    let base = try memory(.jpeg, size: size, .withoutLocation)
    let still = base + 400_000_000
    let decoded = base + 20_000_000
    var facts = CatalogFacts()
    facts.title = "A"
    let withFacts = try memory(.jpeg, size: size) { $0.facts = facts }
    #expect(withFacts == still)
    let paired = try memory(.jpeg, size: size) { $0.livePhoto = .paired(identifier: "A") }
    #expect(paired == still)
    // Movies are copied in pieces; the sizes in a catalog may be any.
    let movie = try memory(.quickTimeMovie, size: size) { $0.facts = facts }
    #expect(movie == base)
    let negative = try memory(.jpeg, size: -1) { $0.facts = facts }
    #expect(negative == base)
    let huge = try memory(.jpeg, size: Int64.max) { $0.facts = facts }
    #expect(huge > still)
    for type in [UniformType.webP, UniformType.jpegXL] {
      let stripped = try memory(type, size: 1000, .withoutLocation)
      #expect(stripped >= decoded)
      let kept = try memory(type, size: 1000)
      #expect(kept == base)
    }
  }
}
