import ByteReading
import MediaEdits
import MediaFormats
import MetadataRemoval

/// The XMP of a motion photo (Motion Photo format 1.0, "Camera metadata" and "Container metadata").
enum LivePhotoXMP {
  /// A file that follows the picture, other than the clip, such as a gain map.
  struct Item: Hashable {
    var mime: String
    var semantic: String
    var length: UInt64
  }

  /// The items of a packet's directory that stay if the clip does not.
  static func items(of packet: [UInt8]) -> [Item] {
    (XMPPacket(packet)?.containerItems ?? []).dropFirst().compactMap { item in
      guard let mime = item.mime, let semantic = item.semantic, semantic != "MotionPhoto",
        mime.utf8.allSatisfy(isPlain), semantic.utf8.allSatisfy(isPlain)
      else { return nil }
      return Item(mime: mime, semantic: semantic, length: item.length)
    }
  }

  /// A packet without what it says of a clip, and with a new directory.
  ///
  /// - Parameters:
  ///   - items: that follow the picture.
  ///   - padding: bytes between the picture and the next item.
  ///   - moment: of the still in the clip, in microseconds, for a motion photo; nil for a picture without a clip.
  /// - Returns: nil for a packet that is not well-formed.
  static func changed(
    _ packet: [UInt8], items: [Item], padding: UInt64, moment: Int64?
  ) -> [UInt8]? {
    guard let cleared = XMPRedaction.blank(packet, where: { name, _ in isAboutClip(name) })
    else { return nil }
    guard let description = description(items: items, padding: padding, moment: moment) else {
      return cleared
    }
    return XMPPatch.appending(description, to: cleared)
  }

  /// A packet of its own with the description of a motion photo.
  static func newPacket(items: [Item], padding: UInt64, moment: Int64) -> [UInt8] {
    XMPPatch.packet(with: description(items: items, padding: padding, moment: moment) ?? [])
  }

  private static func isAboutClip(_ name: XMLName) -> Bool {
    name.namespace == XMPNamespace.container && name.local == "Directory"
      || name.namespace == XMPNamespace.camera
        && (name.local.hasPrefix("MotionPhoto") || name.local.hasPrefix("MicroVideo")
          || name.local == "Directory")
  }

  /// Letters, digits and the few others of types, which need no escape.
  private static func isPlain(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
      || Array("/+-._:".utf8).contains(byte)
  }

  /// Nil if there is nothing to describe.
  private static func description(
    items: [Item], padding: UInt64, moment: Int64?
  ) -> [UInt8]? {
    guard moment != nil || !items.isEmpty else { return nil }
    var text =
      #"<rdf:Description xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" rdf:about="""#
      + " xmlns:Container=\"\(XMPNamespace.container)\" xmlns:Item=\"\(XMPNamespace.containerItem)\""
    if let moment {
      text += " xmlns:GCamera=\"\(XMPNamespace.camera)\" GCamera:MotionPhoto=\"1\""
      text += " GCamera:MotionPhotoVersion=\"1\""
      text += " GCamera:MotionPhotoPresentationTimestampUs=\"\(moment)\""
    }
    text += "><Container:Directory><rdf:Seq>"
    text += item("image/jpeg", #"Item:Semantic="Primary" Item:Length="0""#, padding: padding)
    for other in items {
      let length = #"Item:Semantic="\#(other.semantic)" Item:Length="\#(other.length)""#
      text += item(other.mime, length, padding: 0)
    }
    if moment != nil {
      let blanks = LivePhotoPart.lengthWidth - LivePhotoPart.openLength.utf8.count
      let length = LivePhotoPart.openLength + String(repeating: " ", count: blanks)
      text += item("video/mp4", length, padding: 0)
    }
    return Array((text + "</rdf:Seq></Container:Directory></rdf:Description>").utf8)
  }

  private static func item(_ mime: String, _ length: String, padding: UInt64) -> String {
    #"<rdf:li rdf:parseType="Resource"><Container:Item Item:Mime="\#(mime)" "# + length
      + #" Item:Padding="\#(padding)"/></rdf:li>"#
  }
}
