package import MediaModel

/// A still or a clip that may be half of a live photo.
package struct PairingCandidate: Sendable, Hashable {
  /// The asset's row.
  package var id: Int64
  package var folderID: Int64
  /// The folder's full path, by which folders are put in an order that no catalog's row numbers decide.
  package var folderPath: BytePath
  package var name: [UInt8]
  package var mediaType: MediaType
  package var uniformType: UniformType
  /// Apple's identifier, shared by both halves.
  package var contentIdentifier: String?
  package var time: PairingTime?
  /// The camera's, as the file has it.
  package var cameraModel: String?
  /// Seconds; only for clips.
  package var duration: Double?
  /// Bytes of the file.
  package var size: Int64
  /// Bytes of the motion clip that a still holds.
  package var embeddedClipLength: Int64?
  /// Whether the clip has a track that marks the still's moment, as only live photos' clips have.
  package var marksStillTime: Bool

  package init(
    id: Int64, folderID: Int64, folderPath: BytePath = BytePath(""), name: [UInt8],
    mediaType: MediaType, uniformType: UniformType, contentIdentifier: String? = nil,
    time: PairingTime? = nil, cameraModel: String? = nil, duration: Double? = nil,
    size: Int64 = 0, embeddedClipLength: Int64? = nil, marksStillTime: Bool = false
  ) {
    self.id = id
    self.folderID = folderID
    self.folderPath = folderPath
    self.name = name
    self.mediaType = mediaType
    self.uniformType = uniformType
    self.contentIdentifier = contentIdentifier
    self.time = time
    self.cameraModel = cameraModel
    self.duration = duration
    self.size = size
    self.embeddedClipLength = embeddedClipLength
    self.marksStillTime = marksStillTime
  }
}

extension PairingCandidate {
  /// Whether both name a camera, and not the same; one program may write more of a name than another.
  func isFromAnotherCamera(than other: PairingCandidate) -> Bool {
    guard let model = cameraModel?.lowercased(), let otherModel = other.cameraModel?.lowercased()
    else { return false }
    return !model.contains(otherModel) && !otherModel.contains(model)
  }
}
