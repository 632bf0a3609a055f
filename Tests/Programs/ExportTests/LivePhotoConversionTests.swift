import Foundation
import MediaTools
import Testing
import Workbench

/// Apple's live photos become motion photos, and motion photos Apple's live photos. exiftool and ffprobe read the
/// results; the coded pictures and the packets stay as they are.
@Suite(
  .timeLimit(.minutes(5)),
  .enabled(if: Tool.areInstalled(.ffmpeg, .ffprobe, .exiftool, .heifEncoder, .imageMagick)))
struct LivePhotoConversionTests {
  private static let identifier = "0B6A3C1E-52D7-49F8-8E21-7A94C5D0B3F6"

  /// A picture with a place, and a clip of 2 s with a place.
  private static let pool = Task {
    let bench = try Workbench()
    try await bench.bash(
      """
      {
        printf 'Apple iOS\\0\\0\\001MM\\0\\001\\0\\021\\0\\002\\0\\0\\0\\045\\0\\0\\0\\040\\0\\0\\0\\0'
        printf '%s\\0' \(Self.identifier)
      } >note
      convert -seed 5 -size 320x240 plasma:olive-navy -quality 91 bare.jpg
      exiftool -q -Make=Maker -Model=M1 -DateTimeOriginal='2024:06:01 10:15:30' \
        -OffsetTimeOriginal=+02:00 -GPSLatitude=47.5596 -GPSLatitudeRef=N -GPSLongitude=7.5886 \
        -GPSLongitudeRef=E -XMP:Title=Tower -o still.jpg bare.jpg
      ffmpeg -v error -f lavfi -i testsrc2=s=320x240:r=30:d=2 -f lavfi -i sine=d=2 -c:v libx264 \
        -preset ultrafast -pix_fmt yuv420p -c:a aac -movflags use_metadata_tags \
        -metadata com.apple.quicktime.content.identifier=\(Self.identifier) \
        -metadata com.apple.quicktime.creationdate=2024-06-01T10:15:29+0200 \
        -metadata com.apple.quicktime.location.ISO6709=+47.5596+007.5886/ clip.mov
      ffmpeg -v error -i clip.mov -map 0 -c copy -map_metadata -1 \
        -metadata location=+47.5596+007.5886/ clip.mp4
      """)
    return bench
  }

  /// A bench whose folder has the files of the pool: `still.jpg`, `clip.mov`, `clip.mp4`, and what they are made from.
  private func bench() async throws -> Workbench {
    let pool = try await Self.pool.value.folder
    let bench = try Workbench()
    try await bench.bash("cp '\(pool)'/{note,bare.jpg,still.jpg,clip.mov,clip.mp4} .")
    return bench
  }

  /// Adds `IMG_1.JPG` and `IMG_1.MOV` with the moment at 1.4 s.
  private func addPair(_ bench: Workbench, isHEIC: Bool = false) async throws {
    try await bench.bash(
      isHEIC
        ? """
        convert still.jpg still.png
        heif-enc -q 60 still.png -o library/IMG_1.HEIC >/dev/null
        exiftool -q -overwrite_original -tagsfromfile still.jpg -all:all library/IMG_1.HEIC
        exiftool -q -overwrite_original '-MakerNoteApple<=note' library/IMG_1.HEIC
        """
        : """
        cp still.jpg library/IMG_1.JPG
        exiftool -q -overwrite_original '-MakerNoteApple<=note' library/IMG_1.JPG
        """)
    let scratch = try ScratchFolder()
    try scratch.write(
      Array(Data(contentsOf: URL(filePath: bench.folder + "/clip.mov"))), to: "clip.mov")
    try scratch.addStillImageTrack(to: "clip.mov", moment: 1400)
    try Data(scratch.bytes("clip.mov")).write(to: URL(filePath: bench.library + "/IMG_1.MOV"))
  }

