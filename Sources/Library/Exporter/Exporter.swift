// Exporter: exports pictures and videos.
//
// select → examine → plan → render → hand over. The plan is a value. Pure functions make it from the catalog, from the
// headers of some files and from the content of the target. It can be printed, compared and tested without a disk. Only
// then is anything written: each file in its own folder without a name, or where the file system has no such files with a
// temporary one. It gets its final name when it is complete and on the disk. Originals are opened for reading only.

package import MediaEdits
package import MediaModel
package import Presets

/// The settings of an export.
package struct ExportRequest: Sendable {
  package var imagePreset: ImagePreset
  package var videoPreset: VideoPreset
  package var livePhotos = LivePhotoChoice.pair
  /// Which versions of edited pictures are exported.
  package var edits = EditsChoice.current
  /// Whether all files of each asset are exported; then ``livePhotos`` and ``edits`` do not count.
  package var resources = ResourceChoice.main
  /// Which sidecars are written about the results; nil for none.
  package var sidecars: SidecarChoice?
  /// Whether results get what the catalog knows from sidecars and names in their own metadata.
  package var writesMetadata = false
  /// What becomes of HDR; nil for what the presets do.
  package var dynamicRange: DynamicRangeChoice?
  /// How results are called; nil for the library's own folders and names.
  package var template: NameTemplate?
  /// Whether all results go into one folder.
  package var isFlat = false
  /// What is left out of the metadata beyond what the presets leave out.
  package var metadata = MetadataPolicy.keep
  /// The longer side of pictures at most; the presets may ask for less.
  package var maxPixels: Int?
  /// Of every picture.
  package var crop: PictureCrop?
  /// Of every video.
  package var trim: TimeSpan?
  /// The maximum duration of videos in seconds.
  package var maxDuration: Double?
  /// Whether videos that are shortened contain nothing but the part that is wanted, to the frame and the audio sample.
  package var cutsExactly = false
  package var replacement = Replacement.never
  /// The shard whose assets are exported, while other tasks export those of the others; nil for all.
  package var shard: Shard?

  package init(imagePreset: ImagePreset, videoPreset: VideoPreset) {
    self.imagePreset = imagePreset
    self.videoPreset = videoPreset
  }

  /// Whether this export makes the results of an asset: not if another task does.
  func owns(_ asset: AssetRecord) -> Bool { shard?.owns(asset: asset.identifier) ?? true }

  /// The policy for metadata of pictures: what the request or the preset removes.
  var imageMetadata: MetadataPolicy { metadata.union(imagePreset.metadata) }
  /// The policy for metadata of videos, likewise.
  var videoMetadata: MetadataPolicy { metadata.union(videoPreset.metadata) }
}

/// Which parts of a live photo or motion photo are exported.
package enum LivePhotoChoice: String, Sendable, CaseIterable {
  /// The picture alone.
  case still
  /// Both, under one name, or neither.
  case pair
  /// The clip alone.
  case motion
}

/// What happens to files that have the names of results.
package enum Replacement: Sendable {
  /// They stay: what this or an earlier export made counts as done, others keep their names.
  case never
  /// Results of earlier exports are replaced if their source or the settings have changed.
  case outdated
  /// They give way, but for originals.
  case always
}
