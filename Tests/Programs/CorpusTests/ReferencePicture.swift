import Foundation
import Workbench

/// A picture as other programs decode it: libheif's own, else ImageMagick, libavif's own (sequences with transparency),
/// or FFmpeg.
struct ReferencePicture: Sendable {
  private var bench: Workbench
  /// A PNG with the upright pixels.
  private var path: String

  /// - Returns: nil if none of the programs finds a picture in `source`.
  init?(of source: String, on bench: Workbench) async throws {
    self.bench = bench
    path = "\(bench.folder)/reference-\(UUID().uuidString).png"
    // A program that fails may leave half a file. If heif-dec writes several pictures, it
    // numbers them as heif-info lists them.
    let said = try await bench.bash(
      """
      source=\(source.shellWord) target=\(path.shellWord) base=\(path.dropLast(4).description.shellWord)
      found() { [[ -s $target ]] && identify -quiet -ping "$target" >/dev/null 2>&1; }
      if [[ $(head -c 8 "$source" | tail -c 4 | tr -d '\\0') == ftyp ]]; then
        heif-dec --quiet --png-compression-level 0 "$source" -o "$target" >/dev/null 2>&1 || true
        number=$(heif-info "$source" 2>/dev/null | grep '^image:' | grep -n primary | cut -d: -f1 || true)
        [[ ! -s $base-$number.png ]] || mv "$base-$number.png" "$target"
        rm -f "$base"-*.png
      fi
      found || convert -quiet "$source[0]" -auto-orient "$target" >/dev/null 2>&1 || true
      found || avifdec "$source" "$target" >/dev/null 2>&1 || true
      found || ffmpeg -v error -y -i "$source" -frames:v 1 "$target" >/dev/null 2>&1 || true
      found && echo yes || rm -f "$target"
      """, seconds: 300)
    guard said.contains("yes") else { return nil }
  }

  /// Removes the decoded pixels: those of all pictures at once would fill a disk.
  func discard() {
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Decibels of peak signal to noise between this and another picture, both over white; nil if they
  /// cannot be compared.
  func likeness(to other: String) async throws -> Double? {
    let flat = "-background white -alpha remove -alpha off"
    let said = try await bench.bash(
      """
      compare -quiet -metric PSNR \\( \(path.shellWord)'[0]' \(flat) \\) \
        \\( \(other.shellWord) \(flat) \\) null: 2>&1 || true
      """, seconds: 300)
    guard let match = said.prefixMatch(of: /inf|[0-9.]+(?:e[+-]?[0-9]+)?/) else { return nil }
    return match.0 == "inf" ? .infinity : Double(match.0)
  }

  /// How near ImageMagick's own JPEG of these pixels comes to them, of quality 90 and with the chroma of
  /// `result`; nil if that is not a JPEG.
  func likenessOfItsJPEG(like result: String) async throws -> Double? {
    let sampling = try await bench.bash(
      "identify -quiet -format '%[jpeg:sampling-factor]' \(result.shellWord)")
    guard let factor = sampling.split(separator: ",").first else { return nil }
    let target = path + ".jpg"
    defer { try? FileManager.default.removeItem(atPath: target) }
    try await bench.bash(
      """
      convert -quiet \(path.shellWord)'[0]' -background white -alpha remove \
        -quality 90 -sampling-factor \(factor) \(target.shellWord)
      """, seconds: 300)
    return try await likeness(to: target)
  }
}

extension Workbench {
  /// What two programs make of a picture, of which FFmpeg decodes it whole: its size in pixels and its
  /// orientation as ImageMagick reads them, or why one of them does not open it.
  func opened(_ picture: String) async throws -> String {
    try await bash(
      """
      picture=\(picture.shellWord)
      ffmpeg -v error -xerror -i "$picture" -frames:v 1 -f null - 2>&1 || echo "FFmpeg does not open it"
      identify -quiet -ping -format '%wx%h %[orientation]' "$picture" 2>&1 || echo "ImageMagick does not"
      """, seconds: 300
    ).trimmingCharacters(in: .whitespacesAndNewlines)
  }
}

/// Runs `work` over `items`, two at a time, and collects what it says.
func concurrently<Item: Sendable, Answer: Sendable>(
  _ items: [Item], _ work: @escaping @Sendable (Item) async throws -> Answer
) async throws -> [Answer] {
  try await withThrowingTaskGroup(of: Answer.self) { group in
    var answers: [Answer] = []
    for (index, item) in items.enumerated() {
      if index >= 2, let answer = try await group.next() { answers.append(answer) }
      group.addTask { try await work(item) }
    }
    for try await answer in group { answers.append(answer) }
    return answers
  }
}
