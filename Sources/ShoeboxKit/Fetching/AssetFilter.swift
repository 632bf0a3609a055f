public import Foundation
import Linux
import MediaModel
import Query
public import SystemPackage

/// Which assets to fetch, as `PHPickerFilter` says it.
///
/// ```swift
/// let filter: AssetFilter = .all(of: [.images, .not(.screenshots), .captured(from: "2023-05", through: "2023-08")])
/// ```
///
/// Without a filter that says otherwise, missing assets are not fetched.
public struct AssetFilter: Sendable, Hashable {
  /// The meaning of the filter; or the reason why it has none, which ``PhotoLibrary/fetchAssets(_:options:)`` throws.
  let condition: Result<Condition?, InvalidFilter>

  /// A part that cannot be read.
  struct InvalidFilter: Error, Hashable {
    var reason: String

    init(_ reason: String) { self.reason = reason }
  }

  private init(_ condition: Condition?) { self.condition = .success(condition) }

  private init(reading body: () throws(BadValue) -> Condition) {
    do {
      condition = .success(try body())
    } catch {
      condition = .failure(InvalidFilter(error.description))
    }
  }

  private init(checking body: () throws(InvalidFilter) -> Condition) {
    condition = Result { () throws(InvalidFilter) in try body() }
  }

  /// A filter that compares with a text, which is not empty.
  ///
  /// - Parameter part: what the text is, such as `the keyword`.
  private init(_ text: String, as part: String, _ condition: (String) -> Condition) {
    self.init(checking: { () throws(InvalidFilter) in
      guard !text.isEmpty else { throw InvalidFilter("\(part) is empty") }
      return condition(text)
    })
  }

  private init(combining filters: [AssetFilter], _ combine: ([Condition]) -> Condition?) {
    condition = Result { () throws(InvalidFilter) in
      var parts: [Condition] = []
      for filter in filters {
        // Everything is part of every combination.
        parts.append(try filter.condition.get() ?? .everything)
      }
      return combine(parts)
    }
  }

  // MARK: Kinds

  /// Pictures and videos of every kind.
  public static let everything = AssetFilter(nil)
  /// Pictures, live photos too.
  public static let images = AssetFilter(.type(.images))
  /// Videos.
  public static let videos = AssetFilter(.type(.videos))
  /// Apple's live photos.
  public static let livePhotos = AssetFilter(.type(.livePhotos))
  /// Pictures with a clip inside, as Android phones make them.
  public static let motionPhotos = AssetFilter(.type(.motionPhotos))
  /// Pictures of screens.
  public static let screenshots = AssetFilter(.type(.screenshots))
  /// Videos of screens.
  public static let screenRecordings = AssetFilter(.type(.screenRecordings))
  /// Pictures that were taken in quick succession.
  public static let bursts = AssetFilter(.type(.bursts))
  /// Panoramas.
  public static let panoramas = AssetFilter(.type(.panoramas))
  /// Pictures with depth data.
  public static let depthEffectPhotos = AssetFilter(.type(.depthEffectPhotos))
  /// Videos whose focus can be changed.
  public static let cinematicVideos = AssetFilter(.type(.cinematicVideos))
  /// Slow motions.
  public static let slomoVideos = AssetFilter(.type(.slomoVideos))
  /// Time-lapses.
  public static let timelapseVideos = AssetFilter(.type(.timelapseVideos))
  /// Recorded for both eyes.
  public static let spatialMedia = AssetFilter(.type(.spatialMedia))
  /// High dynamic range.
  public static let hdr = AssetFilter(.type(.hdr))
  /// Cameras' raw data.
  public static let raw = AssetFilter(.type(.raw))
  /// Assets with an edited version.
  public static let edited = AssetFilter(.type(.edited))
  /// Exact copies, all of each set.
  public static let duplicates = AssetFilter(.type(.duplicates))
  /// Favorites, by the file or a sidecar.
  public static let favorites = AssetFilter(.type(.favorites))
  /// Assets whose files are gone, instead of those that are there.
  public static let missing = AssetFilter(.missing)

  // MARK: Combinations

  /// Assets that match at least one of the filters; none if there is no filter.
  public static func any(of filters: [AssetFilter]) -> AssetFilter {
    AssetFilter(combining: filters) { $0.isEmpty ? .nothing : $0.count == 1 ? $0[0] : .any($0) }
  }

  /// Assets that match all of the filters; every asset if there is no filter.
  public static func all(of filters: [AssetFilter]) -> AssetFilter {
    AssetFilter(combining: filters) { $0.isEmpty ? nil : $0.count == 1 ? $0[0] : .all($0) }
  }

  /// Assets that do not match the filter.
  public static func not(_ filter: AssetFilter) -> AssetFilter {
    AssetFilter(combining: [filter]) { .not($0[0]) }
  }

  // MARK: Facts

  /// Taken in a period on the wall clock of the place, both ends included: `"2023"`, `"2023-05"`, `"2023-05-14"` or
  /// `"2023-05-14T16:30"`.
  public static func captured(from first: String, through last: String) -> AssetFilter {
    AssetFilter { () throws(BadValue) in
      .comparison(.captureDate, .dates(try WallDate(typed: first), try WallDate(typed: last)))
    }
  }

