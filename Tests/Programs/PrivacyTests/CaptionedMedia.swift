import Foundation
import MediaTools
import Workbench

/// Pictures and videos with a caption in every place that `--strip-captions` covers. Each caption begins with
/// ``word``, and its end names the place. Keywords, a camera, a date and coordinates are there too.
struct CaptionedMedia {
  /// The word that all captions have and nothing else has.
  static let word = "Zebrafinch"
  /// The keyword, which stays.
  static let keyword = "Keepsake"

  let bench: Workbench

  /// The planted word in every encoding that the formats use.
  private static let needles: [[UInt8]] = {
    let ascii = Array(word.utf8)
    return [ascii, ascii.flatMap { [$0, 0] }, Array(ascii.flatMap { [0, $0] }.dropFirst())]
  }()

  /// Whether the bytes of a file contain a caption.
  static func isCaptioned(_ bytes: [UInt8]) -> Bool {
    needles.contains { bytes.firstRange(of: $0) != nil }
  }

  /// Makes all files in the library.
  ///
  /// - Returns: their names.
  func make() async throws -> [String] {
    try await bench.bash(Self.plain)
    try await bench.bash(Self.pictures)
    try await bench.bash(Self.movies)
    try plantBetweenScans()
    return try FileManager.default.contentsOfDirectory(atPath: bench.library).sorted()
  }

  /// Inserts a comment and a second EXIF block in front of the second scan of a progressive JPEG.
  private func plantBetweenScans() throws {
    let source = URL(filePath: bench.folder + "/plain/a.jpg")
    var bytes = [UInt8](try Data(contentsOf: source))
    let scans = bytes.ranges(of: [0xFF, 0xDA])
    guard scans.count > 1 else { return }
    let comment = Array("\(Self.word)-between-scans".utf8)
    bytes.insert(
      contentsOf: [0xFF, 0xFE] + bigEndian(comment.count + 2, 2) + comment,
      at: scans[1].lowerBound)
    try Data(bytes).write(to: URL(filePath: bench.library + "/scans.jpg"))
  }

  private static let plain = """
    mkdir -p plain library; cd plain
    ffmpeg -v error -f lavfi -i testsrc=s=96x64 -frames:v 1 a.png
    convert a.png -interlace Plane -quality 90 a.jpg
    convert a.png a.gif
    convert a.png -compress LZW a.tif
    heif-enc a.png -o a.heic >/dev/null 2>&1 || rm -f a.heic
    # The thumbnail is a JPEG with captions of its own.
    convert a.png -resize 32x32 -quality 60 thumbnail.jpg
    exiftool -q -overwrite_original -IFD0:ImageDescription=\(word)-in-thumbnail \\
      -Comment=\(word)-comment-in-thumbnail thumbnail.jpg
    """

  private static let kept = """
    kept="-n -GPSLatitude=47.123456 -GPSLatitudeRef=N -GPSLongitude=8.654321 -GPSLongitudeRef=E \\
      -XMP-exif:GPSLatitude=47.123456 -XMP-exif:GPSLongitude=8.654321 -XMP-dc:Subject=\(keyword) \\
      -EXIF:Make=Ploverworks -EXIF:DateTimeOriginal=2023:05:14_16:30:00 -XMP-dc:Creator=Heron"
    """

