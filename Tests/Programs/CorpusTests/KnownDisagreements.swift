/// Where the references are wrong, or answer another question; each with its reason. docs/formats.md
/// states the same for people.
enum KnownDisagreements {
  /// What a reference calls a picture or a video and Shoebox leaves alone.
  static func isNotMedia(_ file: ManifestFile) -> Bool {
    foreignFormats.contains(file.fileType) || soundAlone.contains(file.path)
  }

  /// Pictures of laboratories, printing presses and films, drawings, and cameras' own wrappers: nothing
  /// that a photo library holds, and nothing that Shoebox promises to read.
  private static let foreignFormats: Set<String> = [
    "BPG", "CZI", "DJVU (multi-page)", "DPX", "EXR", "FITS", "FLIF", "FPF", "HDR", "ICO", "LFP",
    "MIE", "MRC", "PCD", "PCX", "PFM", "PGF", "PICT", "PMP", "PPM", "PSP", "R3D", "RAW", "SVG",
    "WTV", "XCF",
  ]

  /// Sound in a video's container: ffprobe finds no video stream in them either.
  private static let soundAlone: Set<String> = [
    "androidx+media/libraries/test_data/src/test/assets/media/3gp/bbb_mono_16kHz_23.05kbps_amrwb.3gp",
    "androidx+media/libraries/test_data/src/test/assets/media/3gp/bbb_mono_8kHz_12.2kbps_amrnb.3gp",
    "androidx+media/libraries/test_data/src/test/assets/media/mp4/sample_audio_only.mp4",
    "androidx+media/libraries/test_data/src/test/assets/media/mp4/sample_opus.mp4",
    "mozilla+mp4parse-rust/mp4parse/tests/amr_nb_1f.3gp",
    "mozilla+mp4parse-rust/mp4parse/tests/amr_wb_1f.3gp",
    "mozilla+mp4parse-rust/mp4parse/tests/bipbop-cenc-audioinit.mp4",
    "mozilla+mp4parse-rust/mp4parse/tests/bipbop_cbcs_audio_init.mp4",
    "mozilla+mp4parse-rust/mp4parse/tests/sine-3s-xhe-aac-44khz-mono.mp4",
  ]

  /// Panoramas of which the manifest knows nothing, for they hold no projection.
  static let unprojectedPanoramas: [String: String] = [
    "MikeKovarik+exifr/test/PANO_20180725_162444.jpg":
      "5460x2452 by a Pixel's camera, which gives this name to panoramas alone"
  ]

  /// What the manifest takes for bursts by their identifier alone.
  static let burstPortraits: [String: String] = [
    "bpatrik+pigallery2/test/backend/assets/orientation/broken_orientation_exif.jpg":
      "its SpecialTypeID is PORTRAIT; the sharp and the blurred picture share a burst's identifier"
  ]

  /// By column and path below the corpus's library.
  static let wrongReferences: [Comparison: [String: String]] = [
    .displaySize: [
      "bigcat88+pillow_heif/tests/images/heif_other/invalid_id.heic":
        "its pitm box names item 2, 1197x1227; libheif takes the thumbnail for the picture",
      "bpatrik+pigallery2/src/backend/model/diagnostics/image_formats/test.dng": croppedDNG,
      "exiftool+exiftool/t/images/DNG.dng": croppedDNG,
      "bpatrik+pigallery2/test/backend/assets/sidecar/20240128_120909.mp4": codedSize,
      "exiftool+exiftool/t/images/DV.dv": codedSize,
      "exiftool+exiftool/t/images/Matroska.mkv": codedSize,
      "googleinterns+libmphoto/sample_data/motionphoto_video.mp4": codedSize,
      "mozilla+mp4parse-rust/mp4parse/tests/bbb_sunflower_QCIF_30fps_h263_noaudio_1f.3gp":
        codedSize,
      "mozilla+mp4parse-rust/mp4parse/tests/bbb_sunflower_QCIF_30fps_mp4v_noaudio_1f.mp4":
        codedSize,
      "mozilla+mp4parse-rust/mp4parse/tests/bipbop_480wp_1001kbps-cenc-video-key1-init.mp4":
        codedSize,
      "mozilla+mp4parse-rust/mp4parse/tests/h264_white_frame_sar_16_9.mp4": codedSize,
      "exiftool+exiftool/t/images/Sigma.x3f":
        "the stored size: its header says that the picture is to be turned by 90 degrees, as exiftool's Rotation does",
      "exiftool+exiftool/t/images/SigmaDP2.x3f":
        "8x8 is the preview; the RAW header says 2640x1760",
    ],
    .orientation: [
      "bpatrik+pigallery2/test/backend/assets/video.mp4":
        "the XMP of a video says upright, which is not an EXIF value"
    ],
    .captureTime: [
      "androidx+media/libraries/test_data/src/test/assets/media/mkv/sample.mkv":
        "2025 is when it was wrapped; its tag CREATION_TIME says 2016",
      "exiftool+exiftool/t/images/Pentax.avi":
        "the file has 2009/10/27 12:14:34; exiftool drops the seconds",
    ],
    .location: [
      "bigcat88+pillow_heif/tests/images/heif_other/spatial_photo.heic":
        "zeros are what is written without a fix"
    ],
    .duration: [
      "androidx+media/libraries/test_data/src/test/assets/media/mp4/sample_fragmented.mp4":
        "all bits of the header's duration are set, which means unknown; its fragments last 1.07 s",
      "mozilla+mp4parse-rust/mp4parse/tests/loop_forever.avif":
        "-0.5 s means an endless loop",
    ],
    .videoCodec: [
      "mozilla+mp4parse-rust/mp4parse/tests/avis_with_no_ptim_no_iloc.avif": animation,
      "mozilla+mp4parse-rust/mp4parse/tests/avis_with_pitm_no_iloc.avif": animation,
      "mozilla+mp4parse-rust/mp4parse/tests/loop_forever.avif": animation,
      "mozilla+mp4parse-rust/mp4parse/tests/loop_none.avif": animation,
    ],
  ]

  private static let croppedDNG =
    "the reference has the sensor's active area; DefaultCropSize is the picture (DNG 1.6)"
  private static let codedSize =
    "the manifest has the coded size; ffprobe's aspect and exiftool's ImageSize are of square pixels"
  private static let animation = "an animated picture is a picture here, and has no video codec"
}
