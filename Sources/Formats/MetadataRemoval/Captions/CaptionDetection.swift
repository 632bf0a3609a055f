import ByteReading
import MediaFormats

/// Decides by their names which fields of metadata are captions: texts that people or programs wrote about the
/// content, such as titles, descriptions, headlines, alternative texts and comments.
///
/// Keywords, names of people and rights are not captions, as in PhotoKit.
enum CaptionDetection {
  /// Names of fields in all formats, in lower case, without the prefix of their schema and without spaces.
  private static let names: Set<String> = [
    "title", "displayname", "headline", "subtitle", "caption", "captionabstract", "description",
    "shortdescription", "longdescription", "storedescription", "summary", "synopsis", "information",
    "comment", "comments", "usercomment", "logcomment", "notes", "imagedescription", "imagetitle",
    "objectname", "documentname", "pagename", "xptitle", "xpcomment", "xpsubject",
    "alttext", "alternativetext", "alttextaccessibility", "extdescraccessibility", "aotitle",
    "aocontentdescription", "aophysicaldescription",
  ]

  /// Four-character codes of QuickTime's and iTunes' metadata, and of 3GPP's user data.
  private static let codes: Set<String> = [
    "©nam", "©des", "©cmt", "©inf", "©st3", "desc", "ldes", "sdes", "titl", "dscp", "name", "tnam",
  ]

  /// Tags of RIFF's `INFO` list: title, comment, subject.
  static let informationTags: Set<FourCC> = ["INAM", "ICMT", "ISBJ"]

  /// Whether an XMP property is a caption. `rdf:Description` and `exif:DeviceSettingDescription` are not.
  static func isCaption(_ property: XMLName) -> Bool {
    guard property.namespace != XMPNamespace.rdf else { return false }
    let name = property.local.lowercased()
    return names.contains(name)
      || property.namespace != XMPNamespace.exif
        && ["description", "headline", "caption", "comment"].contains { name.hasSuffix($0) }
  }

  /// Whether the keyword of a PNG's text chunk is that of a caption, such as `Description`, ImageMagick's `label` or
  /// `exif:ImageDescription`.
  static func isCaption(keyword: String) -> Bool {
    isCaption(key: keyword) || keyword.lowercased() == "label"
  }

  /// Whether a key of QuickTime or iTunes metadata, such as `com.apple.quicktime.title`, or the name of a Matroska tag is
  /// that of a caption.
  static func isCaption(key: String) -> Bool {
    if codes.contains(key) { return true }
    let last = key.split(whereSeparator: { $0 == "." || $0 == ":" }).last ?? ""
    let name = last.lowercased().filter { $0.isLetter || $0.isNumber }
    // XMP has keywords under this name, other formats a description of the content.
    return names.contains(name) || name == "subject"
  }
}
