import MediaModel

/// The small files that action cameras and drones write beside a video for their own screens and apps:
/// GoPro's `GOPR0001.THM`, a picture, and `GOPR0001.LRV`, a video; DJI's `DJI_0001.LRF`; Insta360's
/// `LRV_20230506_123456_01_001.insv`. They show the same as the video, and do not belong to the library while
/// it exists.
package enum CameraStandIns {
  private static let extensions: Set<String> = ["thm", "lrv", "lrf"]
  /// MP4 under names of their own: GoPro's and Insta360's spheres.
  private static let sphereExtensions: Set<String> = ["360", "insv"]

  /// The names in one folder that are thumbnails or proxies of a video next to them.
  package static func among(_ names: some Sequence<[UInt8]>) -> Set<[UInt8]> {
    let candidates = Set(names.filter { mayStandIn($0[...]) })
    guard !candidates.isEmpty else { return [] }
    let wanted = Set(candidates.flatMap(stems(ofVideosFor:)))
    var videos: Set<String> = []
    for name in names where !candidates.contains(name) {
      let parts = FileNameParts(name: name)
      guard
        UniformType(fileExtension: parts.fileExtension)?.mediaType == .video
          || sphereExtensions.contains(parts.fileExtension)
      else { continue }
      let stem = folded(parts.stem)
      // Only the wanted ones: a folder may contain a million videos.
      videos.formUnion(
        [stem, sphereKey(stem, of: "vid_")].compactMap(\.self).filter(wanted.contains))
    }
    return candidates.filter { stems(ofVideosFor: $0).contains(where: videos.contains) }
  }

  /// What the video's stem may be: the same, or for GoPro's `GL010001.LRV` that of `GH010001.MP4` (H.264)
  /// or `GX010001.MP4` (HEVC).
  private static func stems(ofVideosFor name: [UInt8]) -> [String] {
    let parts = FileNameParts(name: name)
    let stem = folded(parts.stem)
    if let key = sphereKey(stem, of: "lrv_") { return [key] }
    guard parts.fileExtension == "lrv", stem.hasPrefix("gl"), stem.count == 8 else { return [stem] }
    return [stem, "gh" + stem.dropFirst(2), "gx" + stem.dropFirst(2)]
  }

  /// What the files of one recording by an Insta360 share, `VID_20230506_123456_00_001` for one lens and
  /// `_10_` for the other, `LRV_20230506_123456_01_001` or `_11_` for the small one: the second and the
  /// number at the end. Nil for other names.
  private static func sphereKey(_ stem: String, of prefix: String) -> String? {
    guard stem.hasPrefix(prefix) else { return nil }
    let parts = stem.dropFirst(prefix.count).split(separator: "_", omittingEmptySubsequences: false)
    guard parts.map(\.count) == [8, 6, 2, 3], DatePattern.isDate(parts[0]),
      parts.allSatisfy({ $0.allSatisfy(\.isASCIIDigit) })
    else { return nil }
    return "insta360/\(parts[0])/\(parts[1])/\(parts[3])"
  }

  /// Whether a name may be a thumbnail or proxy, if there is a video for it.
  ///
  /// Nearly every name has another extension, and so costs only the comparison of a few bytes.
  package static func mayStandIn(_ name: ArraySlice<UInt8>) -> Bool {
    guard name.count > 4, let first = name.first else { return false }
    // THM, LRV or LRF.
    let initial = name[name.endIndex - 3] | 0x20
    if name[name.endIndex - 4] == UInt8(ascii: "."),
      initial == UInt8(ascii: "t") || initial == UInt8(ascii: "l"),
      extensions.contains(FileNameParts(name: Array(name)).fileExtension)
    {
      return true
    }
    guard name[name.startIndex + 3] == UInt8(ascii: "_"), first | 0x20 == UInt8(ascii: "l")
    else { return false }
    return sphereKey(folded(FileNameParts(name: Array(name)).stem), of: "lrv_") != nil
  }
}
