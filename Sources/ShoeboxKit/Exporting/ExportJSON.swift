import Exporter
import MediaEdits
package import MediaModel

// An item of the manifest, with the keys of PhotoKit's picker (`UIImagePickerController.InfoKey`).

extension JSONWriter {
  /// Writes one item of an export.
  package mutating func value(_ line: ExportLine) {
    let asset = line.asset
    object { writer in
      writer.member("id", asset.identifier)
      writer.member("sourcePath", path: line.source)
      writer.member("mediaType", asset.mediaType.name)
      if let main = line.main {
        writer.member(asset.mediaType == .image ? "imageURL" : "mediaURL", main.fileURL)
      } else if let clip = line.clip {
        // The motion alone was asked for.
        writer.member("mediaURL", clip.fileURL)
      }
      writer.member("referenceURL", PhotoLibrary.referencePrefix + asset.identifier)
      writer.member("cropRect", line.crop)
      if let main = line.main, let clip = line.clip {
        writer.key("livePhoto")
        writer.object { writer in
          writer.member("imageURL", main.fileURL)
          writer.member("mediaURL", clip.fileURL)
        }
      }
      writer.resources(line.others)
      writer.mediaMetadata(line)
      writer.member("preset", line.preset)
      writer.member("action", line.action.rawValue)
      writer.member("changes", line.changes)
      writer.member("reasons", line.reasons)
      writer.member("notes", line.notes)
      writer.member("error", line.error)
    }
  }

  /// The results beyond the picture or video and its clip.
  private mutating func resources(_ resources: [(resource: ResourceType, path: BytePath)]) {
    guard !resources.isEmpty else { return }
    key("resources")
    array { writer in
      for resource in resources {
        writer.object { writer in
          writer.member("type", resource.resource.rawValue)
          writer.member("url", resource.path.fileURL)
        }
      }
    }
  }

  private mutating func member(_ name: String, _ crop: CropRect?) {
    guard let crop else { return }
    key(name)
    object { writer in
      writer.member("x", crop.x)
      writer.member("y", crop.y)
      writer.member("width", crop.width)
      writer.member("height", crop.height)
    }
  }

  /// Metadata from the catalog that the result may contain too.
  private mutating func mediaMetadata(_ line: ExportLine) {
    let asset = line.asset
    let policy = line.metadata
    guard policy != .appearanceOnly,
      asset.captureDate != nil || !asset.camera.isEmpty
        || asset.location != nil
    else { return }
    key("mediaMetadata")
    object { writer in
      writer.member("captureDate", asset.captureDate)
      if !policy.contains(.withoutLocation), let location = asset.location {
        writer.key("location")
        writer.object { writer in
          writer.member("latitude", location.latitude)
          writer.member("longitude", location.longitude)
          writer.member("altitude", location.altitude)
        }
      }
      writer.member("make", asset.camera.make)
      writer.member("model", asset.camera.model)
      writer.member("lens", asset.camera.lens)
    }
  }
}
