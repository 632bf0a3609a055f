/// The values of an asset that its sidecars have set, and those among them that differ from the file's own.
package struct SidecarValues: OptionSet, Sendable, Hashable {
  package let rawValue: UInt16

  package init(rawValue: UInt16) {
    self.rawValue = rawValue
  }

  package static let captureTime = SidecarValues(rawValue: 1 << 0)
  package static let location = SidecarValues(rawValue: 1 << 1)
  package static let title = SidecarValues(rawValue: 1 << 2)
  package static let caption = SidecarValues(rawValue: 1 << 3)
  package static let rating = SidecarValues(rawValue: 1 << 4)
  package static let favorite = SidecarValues(rawValue: 1 << 5)
  package static let keywords = SidecarValues(rawValue: 1 << 6)
  package static let people = SidecarValues(rawValue: 1 << 7)
  package static let label = SidecarValues(rawValue: 1 << 11)
  package static let pick = SidecarValues(rawValue: 1 << 12)
  package static let keywordPaths = SidecarValues(rawValue: 1 << 13)

  // Values of an XMP sidecar in place of the file's own. Of the others the file has none.

  package static let replacedTitle = SidecarValues(rawValue: 1 << 8)
  package static let replacedCaption = SidecarValues(rawValue: 1 << 9)
  package static let replacedRating = SidecarValues(rawValue: 1 << 10)
  package static let replacedLabel = SidecarValues(rawValue: 1 << 14)
  package static let replacedPick = SidecarValues(rawValue: 1 << 15)
}
