import MediaModel

@testable import Recognition

/// A single file with few facts, for tables of labels.
func subject(
  _ name: String, folders: [String] = [], type: UniformType = .png,
  size: PixelSize = PixelSize(width: 800, height: 600), clues: [String] = [],
  _ change: (inout MediaFacts) -> Void = { _ in }
) -> RecognitionSubject {
  var facts = MediaFacts(mediaType: type.mediaType ?? .image, uniformType: type)
  facts.pixelSize = size
  facts.clues = clues.map { Clue(line: $0) }
  change(&facts)
  return RecognitionSubject(
    facts: facts, name: Array(name.utf8), folders: folders.map { Array($0.utf8) })
}

/// The label of one kind that a file gets, given or nearly.
func label(_ subtype: MediaSubtypes, of subject: RecognitionSubject) -> Label? {
  subject.labels.first { $0.subtype == subtype }
}
