import Color
import FFmpeg
import LittleCMS
import MediaEdits
import MediaFormats
import MediaModel
import MetadataTransfer
import WorkerProtocol

// From the colours of a profile to sRGB.

/// How a raster of CMYK stores ink.
enum InkCoding {
  /// The largest value is full ink.
  case direct
  /// The largest value means no ink: the JPEGs of Adobe's programs, and by now of all others.
  case inverted
}

extension DecodedPicture {
  /// Takes over the file's colour space, if the decoder has not found one.
  mutating func takeColors(of metadata: PictureMetadata) {
    profile = profile ?? metadata.icc
    if profile == nil, primaries == nil, wideColor == nil,
      metadata.exif.map(InteroperabilityIndex.isAdobeRGB) == true
    {
      wideColor = .adobeRGB
    }
  }

  /// Converts CMYK to sRGB by the picture's profile. Without a usable one the inks are taken for perfect.
  mutating func resolveInks() throws {
    guard let inks else { return }
    let isInverted = inks == .inverted
    var problem: String?
    var converted: Raster?
    if let profile {
      (converted, problem) = Self.colors(of: raster, profile, isInverted: isInverted)
    }
    if let problem {
      notes.append("The picture's colour profile cannot be used: \(problem.asPartOfSentence).")
    }
    if converted == nil { notes.append(Self.cmykNote) }
    raster = converted ?? FourthChannel.cmyk(raster, isInverted: isInverted)
    if let inkAlpha {
      raster = Transparency.combined(
        try raster.converted(to: inkAlpha.layout.isDeep ? .rgb16 : .rgb8), inkAlpha)
    }
    (self.inks, self.inkAlpha, profile) = (nil, nil, nil)
    isConverted = true
  }

  private static func colors(
    of raster: Raster, _ profile: [UInt8], isInverted: Bool
  ) -> (raster: Raster?, problem: String?) {
    guard ColorProfile.Space(of: profile) == .cmyk else { return (nil, "it is not for CMYK") }
    do throws(ColorProfileError) {
      return (try ColorProfile(profile).convert(raster, isInverted: isInverted), nil)
    } catch {
      return (nil, error.detail)
    }
  }

  /// Makes pixels and profile match: an RGB picture can store grey, and a grey profile can describe RGB pixels
  /// that are grey, as decoders return them for grey with transparency. A profile of another kind is dropped.
  mutating func matchProfile() throws {
    guard let bytes = profile else { return }
    let space = ColorProfile.Space(of: bytes)
    if space == .gray, let luma = raster.neutralLuma { raster = luma }
    switch (space, raster.layout.isGray) {
    case (.rgb, true):
      raster = try raster.converted(to: raster.layout == .gray8 ? .rgb8 : .rgb16)
    case (.rgb, false), (.gray, true): break
    case (.gray, false) where raster.isNeutral:
      // A file with RGB pixels cannot have a grey profile.
      if let problem = try problem(convertingBy: bytes) {
        notes.append("The picture's colour profile was ignored: \(problem).")
        profile = nil
      }
    case (let space, _):
      let subject = space?.name ?? "other colours"
      notes.append(
        "The picture's colour profile was ignored: it is for \(subject), the picture is not.")
      profile = nil
    }
  }

  /// Converts the picture to sRGB by its profile, or notes why it keeps the profile.
  ///
  /// - Parameter bytes: the profile, for pixels of this kind.
  mutating func convert(by bytes: [UInt8]) throws {
    guard let problem = try problem(convertingBy: bytes) else { return }
    notes.append("The picture keeps its colour profile, which cannot be converted: \(problem).")
  }

  /// Converts the picture to sRGB.
  ///
  /// - Returns: why it could not be converted, as a part of a sentence; nil on success.
  private mutating func problem(convertingBy bytes: [UInt8]) throws -> String? {
    do {
      let profile = try ColorProfile(bytes)
      if try !profile.isSRGB() {
        raster = try profile.convert(raster.layout.isGray ? raster : plainRGB())
      }
    } catch let error as ColorProfileError {
      return error.detail.asPartOfSentence
    }
    profile = nil
    isConverted = true
    return nil
  }

  /// The raster in RGB of its own depth, with its alpha channel if it has one.
  func plainRGB() throws(AudioVideoError) -> Raster {
    switch raster.layout {
    case .rgb8, .rgba8, .rgb16, .rgba16: raster
    case .gray16: try raster.converted(to: .rgb16)
    case .gray8, .yuv420, .yuv422, .yuv444: try raster.converted(to: .rgb8)
    }
  }
}

extension ColorProfile.Space {
  fileprivate var name: String {
    switch self {
    case .gray: "grey"
    case .rgb: "RGB"
    case .cmyk: "CMYK"
    }
  }
}

extension Raster {
  /// The luma of a picture in planes as grey; nil if it has colours, or no planes.
  fileprivate var neutralLuma: Raster? {
    guard planes.count == 3, planes[1...].allSatisfy({ $0.bytes.allSatisfy { $0 == 128 } }),
      var gray = Raster(size: size, layout: .gray8)
    else { return nil }
    let (luma, row) = (planes[0], planes[0].bytesPerRow)
    gray.planes[0].bytes = (0..<size.height).flatMap {
      luma.bytes[($0 * row)..<($0 * row + size.width)]
    }
    return gray
  }

  /// Whether red, green and blue of every pixel are equal.
  fileprivate var isNeutral: Bool {
    guard planes.count == 1, !layout.isGray else { return false }
    let (bytes, step) = (planes[0].bytes, layout.bytesPerPixel)
    let width = layout.isDeep ? 2 : 1
    return stride(from: 0, to: bytes.count, by: step).allSatisfy { first in
      (0..<width).allSatisfy { byte in
        bytes[first + byte] == bytes[first + width + byte]
          && bytes[first + byte] == bytes[first + 2 * width + byte]
      }
    }
  }
}
