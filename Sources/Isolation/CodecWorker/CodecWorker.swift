// CodecWorker: how `shoebox-codec` answers requests.
//
// It is the only program that links libheif, FFmpeg, libtiff and TurboJPEG. It decodes and encodes, and reads the facts
// of files that `shoebox-probe` passes on.
import FFmpeg
import FactReading
import LibHeif
import LibraryFacts
import Linux
import MediaMaking
import MediaModel
package import WorkerProcess
import WorkerProtocol

extension WorkerProgram {
  /// The program `shoebox-codec`.
  package static var shoeboxCodec: WorkerProgram {
    WorkerProgram(
      name: "shoebox-codec",
      purpose: "Decodes and encodes pictures and videos for shoebox.",
      isWriting: true,
      warmUp: { _ = ProgramDescription.ofThisProcess }
    ) { request, files, send in
      switch request {
      case .probe(let names):
        for (name, file) in zip(names, files) {
          try send(probe(file, name: name, readers: .libraries))
        }
      case .describe: try send(ProgramDescription.ofThisProcess)
      case .inspect(let name):
        for file in files { try send(inspect(file, name: name, readers: .libraries)) }
      case .digest(let names):
        for (name, file) in zip(names, files) {
          try send(digest(file, name: name) { try send(DigestReply.working) })
        }
      case .examine(let items):
        for (item, file) in zip(items, files) { try send(examine(item, file)) }
      case .render(let steps):
        for (index, step) in steps.enumerated() {
          let reply = render(step, from: files[index * 2], to: files[index * 2 + 1]) {
            try send(RenderReply.working(position: $0))
          }
          try send(reply)
        }
      case .thumbnails(let items, let longerSide):
        for (item, file) in zip(items, files) {
          try send(thumbnail(item, file, longerSide: longerSide))
        }
      case .selfTest: break  // The message loop answers it.
      }
    }
  }
}

extension ProgramDescription {
  /// The libraries and codecs of this build. libheif loads its plugins for it.
  static var ofThisProcess: ProgramDescription {
    ProgramDescription(
      libraries: ["libheif " + HeifLibrary.version, "FFmpeg " + AudioVideoLibrary.version],
      codecs: HeifLibrary.decoders.map { "picture decoder " + $0 }
        + AudioVideoLibrary.decoders.map { "video decoder " + $0 }
        + AudioVideoLibrary.encoders.map { "video encoder " + $0 }
        + AudioVideoLibrary.filters.map { "filter " + $0 })
  }
}
