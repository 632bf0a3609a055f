package import MediaEdits
package import MediaModel

// XMP files that an export writes next to its results.

/// Which sidecars an export writes.
package enum SidecarChoice: String, Sendable, CaseIterable {
  /// An XMP file `RESULT.EXT.xmp` next to each picture and video.
  case xmp
}

extension ExportRequest {
  /// What is left out of the metadata of a file's result.
  package func metadata(of part: ExportPart) -> MetadataPolicy {
    part.resource == .video || part.resource == .pairedVideo ? videoMetadata : imageMetadata
  }

  /// What the catalog is asked for of each asset.
  package var neededParts: AssetParts {
    // An earlier XMP file may have to be compared with what is left out now.
    let needsKeywords =
      sidecars != nil || imageMetadata != .keep || videoMetadata != .keep
      || template?.takesKeywords == true
    return needsKeywords ? [.resources, .keywords] : .resources
  }

  /// What is left out of an XMP file.
  func metadata(ofDescribed description: ExportPart) -> MetadataPolicy {
    var described = description
    described.resource = description.describes ?? description.resource
    return metadata(of: described)
  }

  /// Whether an XMP file is written about a part.
  func describes(_ part: ExportPart) -> Bool {
    sidecars == .xmp && part.mayBeDescribed && metadata(of: part) != .appearanceOnly
  }
}

extension ExportPart {
  /// Whether an XMP file about its result makes sense: not for another sidecar.
  var mayBeDescribed: Bool { kind == .picture || kind == .movie }

  /// Whether this is the XMP file about a part.
  func isAbout(_ part: ExportPart) -> Bool {
    describes == part.resource && path == part.path && range == part.range
      && variant == part.description.variant
  }

  /// The XMP file about this part.
  var description: ExportPart {
    var description = self
    description.describes = resource
    description.resource = .sidecar
    description.uniformType = .xmp
    description.isCopied = true
    description.variant = (["xmp", resource.rawValue] + (variant.isEmpty ? [] : [variant]))
      .joined(separator: " ")
    return description
  }
}

extension ExportSubject {
  /// The XMP file about a part, as it would be written now.
  func sidecar(_ description: ExportPart, _ request: ExportRequest) -> XMPSidecar {
    XMPSidecar(
      asset, source: description.path, request.metadata(ofDescribed: description))
  }
}

extension ExportItem {
  /// The XMP file that one of its files becomes; nil for other files. It is made when it is needed, because plans of
  /// large libraries would hold all of them.
  func sidecar(_ file: PlannedFile) -> XMPSidecar? {
    guard case .describe(let policy) = file.decision.work else { return nil }
    return XMPSidecar(asset, source: file.part.path, policy)
  }
}
