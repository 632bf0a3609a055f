import Testing
import Workbench

extension ScanTests {
  /// JPEGs of which an interrupted copy has left only the beginning. ImageMagick knows which.
  struct CutOffPictures {
    @Test func `a JPEG that ends within its pixels has a warning, and no other has one`()
      async throws
    {
      let bench = try Workbench()
      try await bench.bash(
        #"""
        mkdir -p whole library
        convert -seed 1 -size 700x500 plasma:red-blue -attenuate 2 +noise Gaussian noise.png
        convert noise.png -quality 85 whole/baseline.jpg
        convert noise.png -quality 85 -interlace JPEG whole/progressive.jpg
        convert noise.png -resize 80x60 whole/small.jpg
        for file in whole/*.jpg; do
          name=$(basename "$file" .jpg) size=$(stat -c %s "$file")
          cp "$file" "library/$name-whole.jpg"
          { cat "$file"; head -c 50000 /dev/zero; } >"library/$name-zeros.jpg"
          { cat "$file"; head -c 50000 noise.png; } >"library/$name-more.jpg"
          { cat "$file"; convert -size 200x100 gradient:red-blue -depth 8 rgba:-; } >"library/$name-raw.jpg"
          { cat "$file"; head -c 20000 /dev/zero | tr '\0' '\377'; } >"library/$name-ones.jpg"
          # All of them end after the header.
          for percent in 60 70 80 90 95 99; do
            head -c $((size * percent / 100)) "$file" >"library/$name-$percent.jpg"
          done
          head -c $((size - 1)) "$file" >"library/$name-last.jpg"
        done
        """#)
      _ = try await bench.scan([bench.library])
      let warned = try await bench.list(["--where", "warning ~ 'cut off'"]).map { asset in
        String(asset.path.split(separator: "/").last ?? "")
      }
      let cut = try await bench.bash(
        "cd library; for file in *.jpg; do [[ $(convert $file null: 2>&1) != *Premature* ]] || echo $file; done"
      ).split(separator: "\n").map(String.init)
      #expect(cut.count == 21)
      #expect(Set(warned).subtracting(cut).isEmpty)
      // Of a progressive picture, the end may contain too few pixels to be sure.
      #expect(Set(cut).subtracting(warned).allSatisfy { $0.hasPrefix("progressive") })
      #expect(warned.filter { $0.hasPrefix("progressive") }.count >= 4)
    }
  }
}
