/// Which versions of an edited picture are exported, in PhotoKit's words.
package enum EditsChoice: String, Sendable, CaseIterable {
  /// The edited version where there is one, else the original.
  case current
  /// The picture as it was taken.
  case original
  /// Both, the edited one first.
  case both
}

/// Which of the files of an asset are used.
package enum ResourceChoice: String, Sendable, CaseIterable {
  /// The picture or video, and the clip of a live photo.
  case main
  /// Every file of the asset: both versions, their clips, the RAW, and the sidecars.
  case all
}
