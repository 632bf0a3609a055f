import MediaEdits
import MediaModel

// How the facts for a result's metadata are encoded; see ValueCoding.swift for the rules.

extension WireWriter {
  mutating func write(_ facts: CatalogFacts) {
    write(optional: facts.captureTime) { $0.write($1) }
    write(optional: facts.location) { $0.write($1) }
    write(list: facts.albums) { $0.write($1) }
    write(text: facts.title)
    write(text: facts.caption)
    write(list: facts.keywords) { $0.write($1) }
    write(list: facts.people) { $0.write($1) }
    write(text: facts.originalName)
    write(optional: facts.rating) { $0.write($1) }
    write(facts.isFavorite)
    write(text: facts.label)
    write(optional: facts.pick?.rawValue) { $0.write($1) }
    write(list: facts.keywordPaths) { $0.write($1) }
    write(Int(facts.replacing.rawValue))
  }
}

extension WireReader {
  mutating func catalogFacts() throws(WireError) -> CatalogFacts {
    var facts = CatalogFacts()
    facts.captureTime = try captureTime()
    facts.location = try location()
    facts.albums = try texts()
    facts.title = try text()
    facts.caption = try text()
    facts.keywords = try texts()
    facts.people = try texts()
    facts.originalName = try text()
    facts.rating = try optionalInteger()
    facts.isFavorite = try bool()
    facts.label = try text()
    facts.pick = try optionalInteger().flatMap(Pick.init(rawValue:))
    facts.keywordPaths = try texts()
    facts.replacing = SidecarValues(rawValue: UInt16(truncatingIfNeeded: try integer()))
    return facts
  }
}
