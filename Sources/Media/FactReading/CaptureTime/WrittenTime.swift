import MediaFormats
import MediaModel

extension CaptureTime {
  /// The time with a tag that says so if Shoebox has written it and no device had recorded its zone.
  ///
  /// - Parameter packet: the file's XMP.
  func checked(_ packet: XMPPacket?) -> CaptureTime {
    guard let offsetMinutes, hasRecordedZone,
      packet?.value(XMPNamespace.shoebox, "CaptureTimeSource") != nil
    else { return self }
    return with(offsetMinutes: offsetMinutes, from: ZoneKnowledge.unrecorded)
  }
}
