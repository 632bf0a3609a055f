/// Which versions of an edited picture are exported, in PhotoKit's words.
package enum EditsChoice: String, Sendable, CaseIterable {
  /// The edited version where there is one, else the original.
  case current
  /// The picture as it was taken.
  case original
  /// Both, the edited one first.
  case both
}

/// What becomes of pictures and videos of high dynamic range.
package enum DynamicRangeChoice: String, Sendable, CaseIterable {
  /// They stay so: a video as HEVC in place of H.264, a picture as a JPEG with a gain map, or as the file that it is
  /// where the preset makes PNGs.
  case keep
  /// They become SDR, those too that the preset would copy.
  case drop
}

/// Which of the files of an asset are used.
package enum ResourceChoice: String, Sendable, CaseIterable {
  /// The picture or video, and the clip of a live photo.
  case main
  /// Every file of the asset: both versions, their clips, the RAW, and the sidecars.
  case all
}