  private static let pictures = """
    \(kept)
    exif="-IFD0:ImageDescription=\(word)-description -IFD0:DocumentName=\(word)-document \\
      -ExifIFD:UserComment=\(word)-user-comment -IFD0:XPTitle=\(word)-xp-title \\
      -IFD0:XPComment=\(word)-xp-comment -IFD0:XPSubject=\(word)-xp-subject \\
      -IFD0:XPKeywords=\(keyword)"
    xmp="-XMP-dc:Title=\(word)-xmp-title -XMP-dc:Description=\(word)-xmp-description \\
      -XMP-photoshop:Headline=\(word)-xmp-headline -XMP-exif:UserComment=\(word)-xmp-user-comment \\
      -XMP-tiff:ImageDescription=\(word)-xmp-image-description \\
      -XMP-iptcCore:AltTextAccessibility=\(word)-xmp-alt \\
      -XMP-iptcCore:ExtDescrAccessibility=\(word)-xmp-extended-alt"
    iptc="-IPTC:Headline=\(word)-iptc-headline -IPTC:Caption-Abstract=\(word)-iptc-caption \\
      -IPTC:ObjectName=\(word)-iptc-name -IPTC:Keywords=\(keyword)"
    write() { exiftool -q -m "$@"; }
    write $kept $exif $xmp $iptc -Comment=\(word)-comment plain/a.jpg -o library/jpeg.jpg
    write -overwrite_original '-ThumbnailImage<=plain/thumbnail.jpg' library/jpeg.jpg
    write -overwrite_original -IFD1:ImageDescription=\(word)-ifd1 library/jpeg.jpg
    write $kept $exif $xmp $iptc plain/a.tif -o library/tiff.tif
    # exiftool 12 does not write WebP. ImageMagick copies the blocks.
    convert library/jpeg.jpg library/webp.webp
    write $kept $xmp -Comment=\(word)-comment plain/a.gif -o library/gif.gif
    [ ! -e plain/a.heic ] || write $kept $exif $xmp plain/a.heic -o library/heic.heic
    write $kept $exif $xmp -PNG:Title=\(word)-text-title -PNG:Description=\(word)-text-description \\
      -PNG:Comment=\(word)-text-comment -PNG:Author=Heron plain/a.png -o library/png.png
    write -overwrite_original -PNG:Title-fr=\(word)-international library/png.png
    write -z -overwrite_original -PNG:Title=\(word)-compressed plain/a.png -o library/compressed.png
    # ImageMagick stores blocks as text.
    convert library/jpeg.jpg library/profiles.png
    # A packet of more than 64 KiB continues in further segments.
    (printf \(word)-extended; head -c 70000 /dev/zero | tr '\\0' x) > long.txt
    write $kept -XMP-dc:Title=\(word)-xmp-title '-XMP-dc:Description<=long.txt' plain/a.jpg \\
      -o library/extended.jpg
    """

  private static let movies = """
    \(kept)
    make() {
      ffmpeg -v error -y -f lavfi -i testsrc2=s=160x120:r=25:d=1 -f lavfi -i sine=d=1 \\
        -metadata title=\(word)-title -metadata comment=\(word)-comment \\
        -metadata description=\(word)-description -metadata synopsis=\(word)-synopsis \\
        -metadata summary=\(word)-summary -metadata subject=\(word)-subject \\
        -metadata artist=Heron -metadata keywords=\(keyword) \\
        -metadata:s:v title=\(word)-track -metadata:s:v comment=\(word)-track-comment "$@"
    }
    h264="-c:v libx264 -pix_fmt yuv420p -c:a aac"
    make $h264 library/mp4.mp4
    make $h264 library/mov.mov
    make $h264 -movflags use_metadata_tags library/tags.mov
    make $h264 -f matroska library/mkv.mkv
    make -c:v libvpx -deadline realtime -cpu-used 8 -c:a libopus library/webm.webm
    make -c:v mpeg4 -c:a mp3 library/avi.avi
    for file in library/mp4.mp4 library/mov.mov; do
      exiftool -q -m -n -overwrite_original -Keys:Title=\(word)-keys-title \\
        -Keys:Description=\(word)-keys-description -Keys:DisplayName=\(word)-keys-display \\
        -Keys:Comment=\(word)-keys-comment -Keys:Information=\(word)-keys-information \\
        -ItemList:Title=\(word)-item-title -ItemList:Description=\(word)-item-description \\
        -ItemList:LongDescription=\(word)-item-long -ItemList:Comment=\(word)-item-comment \\
        -UserData:Title=\(word)-user-title -UserData:Comment=\(word)-user-comment \\
        -Keys:Keywords=\(keyword) -Keys:GPSCoordinates='47.123456 8.654321 408' \\
        -XMP-dc:Title=\(word)-xmp-title -XMP-dc:Subject=\(keyword) $file
    done
    """
}
