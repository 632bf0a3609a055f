import MediaModel

/// What a contact sheet does with the video of an asset: of a video, its own file; of a live photo, the clip.
enum SheetClip: Hashable {
  /// Browsers play this file in the page.
  case plays(BytePath)
  /// Browsers do not play it; the phrase says why.
  case isNotPlayed(String)

  /// Nil for an asset without a video, and for one whose file is not there.
  ///
  /// - Parameter asset: with its resources.
  init?(of asset: AssetRecord) {
    guard asset.status == .present else { return nil }
    switch asset.mediaType {
    case .video:
      self.init(file: asset.path, asset.uniformType, asset.video)
    case .image:
      guard let clip = asset.clip(of: nil) else { return nil }
      guard clip.range == nil else {
        self = .isNotPlayed("the clip is inside the picture's file")
        return
      }
      self.init(file: clip.path, clip.uniformType, asset.video)
    }
  }

  private init(file: BytePath, _ type: UniformType, _ video: VideoProperties) {
    guard Self.containers.contains(type.rawValue) else {
      self = .isNotPlayed("browsers do not play its format, \(type.rawValue)")
      return
    }
    let codecs = [video.codec ?? "unknown codec"] + [video.audioCodec].compactMap(\.self)
    let unknown = codecs.filter { !Self.codecs.contains($0) }
    self =
      unknown.isEmpty
      ? .plays(file) : .isNotPlayed("browsers do not play \(unknown.joined(separator: ", "))")
  }

  /// Whether a page must allow playing for an asset whose resources are not known.
  static func mayPlay(_ asset: AssetRecord) -> Bool {
    asset.status == .present && asset.video.codec.map(codecs.contains) ?? false
  }

  /// The containers that the current versions of Chromium, Firefox and Safari play.
  private static let containers: Set = [
    "public.mpeg-4", "com.apple.quicktime-movie", "com.apple.m4v-video", "org.webmproject.webm",
  ]

  /// The codecs that they play, by FFmpeg's names.
  private static let codecs: Set = ["h264", "vp8", "vp9", "av1", "aac", "mp3", "opus", "vorbis"]
}
