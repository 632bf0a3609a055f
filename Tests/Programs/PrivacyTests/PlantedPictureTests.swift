import Foundation
import MediaTools
import PlantedPlaces
import Testing
import Workbench

/// Exports, by the real programs, of pictures with the planted place in every part of their format.
@Suite(.enabled(if: Tool.areInstalled(.ffmpeg, .imageMagick, .heifEncoder, .exiftool)))
struct PlantedPictureTests {
  private let bench: Workbench

  init() throws {
    bench = try Workbench()
  }

  /// The same small picture in each format that these programs write: `a.jpg` is progressive, `a.jpeg` is not.
  private func makePlainPictures() async throws {
    try await bench.bash(
      """
      mkdir plain; cd plain
      ffmpeg -v error -f lavfi -i testsrc=s=64x48 -frames:v 1 a.png
      convert a.png -interlace Plane -quality 90 a.jpg
      convert a.png -quality 90 a.jpeg
      for kind in gif webp bmp jp2; do convert a.png a.$kind; done
      convert a.png -define webp:lossless=true a.lossless.webp
      convert a.png -compress LZW a.tif
      ffmpeg -v error -i a.png -c:v libjxl a.jxl || rm -f a.jxl
      heif-enc a.png -o a.heic >/dev/null 2>&1 || rm -f a.heic
      heif-enc -A a.png -o a.avif >/dev/null 2>&1 || rm -f a.avif
      exiftool -q -n -overwrite_original -GPSLatitude=47.123456 -GPSLatitudeRef=N \\
        -GPSLongitude=8.654321 -GPSLongitudeRef=E -XMP:GPSLatitude=47.123456 \\
        -XMP:GPSLongitude=8.654321 -XMP-dc:Subject=geo:lat=47.123456 -XMP-dc:Subject=Lake \\
        -IPTC:Keywords=geo:lon=8.654321 -IPTC:Keywords=Lake -IPTC:City=Town \\
        '-XPKeywords=geo:lat=47.123456;Lake' a.jpg -o ../library/metadata.jpg
      """)
  }

  private func bytes(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: path)))
  }

  /// Writes each planted picture that can be made on this machine, and returns their names.
  private func plant() throws -> [String] {
    try PlantedPicture.all.compactMap { picture in
      let plain = bench.folder + "/plain/a." + picture.fileExtension
      guard FileManager.default.fileExists(atPath: plain) else { return nil }
      let name = "\(picture.fileExtension)-\(picture.name).\(picture.fileExtension)"
      let planted = picture.plant(try bytes(plain), PlantedPicture.secret)
      try Data(planted).write(to: URL(filePath: bench.library + "/" + name))
      #expect(PlantedPlace.planted.needles.traces(in: planted) != [], "\(name)")
      return name
    }
  }

  /// A digest of the pixels of a file's first picture.
  private func pixels(_ path: String) async throws -> String {
    try await bench.bash("identify -quiet -format '%#' '\(path)[0]' 2>/dev/null || true")
  }

  /// Whether a JPEG XL has the pixels of the plain one, byte for byte. ImageMagick is often built without it, and
  /// FFmpeg 7 reads one forever if bytes follow its pixels, even zeros.
  private func hasPlainPixels(_ path: String) throws -> Bool {
    let plain = Data(try bytes(bench.folder + "/plain/a.jxl"))
    return Data(try bytes(path)).firstRange(of: plain) != nil
  }

  /// Makes a HEIC from the PNG, with the place in its profile.
  ///
  /// - Returns: its name; nil if it cannot be made on this machine.
  private func plantHEICProfile() async throws -> String? {
    let name = "heic-profile.heic"
    try await bench.bash(
      "heif-enc library/png-profile.png -o library/\(name) >/dev/null 2>&1 || rm -f library/\(name)"
    )
    guard let planted = try? bytes(bench.library + "/" + name) else { return nil }
    #expect(PlantedPlace.planted.needles.traces(in: planted) != [], "\(name)")
    return name
  }

  @Test(.timeLimit(.minutes(5))) func `an exported picture does not contain the place`()
    async throws
  {
    try await makePlainPictures()
    let names = try await plant() + [plantHEICProfile(), "metadata.jpg"].compactMap { $0 }
    #expect(names.count > 20)
    let scan = try await bench.shoebox(["scan", bench.library])
    #expect(scan.status == 0, "\(scan.errors)")
    for (preset, strip, folder) in [
      ("current", "--strip-location", "current"), ("current", "--strip-metadata", "bare"),
      ("compatible", "--strip-location", "compatible"),
    ] {
      let target = bench.folder + "/" + folder
      let outcome = try await bench.shoebox([
        "export", "--preset", preset, strip, "--to", target,
      ])
      #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
      let exported = try FileManager.default.contentsOfDirectory(atPath: target)
        .filter { !$0.hasPrefix(".") }
      #expect(exported.count == names.count, "\(outcome.errors)")
      for name in exported {
        let traces = PlantedPlace.planted.needles.traces(in: try bytes(target + "/" + name))
        #expect(traces == [], "\(folder)/\(name)")
      }
    }
    for name in names {
      let exported = ["current", "bare"].map { bench.folder + "/\($0)/" + name }
      if name.hasSuffix(".jxl") {
        for path in exported { #expect(try hasPlainPixels(path), "\(path)") }
        continue
      }
      var before = try await pixels(bench.library + "/" + name)
      // libheif 1.19 refuses a file with such bytes after its end.
      if before.isEmpty {
        before = try await pixels(bench.folder + "/plain/a." + name.prefix { $0 != "-" })
      }
      #expect(before != "", "\(name)")
      for path in exported { #expect(try await pixels(path) == before, "\(path)") }
    }
    let kept = try await bench.bash(
      "exiftool -s3 -XMP:Subject -IPTC:Keywords -XPKeywords current/metadata.jpg")
    #expect(kept.split(separator: "\n").count == 3, "\(kept)")
    #expect(!kept.contains("geo:"))
  }
}
