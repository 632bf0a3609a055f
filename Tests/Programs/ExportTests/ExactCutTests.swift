import Foundation
import Testing
import Workbench

extension ExportTests {
  /// `--exact`: results contain the frames and samples that `ffmpeg -ss` decodes, and nothing else.
  @Suite struct ExactCuts {
    /// 25 frames a second with a key frame every 50, and a click at 2 s in silence.
    private func bench(_ codec: String) async throws -> Workbench {
      let bench = try Workbench()
      try await bench.bash(
        """
        ffmpeg -v error -f lavfi -i testsrc2=d=4:s=160x120:r=25 \
          -f lavfi -i "aevalsrc='if(eq(n,96000),0.9,0)':d=4:s=48000" -c:v \(codec) -g 50 -keyint_min 50 -bf 2 \
          -pix_fmt yuv420p -tag:v \(codec == "libx265" ? "hvc1 -x265-params log-level=none" : "avc1") \
          -c:a aac -b:a 96k library/a.mp4
        """)
      _ = try await bench.scan([bench.library])
      return bench
    }

    private func packets(_ bench: Workbench, _ track: String) async throws -> Int {
      let count = try await bench.bash(
        "ffprobe -v error -count_packets -select_streams \(track) -show_entries stream=nb_read_packets -of csv=p=0 out/a.mp4"
      )
      return try #require(Int(count.trimmingCharacters(in: .whitespacesAndNewlines)))
    }

    @Test(arguments: [
      ("libx264", "h264", "current"), ("libx265", "hevc", "current"),
      ("libx264", "h264", "compatible"),
    ])
    func `the result has the frames and samples of the part`(
      encoder: String, codec: String, preset: String
    ) async throws {
      let bench = try await bench(encoder)
      let (status, _) = try await bench.export(["--trim", "1.32-2.72", "--exact"], preset: preset)
      #expect(status == 0)
      #expect(
        try await bench.bash(
          "ffprobe -v error -select_streams v -show_entries stream=codec_name -of csv=p=0 out/a.mp4"
        )
          == "\(codec)\n")
      #expect(try await packets(bench, "v") == 35)
      // Each frame is the one that an accurate seek finds; the neighbours in this film differ by more.
      let worst = try await bench.bash(
        """
        ffmpeg -v error -i out/a.mp4 -ss 1.32 -t 1.4 -i library/a.mp4 \
          -lavfi "[0:v]setpts=N/25/TB[x];[1:v]setpts=N/25/TB[y];[x][y]psnr=stats_file=psnr" -f null -
        wc -l <psnr; sed 's/.*psnr_avg:\\([^ ]*\\).*/\\1/' psnr | sort -g | head -1
        """
      ).split(separator: "\n").map(String.init)
      #expect(worst.first == "35")
      #expect(Double(worst.last ?? "") ?? 0 > 30)
      // The click is 0.68 s after the start, and silence around it.
      try await bench.bash("ffmpeg -v error -i out/a.mp4 -f s16le -ac 1 -ar 48000 sound")
      let bytes = try Data(contentsOf: URL(fileURLWithPath: bench.folder + "/sound"))
      let samples = stride(from: 0, to: bytes.count - 1, by: 2).map {
        abs(Int(Int16(truncatingIfNeeded: Int(bytes[$0]) | Int(bytes[$0 + 1]) << 8)))
      }
      let loudest = samples.indices.max { samples[$0] < samples[$1] } ?? 0
      #expect(abs(loudest - 32_640) <= 1)
      #expect(abs(samples.count - 67_200) < 1024)
    }

    @Test func `without --exact a copied track begins at a key frame`() async throws {
      let bench = try await bench("libx264")
      _ = try await bench.export(["--trim", "1.32-2.72"])
      #expect(try await packets(bench, "v") > 60)
    }

    @Test func `--exact needs a cut`() async throws {
      let bench = try await bench("libx264")
      let outcome = try await bench.shoebox(["export", "--exact", "--to", bench.target])
      #expect(outcome.status == 64)
    }
  }
}
