import MediaModel
import MediaTools
import Testing
import WorkerProtocol

@testable import ByteReading
@testable import FactReading
@testable import MediaFormats
@testable import MediaMaking

struct CameraBoilerplateTests {
  @Test(arguments: [
    ("OLYMPUS DIGITAL CAMERA", "OLYMPUS IMAGING CORP."), ("SONY DSC", "SONY"),
    ("SAMSUNG CSC", "SAMSUNG"), ("KONICA MINOLTA DIGITAL CAMERA", "Konica Minolta Camera, Inc."),
    ("DCIM\\100MEDIA\\DJI_0018.JPG", "DJI"), ("Type=N, Mode=P, DE=None", nil), ("default", "DJI"),
  ])
  func matchesCamerasCaptions(caption: String, make: String?) {
    #expect(CameraBoilerplate.matches(caption, make: make))
  }

  @Test(arguments: [
    ("My new digital camera", "OLYMPUS"), ("MY NEW DIGITAL CAMERA", "OLYMPUS"),
    (" DIGITAL CAMERA", "OLYMPUS"), ("The DCIM folder", "DJI"), ("default", "Apple"),
    ("SONY DSC", nil), ("At the lake", "SONY"), ("", "SONY"),
  ])
  func doesNotMatchPeoplesCaptions(caption: String, make: String?) {
    #expect(!CameraBoilerplate.matches(caption, make: make))
  }

  /// Another program has copied the camera's text into XMP; a person wrote the comment.
  @Test(.enabled(if: Tool.areInstalled(.ffmpeg, .exiftool)))
  func isReplacedByARealCaption() async throws {
    let folder = try ScratchFolder()
    try await folder.makePicture("a.jpg")
    let arguments = [
      "-q", "-overwrite_original", "-EXIF:Make=OLYMPUS CORPORATION",
      "-EXIF:ImageDescription=OLYMPUS DIGITAL CAMERA",
      "-XMP-dc:Description=OLYMPUS DIGITAL CAMERA", "-EXIF:XPComment=At the lake",
    ]
    try await Tool.exiftool.run(arguments + [folder.path("a.jpg")])
    guard case .media(let facts, _) = probe(BytePath(folder.path("a.jpg"))) else {
      throw ToolFailure(description: "a.jpg cannot be read")
    }
    #expect(facts.caption == "At the lake")
  }
}
