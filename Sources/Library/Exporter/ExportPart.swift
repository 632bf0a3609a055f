import MediaEdits
package import MediaModel
package import WorkerProtocol

/// One of an asset's files, or a clip inside one, that may be exported.
package struct ExportPart: Sendable, Hashable {
  /// The version of a picture that a file belongs to.
  package enum Version: Sendable, Hashable {
    case original, edited
  }

  /// How a file is treated.
  enum Kind {
    case picture, movie
    /// A sidecar: copied, never converted.
    case sidecar
    /// An XMP file that Shoebox writes about another part.
    case description
  }

  /// What the file is to its asset.
  package var resource: ResourceType
  package var path: BytePath
  /// The clip inside the file, if that is meant.
  package var range: ByteRange?
  package var uniformType: UniformType
  /// Bytes: of the clip, for one inside a file.
  package var size: Int64
  package var version = Version.original
  /// The size of the upright picture; nil if it is unknown.
  package var pixelSize: PixelSize?
  /// Whether it is copied with any preset, as sidecars are, and RAW files that are exported with their picture.
  package var isCopied = false
  /// Distinguishes it in the export record from other parts of the same resource type; empty if there is one.
  package var variant = ""
  /// The ``variant`` of the same file if the asset has one file of its type in place of several, or several in place of one;
  /// nil if it is the same.
  var otherVariant: String?
  /// For an XMP file that Shoebox writes: what the described file at ``path`` is to the asset.
  package var describes: ResourceType?

  /// The request to a worker to examine it.
  package var examineItem: ExamineItem {
    ExamineItem(path: path, uniformType: uniformType, range: range)
  }

  var kind: Kind {
    if describes != nil { return .description }
    return switch resource {
    case .adjustmentData, .sidecar: .sidecar
    case .video, .pairedVideo: .movie
    case .photo, .alternatePhoto, .fullSizePhoto:
      uniformType.mediaType == .video ? .movie : .picture
    }
  }
}

extension ExportRecord.Key {
  /// The key of a part of an asset.
  init(_ asset: AssetRecord, _ part: ExportPart) {
    self.init(identifier: asset.identifier, resource: part.resource, variant: part.variant)
  }
}

// MARK: The parts of an asset

/// One version of a picture or video: the still, or the video itself, and its clip.
struct ExportVersion {
  var main: ExportPart
  var clip: ExportPart?

  /// The parts of this version that are wanted; a picture without a clip is exported whatever the choice is.
  func parts(_ choice: LivePhotoChoice) -> [ExportPart] {
    guard let clip else { return [main] }
    return switch choice {
    case .still: [main]
    case .pair: [main, clip]
    case .motion: [clip]
    }
  }
}

extension ExportSubject {
  /// The picture as it was taken, or the video.
  var original: ExportVersion {
    let main = ExportPart(
      resource: asset.mediaType == .image ? .photo : .video, path: asset.path,
      uniformType: asset.uniformType, size: asset.size, pixelSize: asset.pixelSize)
    let clip = asset.mediaType == .image ? asset.clip(of: nil) : nil
    return ExportVersion(main: main, clip: clip.map { ExportPart($0) })
  }

  /// The edited versions, the one that PhotoKit calls current first: the last by name, since programs that
  /// save again count up.
  var edited: [ExportVersion] {
    let files = asset.resources.filter { $0.type == .fullSizePhoto }.sorted { $1.path < $0.path }
    return files.map { file in
      let (variant, other) = file.path.variants(among: files.count)
      var main = ExportPart(file, variant: variant)
      (main.version, main.otherVariant) = (.edited, other)
      var clip = asset.clip(of: file.path).map { ExportPart($0, variant: "edited \(variant)") }
      clip?.version = .edited
      clip?.otherVariant = "edited \(other)"
      return ExportVersion(main: main, clip: clip)
    }
  }

  /// Files of the asset that are not versions of its picture: RAW files, then sidecars.
  private func companions(areCopied: Bool) -> [ExportPart] {
    [ResourceType.alternatePhoto, .adjustmentData, .sidecar].flatMap { type in
      let files = asset.resources.filter { $0.type == type }
      return files.map { file in
        var (variant, other) = file.path.variants(among: files.count)
        var part = ExportPart(file)
        part.isCopied = part.kind == .sidecar || areCopied
        // A copied RAW and one that was made into a JPEG are two results.
        if part.isCopied, part.kind != .sidecar {
          (variant, other) = ("copy \(variant)", "copy \(other)")
        }
        (part.variant, part.otherVariant) = (variant, other)
        return part
      }
    }
  }

