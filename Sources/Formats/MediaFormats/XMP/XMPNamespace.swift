/// The namespace URIs of the schemas that are read. Prefixes can differ between packets; the URIs do not.
package enum XMPNamespace {
  /// Shoebox's own. Its property `CaptureTimeSource` is the source of a capture time that Shoebox has written and whose zone
  /// no device has recorded, as in the catalog: such a zone is no evidence for other files.
  package static let shoebox = "urn:shoebox:xmp:1.0/"
  package static let rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
  package static let xml = "http://www.w3.org/XML/1998/namespace"
  package static let xmpMeta = "adobe:ns:meta/"
  package static let dublinCore = "http://purl.org/dc/elements/1.1/"
  package static let xmp = "http://ns.adobe.com/xap/1.0/"
  package static let photoshop = "http://ns.adobe.com/photoshop/1.0/"
  package static let exif = "http://ns.adobe.com/exif/1.0/"
  package static let exifEX = "http://cipa.jp/exif/1.0/"
  package static let tiff = "http://ns.adobe.com/tiff/1.0/"
  package static let auxiliary = "http://ns.adobe.com/exif/1.0/aux/"
  package static let cameraRaw = "http://ns.adobe.com/camera-raw-settings/1.0/"
  package static let lightroom = "http://ns.adobe.com/lightroom/1.0/"
  package static let digiKam = "http://www.digikam.org/ns/1.0/"
  package static let darktable = "http://darktable.sf.net/"
  /// `xmpDM`, in which Lightroom has its flags.
  package static let dynamicMedia = "http://ns.adobe.com/xmp/1.0/DynamicMedia/"
  /// `MicrosoftPhoto`, in which Windows has hierarchical keywords. Some programs write it without the slash.
  package static let microsoftPhoto = [
    "http://ns.microsoft.com/photo/1.0/", "http://ns.microsoft.com/photo/1.0",
  ]
  package static let iptcExtension = "http://iptc.org/std/Iptc4xmpExt/2008-02-29/"
  /// The regions of the Metadata Working Group.
  package static let regions = "http://www.metadataworkinggroup.com/schemas/regions/"
  /// Windows' regions.
  package static let microsoftRegions = "http://ns.microsoft.com/photo/1.2/"
  package static let fStop = "http://www.fstopapp.com/xmp/"
  package static let panorama = "http://ns.google.com/photos/1.0/panorama/"
  package static let camera = "http://ns.google.com/photos/1.0/camera/"
  package static let xiaomiCamera = "http://ns.xiaomi.com/photos/1.0/camera/"
  package static let dynamicDepthDevice = "http://ns.google.com/photos/dd/1.0/device/"
  package static let container = "http://ns.google.com/photos/1.0/container/"
  package static let containerItem = "http://ns.google.com/photos/1.0/container/item/"
  package static let depthMap = "http://ns.google.com/photos/1.0/depthmap/"
  /// `GImage`, in which Google's camera has the picture without its blur.
  package static let originalImage = "http://ns.google.com/photos/1.0/image/"
  /// The start of the schemas of Dynamic Depth, which describe pictures after the end of a JPEG.
  package static let dynamicDepth = "http://ns.google.com/photos/dd/1.0/"
  package static let hdrGainMap = "http://ns.adobe.com/hdr-gain-map/1.0/"
  package static let applePixelData = "http://ns.apple.com/pixeldatainfo/1.0/"
  package static let appleHDRGainMap = "http://ns.apple.com/HDRGainMap/1.0/"
}
