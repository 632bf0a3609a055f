// LibraryFacts: the facts of files that only a library of `shoebox-codec` can read.
//
// FactReading reads most files itself and throws NeedsCodec for the others. The readers here return the same values, so
// that FactReading's rules apply to both.
package import FactReading
import MediaFormats

extension CodecReaders {
  /// The readers of this module.
  package static let libraries = CodecReaders(
    picture: { type, source in
      type.format == HEIFFormat.self ? try PictureReading(libHeif: source) : nil
    },
    movie: { type, source in try MovieReading(ffmpeg: source, type) })
}
