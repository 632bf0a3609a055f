import Foundation
import Testing
import Workbench

extension PickerPageTests {
  /// A contact sheet, opened from the disk.
  @Suite struct Sheet {
    @Test func `a page plays videos, opens larger pictures and runs nothing`() async throws {
      let bench = try Workbench()
      try await bench.bash(
        """
        mkdir -p library; cd library
        make() { ffmpeg -v error -f lavfi -i testsrc2=size=$1:rate=10:duration=2 "${@:2}"; }
        make 320x240 -pix_fmt yuv420p -c:v libx264 a.mp4
        make 320x240 -pix_fmt yuv420p -c:v libx264 b.mov
        make 320x240 -pix_fmt yuv420p -c:v libvpx-vp9 -deadline realtime -cpu-used 8 c.webm
        make 2400x1800 -frames:v 1 d.jpg
        """)
      _ = try await bench.scan([bench.library])
      let made = try await bench.shoebox([
        "sheet", "--renditions", "-o", "page.html",
        "--title", "<script>document.body.remove()</script>",
      ])
      try #require(made.status == 0, "\(made.errors)")
      try await PickerPageTests.withProfile { page in
        try await page.load("file://\(bench.folder)/page.html")
        let title: String = try await page.value("document.title")
        #expect(title == "<script>document.body.remove()</script>")
        let scripts: Int = try await page.value("document.scripts.length")
        #expect(scripts == 0)
        let count: Int = try await page.value("document.querySelectorAll('video').length")
        #expect(count == 3)
        for index in 0..<3 {
          let video = "document.querySelectorAll('video')[\(index)]"
          let _: JSON = try await page.run("\(video).muted = true; \(video).play()")
          try await page.wait(until: "\(video).currentTime > 0.2 && \(video).videoWidth === 320")
        }
        let _: JSON = try await page.run(
          "document.querySelector('main li a[href$=\".jpg\"]').click()")
        try await page.wait(
          until: "document.images.length === 1 && document.images[0].naturalWidth === 1600")
      }
    }
  }
}
