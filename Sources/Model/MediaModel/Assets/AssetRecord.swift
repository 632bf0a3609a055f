/// Whether a file, and with it the asset that is made of it, is there.
package enum AssetStatus: String, Sendable, CaseIterable {
  case present
  /// Was there and is gone, though its root is available.
  case missing
  /// There, but it could not be read; the error says why.
  case unreadable
}

/// What a resource is to its asset, in PhotoKit's words, in the order they are listed.
package enum ResourceType: String, Sendable, CaseIterable {
  case photo, video, pairedVideo, alternatePhoto, fullSizePhoto, adjustmentData, sidecar
}

/// One of the files, or parts of a file, that an asset consists of.
package struct ResourceRecord: Sendable, Hashable {
  package var type: ResourceType
  package var path: BytePath
  package var uniformType: UniformType
  /// Bytes of the resource itself: of the clip, for one inside a file.
  package var size: Int64
  /// For a clip inside a file: its first byte and its bytes.
  package var range: ResourceRange?
  /// The asset's file that this one belongs to, if that is not the asset's main file: the edited picture of a clip,
  /// the RAW of a sidecar.
  package var owner: BytePath?
  /// For edit instructions: the words of the edits of this asset that they record and that are switched on, see
  /// ``AdjustmentList``.
  package var adjustments: [String] = []

  package init(
    type: ResourceType,
    path: BytePath,
    uniformType: UniformType,
    size: Int64,
    range: ResourceRange? = nil,
    owner: BytePath? = nil
  ) {
    self.type = type
    self.path = path
    self.uniformType = uniformType
    self.size = size
    self.range = range
    self.owner = owner
  }
}

/// A part of a file, in bytes.
package struct ResourceRange: Sendable, Hashable {
  package var offset: Int64
  package var length: Int64

  package init(
    offset: Int64,
    length: Int64
  ) {
    self.offset = offset
    self.length = length
  }
}

/// An exact copy of a file, and the album that it is in.
package struct CopyInAlbum: Sendable, Hashable {
  package var path: BytePath
  package var album: String

  package init(path: BytePath, album: String) {
    (self.path, self.album) = (path, album)
  }
}

