import MediaTools
import Testing
import Workbench

extension ExportTests {
  /// Movies of the smallest sizes that HEVC allows. The programs encode them, because a crash of libx265 would end
  /// the tests.
  @Suite(.enabled(if: Tool.areInstalled(.ffmpeg, .ffprobe)))
  struct SmallMovieTests {
    @Test(arguments: ["16x16", "40x30", "40x40", "48x64", "62x64"])
    func `small movies are encoded as HEVC`(size: String) async throws {
      let bench = try Workbench()
      _ = try await bench.bash(
        "ffmpeg -v error -f lavfi -i testsrc2=s=\(size):r=30:d=1 -c:v mjpeg -q:v 3 library/a.mov")
      _ = try await bench.scan([bench.library])
      let outcome = try await bench.shoebox([
        "export", "--video-preset", "HEVC1920x1080", "--to", bench.target,
      ])
      #expect(outcome.status == 0, "\(outcome.errors)")
      let found = try await bench.bash(
        "ffprobe -v error -count_frames -show_entries "
          + "stream=codec_name,width,height,nb_read_frames -of csv=p=0:s=x out/a.*")
      #expect(found == "hevcx\(size)x30\n")
    }
  }
}
