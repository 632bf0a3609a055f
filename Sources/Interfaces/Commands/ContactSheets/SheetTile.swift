import Foundation
import Linux
import MediaModel
import ShoeboxKit
import Terminal

/// One picture or video on a contact sheet.
struct SheetTile {
  let asset: AssetRecord
  let heading: SheetHeading
  /// Its picture, or one sentence on why there is none.
  let picture: Result<EncodedImage, SheetGap>
  /// Its video, if it has one.
  var clip: SheetClip?
  /// The relative URL of a larger picture; nil for none.
  var rendition: String?
  /// The other assets with the same content.
  var copies: [BytePath] = []
  /// A line below the time; empty for none.
  var note = ""

  /// A list item on a line of its own.
  var html: [UInt8] {
    var html = Array("<li>".utf8)
    if case .success(let thumbnail) = picture, case .plays(let file) = clip {
      // Nothing of the file is read before a person starts it.
      html += "<span class=\"frame plays\"><video controls preload=\"none\" playsinline".utf8
      html += " src=\"\(file.fileURL)\" aria-label=\"\(alternative.escapedForHTML)\"".utf8
      html += " poster=\"data:image/jpeg;base64,".utf8
      html += thumbnail.data.base64EncodedData()
      html += "\"></video>\(badges)</span><a href=\"\(asset.path.fileURL)\">".utf8
      html += "\(nameElement)</a>\(details(largePicture: true))</li>\n".utf8
      return html
    }
    html += "<a href=\"\(rendition ?? asset.path.fileURL)\">".utf8
    html += frame
    // With a larger picture, the name still opens the original.
    if rendition != nil { html += "</a><a href=\"\(asset.path.fileURL)\">".utf8 }
    html += "\(nameElement)</a>\(details(largePicture: false))</li>\n".utf8
    return html
  }

  private var frame: [UInt8] {
    var html: [UInt8] = []
    switch picture {
    case .success(let thumbnail):
      let size = thumbnail.pixelSize
      html += "<span class=\"frame\"><img width=\"\(size.width)\" height=\"\(size.height)\"".utf8
      html += " decoding=\"async\" alt=\"\(alternative.escapedForHTML)\"".utf8
      html += " src=\"data:image/jpeg;base64,".utf8
      html += thumbnail.data.base64EncodedData()
      html += "\">\(badges)</span>".utf8
    case .failure(let gap):
      html +=
        "<span class=\"frame gap\"><span class=\"spoken\">\(alternative.escapedForHTML). </span>"
        .utf8
      html += "<span><strong>No preview</strong> ".utf8
      html += "\(gap.reason.escapedForHTML)</span>\(badges)</span>".utf8
    }
    return html
  }

  private var nameElement: String { "<bdi class=\"name\">\(name.escapedForHTML)</bdi>" }

  /// The lines below the name.
  ///
  /// - Parameter largePicture: whether they link to the larger picture, because the frame does not.
  private func details(largePicture: Bool) -> String {
    var html = time + noteLine
    if largePicture, let rendition {
      html += "<small><a href=\"\(rendition)\">large picture</a></small>"
    }
    if case .isNotPlayed(let reason) = clip {
      html += "<small>Not played here: \(reason.escapedForHTML).</small>"
    }
    guard !copies.isEmpty else { return html }
    let count = "\(humanCount(copies.count)) \(copies.count == 1 ? "copy" : "copies")"
    html += "<details class=\"copies\"><summary>Same content: \(count)</summary>"
    for path in copies {
      html += "<a href=\"\(path.fileURL)\"><bdi>\(path.display.escapedForHTML)</bdi></a>"
    }
    return html + "</details>"
  }

  private var noteLine: String { note.isEmpty ? "" : "<small>\(note.escapedForHTML)</small>" }

  private var name: String {
    String(decoding: asset.path.lastComponent, as: UTF8.self)
  }

  /// The text for screen readers: its kinds, title and description.
  private var alternative: String {
    let kind = asset.mediaType == .image ? "Photo" : "Video"
    let words =
      [kind] + kinds.map(\.spoken)
      + [asset.duration.map(humanDuration), stackedCount.map { "\($0) with the same content" }]
      .compactMap(\.self)
    let text = asset.title ?? asset.caption
    return words.joined(separator: ", ") + (text.map { ": \($0.prefix(200))" } ?? "")
  }

  /// They are in the alternative text too.
  private var badges: String {
    var badges = stackedCount.map { "<b>×\(humanCount($0))</b>" } ?? ""
    badges += kinds.map { "<b>\($0.badge)</b>" }.joined()
    if asset.mediaType == .video {
      badges += "<b class=\"length\">▶\u{FE0E} \(asset.duration.map(humanDuration) ?? "")</b>"
    }
    return badges.isEmpty ? "" : "<span class=\"badges\" aria-hidden=\"true\">\(badges)</span>"
  }

  /// How many assets have this tile; nil for one.
  private var stackedCount: Int? { copies.isEmpty ? nil : copies.count + 1 }

  private var time: String {
    guard let wall = asset.captureWall else { return "" }
    let time = CivilTime(millisecondsSince1970: wall)
    return "<time datetime=\"\(time.iso8601)\">\(time.text(under: heading))</time>"
  }

  private var kinds: [SheetKind] {
    SheetKind.all.filter { asset.subtypes.contains($0.subtype) }
  }
}

/// Why something has no picture, as one sentence.
struct SheetGap: Error {
  let reason: String
}

/// How a kind is marked.
private struct SheetKind {
  let subtype: MediaModel::MediaSubtypes
  let badge: String
  let spoken: String

  static let all = [
    SheetKind(subtype: .livePhoto, badge: "Live", spoken: "live photo"),
    SheetKind(subtype: .motionPhoto, badge: "Motion", spoken: "motion photo"),
    SheetKind(subtype: .screenshot, badge: "Screenshot", spoken: "screenshot"),
    SheetKind(subtype: .screenRecording, badge: "Recording", spoken: "screen recording"),
    SheetKind(subtype: .burst, badge: "Burst", spoken: "burst"),
    SheetKind(subtype: .panorama, badge: "Panorama", spoken: "panorama"),
    SheetKind(subtype: .depthEffect, badge: "Portrait", spoken: "depth effect"),
    SheetKind(subtype: .cinematic, badge: "Cinematic", spoken: "cinematic"),
    SheetKind(subtype: .slomo, badge: "Slo-mo", spoken: "slow motion"),
    SheetKind(subtype: .timelapse, badge: "Time-lapse", spoken: "time-lapse"),
    SheetKind(subtype: .spatial, badge: "Spatial", spoken: "spatial"),
    SheetKind(subtype: .hdr, badge: "HDR", spoken: "high dynamic range"),
    SheetKind(subtype: .raw, badge: "RAW", spoken: "RAW"),
    SheetKind(subtype: .edited, badge: "Edited", spoken: "edited"),
  ]
}