  /// Every part of the asset: versions with their clips, the edited one first, then RAW files, then sidecars.
  var allParts: [ExportPart] {
    (edited + [original]).flatMap { $0.parts(.pair) } + companions(areCopied: true)
  }

  /// Every part that a record may have, whatever the request was.
  var recordableParts: [ExportPart] {
    let parts = allParts + companions(areCopied: false)
    return parts + parts.filter(\.mayBeDescribed).map(\.description)
  }

  /// The parts that a request exports, with the XMP files about them before sidecars, which get other names if there is
  /// a collision.
  func parts(_ request: ExportRequest) -> [ExportPart] {
    let parts = fileParts(request)
    let descriptions = parts.filter { request.describes($0, of: asset) }.map(\.description)
    guard !descriptions.isEmpty else { return parts }
    return parts.filter { $0.kind != .sidecar } + descriptions
      + parts.filter { $0.kind == .sidecar }
  }

  /// The parts in files of the asset that a request exports.
  private func fileParts(_ request: ExportRequest) -> [ExportPart] {
    if request.resources == .all {
      return allParts.filter { $0.kind != .sidecar || request.mayCopySidecars }
    }
    if !named.isEmpty { return namedParts(request) }
    guard let current = edited.first, request.edits != .original else {
      return original.parts(request.livePhotos)
    }
    if request.edits == .both {
      return (edited + [original]).flatMap { $0.parts(request.livePhotos) }
    }
    // The motion alone is wanted, and only the original moves.
    if request.livePhotos == .motion, current.clip == nil, let clip = original.clip {
      return [clip]
    }
    return current.parts(request.livePhotos)
  }

  /// The parts in the files that the user named. A live photo stays whole: either half names both.
  private func namedParts(_ request: ExportRequest) -> [ExportPart] {
    let versions = (edited + [original]).flatMap { version -> [ExportPart] in
      if named.contains(version.main.path) { return version.parts(request.livePhotos) }
      guard let clip = version.clip, named.contains(clip.path) else { return [] }
      return request.livePhotos == .still ? [clip] : version.parts(request.livePhotos)
    }
    return versions + companions(areCopied: false).filter { named.contains($0.path) }
  }

  /// What a person should know of the choice of parts, a sentence each.
  func notes(_ request: ExportRequest, _ parts: [ExportPart]) -> [String] {
    var notes: [String] = []
    let exported = Set(parts.map(\.version))
    if let clip = original.clip, let current = edited.first, current.clip == nil,
      request.resources == .main, request.edits == .current, named.isEmpty
    {
      let name = readableName(clip.path.lastComponent)
      if parts.contains(current.main), request.livePhotos == .pair {
        notes.append(
          "The clip in \(name) is left out, because it shows the unedited picture: --edits both exports it."
        )
      } else if parts.contains(clip), exported == [.original] {
        notes.append("The clip in \(name) shows the unedited picture.")
      }
    }
    if request.resources == .all, !request.mayCopySidecars {
      let names = allParts.filter { $0.kind == .sidecar }
        .map { readableName($0.path.lastComponent) }
      if !names.isEmpty {
        notes.append(
          "Left out, because sidecars may contain metadata that you want to remove: "
            + names.joined(separator: ", "))
      }
    }
    return notes
  }

  /// The file from which the results get their name: the original if it or its clip is exported, otherwise the edited
  /// version, otherwise the first file.
  func namingFile(_ parts: [ExportPart]) -> BytePath {
    let versions = [original] + edited
    let found = versions.first { version in
      parts.contains(version.main) || version.clip.map(parts.contains) == true
    }
    return found?.main.path ?? parts.first?.path ?? asset.path
  }
}

extension ExportRequest {
  /// Whether sidecars may be exported. Shoebox does not edit them, so not if metadata has to be removed.
  var mayCopySidecars: Bool { imageMetadata == .keep && videoMetadata == .keep }
}

extension ExportPart {
  fileprivate init(_ resource: ResourceRecord, variant: String = "") {
    let range = resource.range.map {
      ByteRange(offset: UInt64(clamping: $0.offset), length: UInt64(clamping: $0.length))
    }
    self.init(
      resource: resource.type, path: resource.path, range: range,
      uniformType: resource.uniformType, size: resource.size, variant: variant)
  }
}

extension BytePath {
  /// What distinguishes a file from others of its type, which is its name if there are others; and what would do so if there
  /// were others, or none.
  fileprivate func variants(among count: Int) -> (variant: String, other: String) {
    let name = readableName(lastComponent)
    return count > 1 ? (name, "") : ("", name)
  }
}