  /// Adds a motion photo as Google's cameras write it.
  ///
  /// - Parameter moment: in microseconds; nil to leave it out.
  private func addMotionPhoto(
    _ bench: Workbench, _ name: String, from still: String = "still.jpg", moment: Int?
  ) async throws {
    let time = moment.map { "-XMP-GCamera:MotionPhotoPresentationTimestampUs=\($0)" } ?? ""
    try await bench.bash(
      """
      length=$(stat -c %s clip.mp4)
      cat >config <<'EOF'
      %Image::ExifTool::UserDefined = ('Image::ExifTool::XMP::Main' => {
        GCamera => { SubDirectory => { TagTable => 'Image::ExifTool::UserDefined::GCamera' } } });
      %Image::ExifTool::UserDefined::GCamera = (
        GROUPS => { 0 => 'XMP', 1 => 'XMP-GCamera', 2 => 'Camera' },
        NAMESPACE => { 'GCamera' => 'http://ns.google.com/photos/1.0/camera/' }, WRITABLE => 'string',
        MotionPhoto => { }, MotionPhotoVersion => { }, MotionPhotoPresentationTimestampUs => { },
        MicroVideoOffset => { });
      1;
      EOF
      exiftool -config config -q -XMP-GCamera:MotionPhoto=1 -XMP-GCamera:MotionPhotoVersion=1 \
        -XMP-GCamera:MicroVideoOffset=$length \(time) -o 'library/\(name)' \(still)
      cat clip.mp4 >>'library/\(name)'
      """)
  }