/// One picture or video of the library, with everything the catalog knows of it.
package struct AssetRecord: Sendable, Hashable {
  /// Its number inside the catalog; not stable across catalogs.
  package var rowID: Int64
  /// A UUID, never reused.
  package var identifier: String
  package var mediaType: MediaType
  package var subtypes: MediaSubtypes
  /// By content.
  package var uniformType: UniformType
  /// The uniform type the file's extension promises, if that is another one.
  package var declaredType: UniformType?
  package var path: BytePath
  /// The title of the album that its folder is, if a Takeout's file records one.
  package var albumTitle: String?
  /// The titles of the user's albums that it is in, in order. Filled if ``AssetParts/keywords`` were asked for.
  package var albums: [String] = []
  /// The copies of its main file that are in another album. Filled if ``AssetParts/keywords`` were asked for.
  package var copiesInAlbums: [CopyInAlbum] = []
  /// The name that its file had in the service it was exported from, if a sidecar records one. Filled if
  /// ``AssetParts/resources`` were asked for.
  package var originalName: String?
  /// Bytes of its own file.
  package var size: Int64
  /// Nanoseconds since 1970 UTC.
  package var modified: Int64
  /// Upright.
  package var pixelSize: PixelSize?
  /// As stored, 1–8.
  package var orientation: Int?
  /// Seconds.
  package var duration: Double?
  /// The wall time where it was taken.
  package var captureTime: CaptureTime?
  /// Which neighbour the zone of the capture time is inferred from, such as `18 s after IMG_0001.JPG`; nil if it is not
  /// inferred.
  package var timeZoneEvidence: String?
  package var location: Location?
  package var camera: Camera
  package var exposure: Exposure
  package var video: VideoProperties
  package var title: String?
  package var caption: String?
  /// 0–5; −1 for rejected.
  package var rating: Int?
  /// Whether the user has marked it as a favorite.
  package var isFavorite = false
  /// The word of a color label, such as `Red`.
  package var label: String?
  /// As a file or sidecar records it.
  package var recordedPick: Pick?
  package var contentIdentifier: String?
  package var burstIdentifier: String?
  /// How a motion clip inside the file was found.
  package var clipEvidence: String?
  package var status: AssetStatus
  /// Why it is unreadable, one sentence.
  package var error: String?
  /// What was wrong in the file but did not keep it from being read.
  package var warnings: [String]
  /// Milliseconds since 1970 UTC.
  package var added: Int64
  /// The number of the change in which the catalog last wrote it.
  package var revision: Int64 = 0
  /// Whether another asset has exactly its content.
  package var isDuplicate = false
  /// An identifier that all exact copies of its main file share; nil if there is no copy. It changes with the content.
  package var duplicateSet: String?
  /// The paths of the copies of its main file, in order. Only read for a single asset.
  package var copies: [BytePath] = []
  /// Filled if ``AssetParts/keywords`` were asked for.
  package var keywords: [String] = []
  /// Hierarchical keywords, as ``KeywordPath``. Filled if ``AssetParts/keywords`` were asked for.
  package var keywordPaths: [String] = []
  /// The names of the people in it. Filled if ``AssetParts/keywords`` were asked for.
  package var people: [String] = []
  /// The values that its sidecars have set. Filled if ``AssetParts/sidecarValues`` were asked for.
  package var sidecarValues: SidecarValues = []
  /// Filled if ``AssetParts/resources`` were asked for.
  package var resources: [ResourceRecord] = []
  /// The kinds it was given and those it came close to, with the evidence, in the order of
  /// `MediaSubtypes.named`. Filled if ``AssetParts/labels`` were asked for.
  package var labels: [Label] = []

  package init(
    rowID: Int64,
    identifier: String,
    mediaType: MediaType,
    subtypes: MediaSubtypes,
    uniformType: UniformType,
    declaredType: UniformType? = nil,
    path: BytePath,
    size: Int64,
    modified: Int64,
    pixelSize: PixelSize? = nil,
    orientation: Int? = nil,
    duration: Double? = nil,
    captureTime: CaptureTime? = nil,
    timeZoneEvidence: String? = nil,
    location: Location? = nil,
    camera: Camera,
    exposure: Exposure,
    video: VideoProperties,
    title: String? = nil,
    caption: String? = nil,
    rating: Int? = nil,
    isFavorite: Bool = false,
    contentIdentifier: String? = nil,
    burstIdentifier: String? = nil,
    clipEvidence: String? = nil,
    status: AssetStatus,
    error: String? = nil,
    warnings: [String],
    added: Int64,
    revision: Int64 = 0,
    isDuplicate: Bool = false,
    duplicateSet: String? = nil,
    copies: [BytePath] = [],
    keywords: [String] = [],
    people: [String] = [],
    resources: [ResourceRecord] = [],
    labels: [Label] = []
  ) {
    self.rowID = rowID
    self.identifier = identifier
    self.mediaType = mediaType
    self.subtypes = subtypes
    self.uniformType = uniformType
    self.declaredType = declaredType
    self.path = path
    self.size = size
    self.modified = modified
    self.pixelSize = pixelSize
    self.orientation = orientation
    self.duration = duration
    self.captureTime = captureTime
    self.timeZoneEvidence = timeZoneEvidence
    self.location = location
    self.camera = camera
    self.exposure = exposure
    self.video = video
    self.title = title
    self.caption = caption
    self.rating = rating
    self.isFavorite = isFavorite
    self.contentIdentifier = contentIdentifier
    self.burstIdentifier = burstIdentifier
    self.clipEvidence = clipEvidence
    self.status = status
    self.error = error
    self.warnings = warnings
    self.added = added
    self.revision = revision
    self.isDuplicate = isDuplicate
    self.duplicateSet = duplicateSet
    self.copies = copies
    self.keywords = keywords
    self.people = people
    self.resources = resources
    self.labels = labels
  }

  /// The capture time in milliseconds since 1970-01-01T00:00:00 on the wall clock where it was taken.
  package var captureWall: Int64? { captureTime?.wallMilliseconds }

  /// The capture time in ISO 8601, with an offset only if the file contains one.
  package var captureDate: String? { captureTime?.iso8601 }

  /// The tags that the capture time came from.
  package var captureSource: String? { captureTime?.source }

  /// The motion clip of one of its pictures, next to it or inside it.
  ///
  /// - Parameter picture: an edited version's file; nil for the asset's own.
  package func clip(of picture: BytePath?) -> ResourceRecord? {
    resources.first { $0.type == .pairedVideo && $0.owner == picture }
  }

  /// The edited version of a live photo that has no clip of its own, if there is one: its clip is that of the original.
  /// An edit on another device gives an edited picture, but not always an edited clip.
  package var editedVersionWithoutClip: ResourceRecord? {
    guard let clip = clip(of: nil), clip.range == nil else { return nil }
    let edited = resources.filter { $0.type == .fullSizePhoto }
    return edited.contains { self.clip(of: $0.path) != nil } ? nil : edited.first
  }

  /// The instructions for its edits: those with its name, because `IMG_O0001.AAE` next to them has the edits of an
  /// earlier state.
  package var editInstructions: ResourceRecord? {
    let files = resources.filter { $0.type == .adjustmentData && $0.owner == nil }
    guard files.count > 1 else { return files.first }
    func stem(_ path: BytePath) -> String {
      let stem = FileNameParts(name: path.lastComponent).stem
      return String(decoding: stem, as: UTF8.self).lowercased()
    }
    let own = stem(path)
    return files.first { stem($0.path) == own } ?? files.first
  }

  /// The words of the edits that its edit instructions record, see ``AdjustmentList``. Filled if
  /// ``AssetParts/resources`` were asked for.
  package var adjustments: [String] { editInstructions?.adjustments ?? [] }

  /// Its file at a path, however the accents in the path are composed; nil if none of its files is there.
  package func file(at path: BytePath) -> BytePath? {
    let paths = [self.path] + resources.map(\.path)
    if paths.contains(path) { return path }
    // Strings are equal if they look the same.
    return path.text.flatMap { text in paths.first { $0.text == text } }
  }

  /// How the user has chosen it. Without a mark, a rating of −1 means rejected, as in darktable and Bridge.
  package var pick: Pick { recordedPick ?? (rating == -1 ? .rejected : .none) }

  /// The album that it is in: its folder, by the title that a Takeout's file records or by name.
  package var album: String {
    albumTitle ?? BytePath(bytes: path.parent.lastComponent).display
  }

  /// Why it is of a kind; nil if it is not, or nothing but the kind is known.
  package func label(_ subtype: MediaSubtypes) -> Label? {
    labels.first { $0.subtype == subtype && $0.isGiven }
  }
}

