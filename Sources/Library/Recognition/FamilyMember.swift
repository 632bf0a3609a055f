package import MediaModel

/// A picture or video of a folder with what settling its family has to know.
package struct FamilyMember: Sendable, Hashable {
  /// Which half of a live photo an identifier has made of a file.
  package enum Half: Sendable, Hashable {
    case still, clip
  }

  package var candidate: PairingCandidate
  /// What it is in a live photo that an identifier has paired; nil if no identifier has.
  package var pairedHalf: Half?
  /// Whether a file with its identifier that may be its other half is in the catalog.
  package var hasOtherHalf: Bool
  /// The kinds that its own file gives it.
  package var ownSubtypes: MediaSubtypes
  /// Whether its own file or name gives it a burst's identifier.
  package var hasOwnBurst: Bool
  /// Frames a second that a video's track plays.
  package var trackRate: Double?

  package init(
    _ candidate: PairingCandidate, pairedHalf: Half? = nil, hasOtherHalf: Bool = false,
    ownSubtypes: MediaSubtypes = [], hasOwnBurst: Bool = false, trackRate: Double? = nil
  ) {
    self.candidate = candidate
    self.pairedHalf = pairedHalf
    self.hasOtherHalf = hasOtherHalf
    self.ownSubtypes = ownSubtypes
    self.hasOwnBurst = hasOwnBurst
    self.trackRate = trackRate
  }
}

/// A sidecar of a folder.
package struct FamilySidecar: Sendable, Hashable {
  package var name: [UInt8]
  package var facts: SidecarFacts

  package init(name: [UInt8], facts: SidecarFacts) {
    self.name = name
    self.facts = facts
  }
}

/// A file that is a resource of another file's asset.
package struct FamilyTie: Sendable, Hashable {
  /// The roles of a resource, as PhotoKit names them.
  package enum Role: Sendable, Hashable {
    case pairedVideo, alternatePhoto, fullSizePhoto
  }

  package var owner: Int64
  package var role: Role
  package var evidence: String
}

/// What should hold for one picture or video, as far as other files decide it.
package struct FamilyVerdict: Sendable, Hashable {
  /// Whose resource it is. A clip that an identifier has paired has no tie here.
  package var tie: FamilyTie?
  /// Given, or a near miss with its reason. A still that an identifier has paired has none here.
  package var livePhoto: Label?
  package var edited: Label?
  /// The label of a picture whose RAW file is its resource.
  package var raw: Label?
  /// The label that edit instructions give to a fast video.
  package var slomo: Label?
  /// What the names of its burst have in common, if names alone make it one. It is unique in the folder.
  package var burstGroup: String?
  /// The label of a burst by name; nil if its own file gives the label.
  package var burst: Label?
  /// Indices of the sidecars of its own file, in the order of their priority.
  package var sidecars: [Int] = []
  /// Those of its other files, which have lower priority.
  package var sharedSidecars: [Int] = []

  package init() {}
}
