import MediaModel

/// The small files that action cameras and drones write beside a video for their own screens and apps:
/// GoPro's `GOPR0001.THM`, a picture, and `GOPR0001.LRV`, a video; DJI's `DJI_0001.LRF`. They show what the
/// video shows, and are no pictures and videos of anybody's library as long as it is there.
package enum CameraStandIns {
  private static let extensions: Set<String> = ["thm", "lrv", "lrf"]

  /// Those of the names in one folder that stand for a video beside them.
  package static func among(_ names: [[UInt8]]) -> Set<[UInt8]> {
    let candidates = names.filter(hasTheirExtension)
    guard !candidates.isEmpty else { return [] }
    let videos = Set(
      names.compactMap { name -> String? in
        let parts = FileNameParts(name: name)
        guard UniformType(fileExtension: parts.fileExtension)?.mediaType == .video,
          !extensions.contains(parts.fileExtension)
        else { return nil }
        return folded(parts.stem)
      })
    return Set(candidates.filter { stems(ofVideosFor: $0).contains(where: videos.contains) })
  }

  /// What the video's stem may be: the same, or for GoPro's `GL010001.LRV` that of `GH010001.MP4` (H.264)
  /// or `GX010001.MP4` (HEVC).
  private static func stems(ofVideosFor name: [UInt8]) -> [String] {
    let parts = FileNameParts(name: name)
    let stem = folded(parts.stem)
    guard parts.fileExtension == "lrv", stem.hasPrefix("gl"), stem.count == 8 else { return [stem] }
    return [stem, "gh" + stem.dropFirst(2), "gx" + stem.dropFirst(2)]
  }

  /// A cheap look before the costly one: nearly every name has another extension.
  private static func hasTheirExtension(_ name: [UInt8]) -> Bool {
    guard name.count > 4, name[name.count - 4] == UInt8(ascii: ".") else { return false }
    return extensions.contains(FileNameParts(name: name).fileExtension)
  }
}