extension AssetRecord {
  /// The most specific word: its problem, else its most specific subtype, else its media type.
  package var kindWord: String { Self.kindWord(mediaType, subtypes, status) }

  /// The word of assets with these values.
  package static func kindWord(
    _ mediaType: MediaType, _ subtypes: MediaSubtypes, _ status: AssetStatus
  ) -> String {
    guard status == .present else { return status.rawValue }
    let telling: [(MediaSubtypes, String)] = [
      (.livePhoto, "live"), (.motionPhoto, "motion"), (.screenshot, "screenshot"),
      (.screenRecording, "recording"), (.panorama, "panorama"), (.spatial, "spatial"),
      (.depthEffect, "portrait"), (.burst, "burst"), (.cinematic, "cinematic"), (.slomo, "slo-mo"),
      (.timelapse, "time-lapse"), (.raw, "raw"), (.edited, "edited"),
    ]
    let subtype = telling.first { subtypes.contains($0.0) }
    return subtype?.1 ?? (mediaType == .image ? "photo" : "video")
  }
}

/// The parts of an asset that cost a look at other tables.
package struct AssetParts: OptionSet, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// Keywords, people and the user's albums.
  package static let keywords = AssetParts(rawValue: 1 << 0)
  package static let resources = AssetParts(rawValue: 1 << 1)
  package static let labels = AssetParts(rawValue: 1 << 2)
  /// Exposure, warnings, and how a clip inside the file was found.
  package static let details = AssetParts(rawValue: 1 << 3)
  /// Which values come from sidecars; only together with ``resources``.
  package static let sidecarValues = AssetParts(rawValue: 1 << 4)
  package static let all: AssetParts = [.keywords, .resources, .labels, .details, .sidecarValues]
}