  /// First scanned at an instant or later.
  public static func added(since instant: Date) -> AssetFilter {
    AssetFilter(checking: { () throws(InvalidFilter) in
      guard !instant.timeIntervalSince1970.isNaN else { throw InvalidFilter(Date.notANumber) }
      // Before 1970, no scan was.
      let bounded = max(instant.milliseconds, 0)
      return .comparison(.addedDate, .date(.atLeast, WallDate(millisecond: bounded)))
    })
  }

  /// First scanned on a date or later, in UTC: `"2023"`, `"2023-05"`, `"2023-05-14"`, `"2023-05-14T16:30"`, `"yesterday"` or
  /// `"7d"`, which is seven days ago.
  public static func added(since date: String) -> AssetFilter {
    AssetFilter { () throws(BadValue) in
      .comparison(.addedDate, .date(.atLeast, try WallDate(typed: date, isUTC: true)))
    }
  }

  /// In an album of this title, in any case: the user's (``PhotoLibrary/add(_:toAlbum:)``), or a folder with this name, not
  /// in those below it. A folder of a Takeout has the title of its album.
  public static func album(_ name: String) -> AssetFilter {
    AssetFilter(name, as: "the album's title") { .comparison(.album, .text(.equal, $0)) }
  }

  /// In a folder or below it. A relative path is relative to every library folder.
  public static func under(_ folder: FilePath) -> AssetFilter {
    AssetFilter(checking: { () throws(InvalidFilter) in
      guard !folder.isEmpty else { throw InvalidFilter("the folder's path is empty") }
      return .under(BytePath(folder))
    })
  }

  /// Words that begin words of names, folders, titles, captions, keywords, people or cameras; case and accents do not matter.
  public static func search(_ words: String) -> AssetFilter {
    AssetFilter { () throws(BadValue) in .search(try SearchText(typed: words)) }
  }

  /// Taken within a distance of a place, which is given in degrees.
  public static func near(latitude: Double, longitude: Double, kilometers: Double) -> AssetFilter {
    AssetFilter { () throws(BadValue) in
      guard (-90...90).contains(latitude), (-180...180).contains(longitude), kilometers > 0,
        kilometers.isFinite
      else {
        throw BadValue(
          "\(latitude), \(longitude), \(kilometers)",
          "is not a place with a distance: latitudes are from -90 to 90, longitudes from -180 to "
            + "180, distances more than 0 km")
      }
      return .near(latitude: latitude, longitude: longitude, kilometres: kilometers)
    }
  }

  /// With a keyword, in any case.
  public static func keyword(_ keyword: String) -> AssetFilter {
    AssetFilter(keyword, as: "the keyword") { .comparison(.keyword, .text(.equal, $0)) }
  }

  /// With a person of this name, in any case.
  public static func person(_ name: String) -> AssetFilter {
    AssetFilter(name, as: "the person's name") { .comparison(.person, .text(.equal, $0)) }
  }

  /// With at least this number of stars, 0 to 5.
  public static func rating(atLeast stars: Int) -> AssetFilter {
    AssetFilter(.comparison(.rating, .number(.atLeast, Double(stars))))
  }

  /// The filter that an expression in the language of `shoebox list --where` describes.
  ///
  /// - Parameters:
  ///   - text: the expression.
  ///   - now: the time that `today`, `yesterday` and dates such as `7d` are relative to. A program that stores the text
  ///     and reads it again passes the time of the first reading, so that the filter matches the same assets.
  /// - Throws: ``PhotoLibraryError/invalidFilter(_:)`` with the mistake.
  public static func expression(
    _ text: String, now: Date = Date()
  ) throws(PhotoLibraryError) -> AssetFilter {
    do {
      return AssetFilter(try Condition(expression: text, now: Instant(now)))
    } catch {
      throw .invalidFilter(error.complaint)
    }
  }

  /// The filter in the catalog's form.
  ///
  /// - Throws: ``PhotoLibraryError/invalidFilter(_:)``.
  func query() throws(PhotoLibraryError) -> Query::AssetFilter {
    var filter = Query::AssetFilter()
    let condition: Condition?
    do {
      condition = try self.condition.get()
    } catch {
      throw .invalidFilter(error.reason)
    }
    if let condition {
      guard condition.depth <= Self.deepest else {
        throw .invalidFilter("it has more than \(Self.deepest) filters in each other")
      }
      guard !condition.mixesMissing else {
        throw .invalidFilter("`missing` can only be required of all assets")
      }
      filter.expressions = [condition]
    }
    return filter
  }

  /// Whether it is of missing assets instead of present ones.
  ///
  /// - Throws: ``PhotoLibraryError/invalidFilter(_:)``.
  package var wantsMissing: Bool {
    get throws(PhotoLibraryError) { try query().wantsMissing }
  }

  /// As in expressions: SQLite's parser has a stack of a hundred.
  private static let deepest = 64
}

extension Condition {
  /// Every asset is one or the other.
  fileprivate static let everything = Condition.any([.type(.images), .type(.videos)])
  fileprivate static let nothing = Condition.all([.type(.images), .type(.videos)])
}
