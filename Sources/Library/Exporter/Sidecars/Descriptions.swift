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
      sidecars != nil || writesMetadata || imageMetadata != .keep || videoMetadata != .keep
      || template?.takesKeywords == true
    var parts: AssetParts = needsKeywords ? [.resources, .keywords] : .resources
    if writesMetadata { parts.insert(.sidecarValues) }
    if template?.takesDetails == true { parts.insert(.details) }
    return parts
  }

  /// What is left out of an XMP file.
  func metadata(ofDescribed description: ExportPart) -> MetadataPolicy {
    var described = description
    described.resource = description.describes ?? description.resource
    return metadata(of: described)
  }

  /// Whether an XMP file is written about a part, or may be.
  func describes(_ part: ExportPart, of asset: AssetRecord) -> Bool {
    guard part.mayBeDescribed, metadata(of: part) != .appearanceOnly else { return false }
    // A result of another type gets the facts itself.
    return sidecars == .xmp
      || writesMetadata && !part.uniformType.takesFacts && facts(for: part, of: asset) != nil
  }

  /// Whether an XMP file is written about a result of a type.
  func describesResult(of type: UniformType) -> Bool { sidecars == .xmp || !type.takesFacts }

  /// The facts that the result of a part gets in its metadata; nil for none.
  func facts(for part: ExportPart, of asset: AssetRecord) -> CatalogFacts? {
    guard writesMetadata, part.mayBeDescribed else { return nil }
    let facts = CatalogFacts(besidesFile: asset, source: part.path, metadata(of: part))
    return facts.isEmpty ? nil : facts
  }

  /// Adds the facts of the catalog to a result, or a note on a result that cannot contain them.
  func addFacts(to file: inout PlannedFile, of asset: AssetRecord) {
    if let facts = facts(for: file.part, of: asset) {
      file.decision.add(facts, metadata(of: file.part))
    }
    if let clip = file.clip, let facts = facts(for: clip.part, of: asset) {
      file.clip?.decision.add(facts, metadata(of: clip.part))
    }
  }
}

extension FileDecision {
  fileprivate mutating func add(_ facts: CatalogFacts, _ metadata: MetadataPolicy) {
    guard work == .copy || work.isRendering else { return }
    guard type.takesFacts else {
      reasons.append("it cannot contain the catalog's facts, which are in the XMP file next to it")
      return
    }
    if work == .copy { work = .render(.copy(type), metadata) }
    self.facts = facts
    reasons.append("with the catalog's facts")
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
    func named(_ variant: String) -> String {
      (["xmp", resource.rawValue] + (variant.isEmpty ? [] : [variant])).joined(separator: " ")
    }
    description.variant = named(variant)
    description.otherVariant = otherVariant.map(named)
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
