// ProbeWorker: how `shoebox-probe` answers requests.
//
// It reads facts in memory-safe Swift, and of C only libexif, so it starts in a few milliseconds. It passes on the files
// that only a library of `shoebox-codec` can read.
import FactReading
import Linux
import MediaModel
package import WorkerProcess
import WorkerProtocol

extension WorkerProgram {
  /// The program `shoebox-probe`.
  package static var shoeboxProbe: WorkerProgram {
    WorkerProgram(
      name: "shoebox-probe",
      purpose: "Reads the facts of pictures and videos for shoebox.",
      isWriting: false
    ) { request, files, send in
      switch request {
      case .probe(let names):
        for (name, file) in zip(names, files) { try send(probe(file, name: name)) }
      case .inspect(let name):
        for file in files { try send(inspect(file, name: name)) }
      case .digest(let names):
        for (name, file) in zip(names, files) {
          try send(digest(file, name: name) { try send(DigestReply.working) })
        }
      case .describe: try send(ProgramDescription(libraries: [], codecs: []))
      case .selfTest: break  // The message loop answers it.
      case .examine, .render, .thumbnails: throw WireError.otherProgram
      }
    }
  }
}