  /// exiftool's tags of a file, by name.
  private func tags(_ path: String) async throws -> [String: String] {
    let text = try await Tool.exiftool.run(["-j", "-ee", "-n", "-struct", path])
    let parsed = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]]
    return (parsed?.first ?? [:]).mapValues { String(describing: $0) }
  }

  private func identifier(_ tags: [String: String]) -> String? {
    // Older versions of exiftool call the still's identifier MediaGroupUUID.
    tags["ContentIdentifier"] ?? tags["MediaGroupUUID"]
  }

  /// When the sample of timed metadata is presented.
  private func moment(_ bench: Workbench, _ path: String) async throws -> Double? {
    let text = try await bench.bash(
      "ffprobe -v error -select_streams d -show_entries stream=start_time -of csv=p=0 '\(path)'")
    return Double(text.trimmingCharacters(in: .whitespacesAndNewlines))
  }

  /// The digests of a movie's packets, for picture and sound.
  private func packets(_ bench: Workbench, _ path: String) async throws -> String {
    try await bench.bash(
      "ffmpeg -v error -i '\(path)' -map 0:v:0 -map 0:a:0 -c copy -f streamhash -")
  }

  /// A JPEG's scan: from its header to the end of the picture.
  private func codedPicture(_ path: String) throws -> Data {
    let data = try Data(contentsOf: URL(filePath: path))
    let start = try #require(data.range(of: Data([0xFF, 0xDA]))).lowerBound
    let end = try #require(data.range(of: Data([0xFF, 0xD9]), in: start..<data.endIndex))
    return data[start..<end.upperBound]
  }

  @Test func aPairBecomesAMotionPhotoAndAPairAgain() async throws {
    let bench = try await bench()
    try await addPair(bench)
    _ = try await bench.scan([bench.library])
    let (status, _) = try await bench.export(preset: "motion-photo")
    #expect(status == 0)
    let photo = bench.target + "/IMG_1.MP.JPG"
    #expect(try await bench.bash("ls out") == "IMG_1.MP.JPG\n")
    let found = try await tags(photo)
    #expect(found["MotionPhoto"] == "1")
    #expect(found["MotionPhotoVersion"] == "1")
    #expect(found["MotionPhotoPresentationTimestampUs"] == "1400000")
    #expect(found["Title"] == "Tower")
    #expect(identifier(found) == Self.identifier)
    // The directory, as exiftool prints structures.
    let directory = try await Tool.exiftool.run(["-s3", "-struct", "-XMP:Directory", photo])
    try await bench.bash("exiftool -ee3 -b -EmbeddedVideo '\(photo)' >inside.mp4")
    let length = try await bench.bash("stat -c %s inside.mp4")
      .trimmingCharacters(in: .whitespacesAndNewlines)
    let items = directory.replacing(" ", with: "")
    #expect(items.contains("Mime=image/jpeg") && items.contains("Semantic=Primary"))
    #expect(items.contains("Length=\(length),Mime=video/mp4,Padding=0,Semantic=MotionPhoto"))
    let inside = bench.folder + "/inside.mp4"
    let source = bench.library + "/IMG_1.MOV"
    #expect(try await packets(bench, inside) == packets(bench, source))
    #expect(identifier(try await tags(inside)) == Self.identifier)
    let picture = try codedPicture(bench.library + "/IMG_1.JPG")
    #expect(try codedPicture(photo) == picture)

    _ = try await bench.scan([bench.target])
    let listed = try await bench.list(["--under", bench.target])
    #expect(listed.map(\.subtypes) == [["motionPhoto"]])
    let back = try await bench.shoebox([
      "export", "--under", bench.target, "--preset", "apple-live-photo", "--to",
      bench.folder + "/back",
    ])
    #expect(back.status == 0)
    let (still, clip) = (bench.folder + "/back/IMG_1.MP.JPG", bench.folder + "/back/IMG_1.MP.mov")
    #expect(try await packets(bench, clip) == packets(bench, source))
    #expect(try codedPicture(still) == picture)
    for path in [still, clip] {
      #expect(identifier(try await tags(path)) == Self.identifier)
    }
    #expect(try await tags(still)["MotionPhoto"] == nil)
    #expect(abs(try #require(await moment(bench, clip)) - 1.4) < 1 / 30)
    let warnings = "exiftool -validate -a -s3 -warning "
    #expect(
      try await bench.bash(warnings + "back/IMG_1.MP.JPG")
        == bench.bash(warnings + "library/IMG_1.JPG"))
  }

  @Test func aPairOfApplesStaysAsItIs() async throws {
    let bench = try await bench()
    try await addPair(bench)
    _ = try await bench.scan([bench.library])
    #expect(try await bench.export(preset: "apple-live-photo").status == 0)
    #expect(try await bench.digests(of: bench.target) == bench.digests(of: bench.library))
  }

  /// The expected moments: of the XMP, or the middle of 2 s.
  @Test(arguments: [(500_000, 0.5), (-1, 1.0), (nil, 1.0)] as [(Int?, Double)])
  func aMotionPhotoBecomesAPair(microseconds: Int?, expected: Double) async throws {
    let bench = try await bench()
    try await addMotionPhoto(bench, "PXL.jpg", moment: microseconds)
    _ = try await bench.scan([bench.library])
    #expect(try await bench.list().map(\.subtypes) == [["motionPhoto"]])
    #expect(try await bench.export(preset: "apple-live-photo").status == 0)
    let (still, clip) = (bench.target + "/PXL.jpg", bench.target + "/PXL.mov")
    let (picture, motion) = (try await tags(still), try await tags(clip))
    let made = try #require(identifier(picture))
    #expect(UUID(uuidString: made) != nil)
    #expect(identifier(motion) == made)
    #expect(motion["StillImageTime"] == "-1")
    #expect(picture["MotionPhoto"] == nil)
    #expect(picture["Title"] == "Tower")
    #expect(picture["Model"] == "M1")
    #expect(abs(try #require(await moment(bench, clip)) - expected) < 1 / 30)
    #expect(try codedPicture(still) == codedPicture(bench.folder + "/still.jpg"))
    #expect(try await packets(bench, clip) == packets(bench, bench.folder + "/clip.mp4"))
    // Nothing follows the picture.
    let bytes = try Data(contentsOf: URL(filePath: still))
    #expect(bytes.suffix(2) == Data([0xFF, 0xD9]))
    _ = try await bench.scan([bench.target])
    #expect(try await bench.list(["--under", bench.target]).map(\.subtypes) == [["livePhoto"]])

    // Another catalog makes the same identifier.
    try await bench.bash("rm '\(bench.catalog)'* && rm -r out")
    _ = try await bench.scan([bench.library])
    #expect(try await bench.export(preset: "apple-live-photo").status == 0)
    #expect(identifier(try await tags(still)) == made)
  }

  @Test func picturesWithOtherMetadataBecomeApplesToo() async throws {
    let bench = try await bench()
    try await bench.bash(
      """
      printf 'unknown maker note of a camera that is longer than the identifier is, by far and with room' >own
      exiftool -q '-MakerNoteUnknownBinary<=own' -o noted.jpg still.jpg
      printf 'short' >short
      exiftool -q '-MakerNoteUnknownBinary<=short' -o brief.jpg still.jpg
      exiftool -q -IFD0:Artist=Ada -o flat.jpg bare.jpg
      """)
    let stills = ["noted.jpg", "brief.jpg", "flat.jpg", "bare.jpg"]
    for still in stills {
      try await addMotionPhoto(bench, still, from: still, moment: 0)
    }
    _ = try await bench.scan([bench.library])
    #expect(try await bench.export(preset: "apple-live-photo").status == 0)
    for still in stills {
      let path = bench.target + "/" + still
      let found = try await tags(path)
      #expect(identifier(found).flatMap(UUID.init(uuidString:)) != nil, "\(still)")
      #expect(found["Warning"] == nil, "\(still)")
      let before = try await tags(bench.folder + "/" + still)
      for tag in ["Artist", "GPSLatitude", "DateTimeOriginal", "Model"] {
        #expect(found[tag] == before[tag], "\(still): \(tag)")
      }
      #expect(try codedPicture(path) == codedPicture(bench.folder + "/" + still))
    }
  }

  @Test func samsungsMotionPhotoBecomesAPair() async throws {
    let bench = try await bench()
    let clip = try Data(contentsOf: URL(filePath: bench.folder + "/clip.mp4"))
    func little(_ value: Int, _ width: Int) -> Data {
      Data((0..<width).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) })
    }
    let name = Data("MotionPhoto_Data".utf8)
    let block = little(0, 2) + little(0x0A30, 2) + little(name.count, 4) + name + clip
    let directory =
      Data("SEFH".utf8) + little(107, 4) + little(1, 4) + little(0, 2) + little(0x0A30, 2)
      + little(block.count, 4) + little(block.count, 4)
    let still = try Data(contentsOf: URL(filePath: bench.folder + "/still.jpg"))
    let trailer = block + directory + little(directory.count, 4) + Data("SEFT".utf8)
    try (still + trailer).write(to: URL(filePath: bench.library + "/20240601.jpg"))
    _ = try await bench.scan([bench.library])
    #expect(try await bench.export(preset: "apple-live-photo").status == 0)
    let (made, motion) = (bench.target + "/20240601.jpg", bench.target + "/20240601.mov")
    #expect(try Data(contentsOf: URL(filePath: made)).suffix(2) == Data([0xFF, 0xD9]))
    #expect(try codedPicture(made) == codedPicture(bench.folder + "/still.jpg"))
    #expect(try await packets(bench, motion) == packets(bench, bench.folder + "/clip.mp4"))
    #expect(identifier(try await tags(made)) == identifier(try await tags(motion)))
  }

  /// The result is made from both files.
  @Test func aTouchedClipLeavesTheMotionPhotoAndAnotherClipMakesItAgain() async throws {
    let bench = try await bench()
    try await addPair(bench)
    _ = try await bench.scan([bench.library])
    #expect(try await bench.export(preset: "motion-photo").status == 0)
    try await bench.bash("touch -d '2031-05-01 UTC' library/IMG_1.MOV")
    #expect(try await bench.export(["--update"], preset: "motion-photo").summary.skipped == 1)
    // Another date of the same length.
    try await bench.bash(
      """
      sed -i 's/2024-06-01T10:15:29/2024-06-01T10:15:28/' library/IMG_1.MOV
      touch -d '2031-05-02 UTC' library/IMG_1.MOV
      """)
    #expect(try await bench.export(["--update"], preset: "motion-photo").summary.skipped == 0)
    #expect(try await bench.export(["--update"], preset: "motion-photo").summary.skipped == 1)
  }

  @Test func aHEICBecomesAMotionPhotoOfJPEG() async throws {
    let bench = try await bench()
    try await addPair(bench, isHEIC: true)
    _ = try await bench.scan([bench.library])
    #expect(try await bench.export(preset: "motion-photo").status == 0)
    let found = try await tags(bench.target + "/IMG_1.MP.jpg")
    #expect(found["MIMEType"] == "image/jpeg")
    #expect(found["MotionPhotoPresentationTimestampUs"] == "1400000")
    #expect(identifier(found) == Self.identifier)
    _ = try await bench.scan([bench.target])
    #expect(try await bench.list(["--under", bench.target]).map(\.subtypes) == [["motionPhoto"]])
  }

  /// The moment is 1.4 s of 2 s; nil if it is cut off.
  @Test(
    arguments: [
      (["--max-pixels", "160"], 1.4), (["--crop", "100,100", "--strip-location"], 1.4),
      (["--max-pixels", "160", "--trim", "0.5-1.8", "--exact"], 0.9),
      (["--max-pixels", "160", "--trim", "1.6-1.9", "--exact"], nil),
    ] as [([String], Double?)])
  func `a motion photo whose picture is re-encoded becomes a pair`(
    arguments: [String], expected: Double?
  ) async throws {
    let bench = try await bench()
    try await addMotionPhoto(bench, "PXL.jpg", moment: 1_400_000)
    _ = try await bench.scan([bench.library])
    #expect(try await bench.export(arguments, preset: "compatible").status == 0)
    let (still, clip) = (bench.target + "/PXL.jpg", bench.target + "/PXL.mp4")
    let (picture, motion) = (try await tags(still), try await tags(clip))
    let made = try #require(identifier(picture))
    #expect(UUID(uuidString: made) != nil)
    #expect(identifier(motion) == made)
    #expect(picture["MotionPhoto"] == nil)
    #expect(motion["CreationDate"] == "2024:06:01 10:15:30+02:00")
    #expect(motion["Make"] == "Maker")
    #expect(motion["Model"] == "M1")
    #expect(motion["StillImageTime"] == expected.map { _ in "-1" })
    if let expected {
      #expect(abs(try #require(await moment(bench, clip)) - expected) < 1 / 30)
    }
    _ = try await bench.scan([bench.target])
    #expect(try await bench.list(["--under", bench.target]).map(\.subtypes) == [["livePhoto"]])
    // The folder's own files are assets by now.
    let (_, summary) = try await bench.export(
      ["--update", "--type", "motionPhotos"] + arguments, preset: "compatible")
    #expect(summary.skipped == 1)
  }

  @Test func `a re-encoded motion photo stays one under motion-photo`() async throws {
    let bench = try await bench()
    try await addMotionPhoto(bench, "PXL.jpg", moment: 1_400_000)
    _ = try await bench.scan([bench.library])
    let small = ["--max-pixels", "160"]
    #expect(try await bench.export(small, preset: "motion-photo").status == 0)
    #expect(try await bench.bash("ls out") == "PXL.MP.jpg\n")
    let photo = bench.target + "/PXL.MP.jpg"
    let found = try await tags(photo)
    #expect(found["ImageWidth"] == "160")
    #expect(found["MotionPhotoPresentationTimestampUs"] == "1400000")
    let made = try Data(contentsOf: URL(filePath: photo))
    let clip = try Data(contentsOf: URL(filePath: bench.folder + "/clip.mp4"))
    #expect(made.suffix(clip.count) == clip)
    let (_, summary) = try await bench.export(["--update"] + small, preset: "motion-photo")
    #expect(summary.skipped == 1)
    _ = try await bench.scan([bench.target])
    #expect(try await bench.list(["--under", bench.target]).map(\.subtypes) == [["motionPhoto"]])
  }

  @Test func `an exact part of a pair has its moment in the motion photo`() async throws {
    let bench = try await bench()
    try await addPair(bench)
    _ = try await bench.scan([bench.library])
    #expect(
      try await bench.export(["--trim", "1-1.8", "--exact"], preset: "motion-photo").status == 0)
    let found = try await tags(bench.target + "/IMG_1.MP.JPG")
    #expect(found["MotionPhotoPresentationTimestampUs"] == "400000")
  }

  @Test(arguments: ["motion-photo", "apple-live-photo"])
  func placesAreRemovedFromBothParts(preset: String) async throws {
    let bench = try await bench()
    try await addPair(bench)
    try await addMotionPhoto(bench, "PXL.jpg", moment: 500_000)
    _ = try await bench.scan([bench.library])
    #expect(try await bench.export(["--strip-location"], preset: preset).status == 0)
    let found = try await bench.bash(
      "cd out && for f in *; do exiftool -a -ee3 -G1 -s '-*GPS*' '-*Location*' '-*Coordinates*' $f; done"
    )
    #expect(!found.contains("47") && !found.contains("ISO6709"), "\(found)")
    // No tool may overlook it: the text of the clip's place is in no file.
    #expect(try await bench.bash("grep -lar '47.5596' out --exclude='.*' || true").isEmpty)
    _ = try await bench.scan([bench.target])
    let subtypes = try await bench.list(["--under", bench.target]).map(\.subtypes)
    #expect(
      subtypes
        == [[String]](
          repeating: [preset == "motion-photo" ? "motionPhoto" : "livePhoto"], count: 2))
  }

  @Test func withoutMetadataNoIdentifierIsWritten() async throws {
    let bench = try await bench()
    try await addPair(bench)
    try await addMotionPhoto(bench, "PXL.jpg", moment: 500_000)
    _ = try await bench.scan([bench.library])
    #expect(
      try await bench.export(["--strip-metadata"], preset: "apple-live-photo").status == 0)
    #expect(try await bench.bash("ls out") == "IMG_1.JPG\nIMG_1.MOV\nPXL.jpg\nPXL.mov\n")
    let all = try await bench.bash("cd out && exiftool -a -ee3 -G1 -s *")
    for name in ["ContentIdentifier", "MediaGroupUUID", "GPS", "Maker", "Tower", "MotionPhoto"] {
      #expect(!all.contains(name), "\(name)")
    }
    try await bench.bash("rm -r out")
    #expect(
      try await bench.export(
        ["--strip-metadata", "--max-pixels", "160", bench.library + "/PXL.jpg"],
        preset: "compatible"
      ).status == 0)
    let split = try await bench.bash("cd out && exiftool -a -ee3 -G1 -s PXL.jpg PXL.mp4")
    for name in ["ContentIdentifier", "MediaGroupUUID", "StillImageTime", "Maker"] {
      #expect(!split.contains(name), "\(name)")
    }
    // A motion photo without metadata says only where its clip is.
    try await bench.bash("rm -r out")
    #expect(
      try await bench.export(
        ["--strip-metadata", bench.library + "/IMG_1.JPG"], preset: "motion-photo"
      ).status == 0)
    let photo = try await tags(bench.target + "/IMG_1.MP.JPG")
    #expect(photo["MotionPhoto"] == "1")
    #expect(identifier(photo) == nil && photo["GPSLatitude"] == nil && photo["Title"] == nil)
  }

  @Test(arguments: ["motion-photo", "apple-live-photo"])
  func otherAssetsStayAsTheyAre(preset: String) async throws {
    let bench = try await bench()
    try await bench.bash(
      "cp still.jpg library/a.jpg; cp clip.mp4 library/b.mp4; cp clip.mov library/c.mov")
    _ = try await bench.scan([bench.library])
    #expect(try await bench.export(preset: preset).status == 0)
    #expect(try await bench.digests(of: bench.target) == bench.digests(of: bench.library))
  }

  @Test func aSecondExportMakesOnlyWhatChanged() async throws {
    let bench = try await bench()
    try await addPair(bench)
    _ = try await bench.scan([bench.library])
    #expect(try await bench.export(preset: "motion-photo").status == 0)
    let first = try await bench.digests(of: bench.target)
    #expect(try await bench.export(["--update"], preset: "motion-photo").status == 0)
    #expect(try await bench.digests(of: bench.target) == first)
    // A change of the clip alone.
    try await bench.bash("printf '\\0\\0\\0\\010free' >>library/IMG_1.MOV; touch library/IMG_1.MOV")
    _ = try await bench.scan([bench.library])
    let plan = try await bench.shoebox([
      "export", "--preset", "motion-photo", "--update", "--to", bench.target, "--dry-run",
    ])
    #expect(plan.output.contains("IMG_1.MP.JPG"))
    #expect(!plan.output.contains("unchanged"))
  }
}
