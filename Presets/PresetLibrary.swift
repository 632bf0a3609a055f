import MediaEdits
package import MediaModel

/// All presets at hand: those that come with Shoebox, and a person's own beside or in place of them.
package struct PresetLibrary: Sendable {
  /// By kind, then in the order they were met: the shipped ones first.
  package private(set) var presets: [Preset] = []
  /// All that is wrong with a person's own files, in their order.
  package private(set) var problems: [PresetProblem] = []
  /// The presets that ``problems`` are about.
  private var faulty: Set<PresetReference> = []

  /// Puts presets together.
  ///
  /// A file of `own` may take the place of a shipped preset by having its name, and extend the one it
  /// replaces. The presets without mistakes can still be listed and used.
  package init(shipped: [PresetFile] = PresetFile.shipped, own: [PresetFile] = []) {
    let shipped = take(shipped)
    let own = take(own)
    // What is wrong with a preset concerns all that extend it, and is reported once.
    var known: [PresetProblem: Int] = Dictionary(
      problems.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    for kind in PresetKind.allCases {
      let replaced = Dictionary(grouping: own.filter { $0.kind == kind }, by: \.key)
      for (_, several) in replaced.sorted(by: { $0.key < $1.key }) where several.count > 1 {
        problems.append(
          several[1].problem(
            "'\(several[1].name)' is also in \(several[0].file): give one another name", key: "name"
          ))
      }
      var assembly = Assembly(
        shipped: shipped.filter { $0.kind == kind }, own: own.filter { $0.kind == kind })
      for written in assembly.all {
        let (preset, found) = assembly.preset(written)
        if let preset { presets.append(preset) }
        for problem in found {
          if let index = known[problem] {
            problems[index].presets.insert(written.reference)
          } else {
            known[problem] = problems.count
            problems.append(problem)
          }
        }
      }
      problems += assembly.takenAliases
    }
    faulty = problems.reduce(into: []) { $0.formUnion($1.presets) }
  }

  private mutating func take(_ files: [PresetFile]) -> [WrittenPreset] {
    files.flatMap { file in
      let (presets, mistakes) = file.read()
      problems += mistakes
      return presets
    }
  }

  /// Whether nothing is wrong with a preset.
  package func isWell(_ preset: Preset) -> Bool {
    let own = PresetReference(
      kind: preset.kind, key: WrittenPreset.key(preset.header.name, preset.kind))
    return !faulty.contains(own)
  }

  /// The image preset of this name.
  package func imagePreset(_ name: String) throws(PresetChoiceError) -> ImagePreset {
    guard case .image(let preset) = try usable(name, .image) else { throw unknown(name, .image) }
    return preset
  }

  /// The video preset of this name, with or without `AVAssetExportPreset` before it.
  package func videoPreset(_ name: String) throws(PresetChoiceError) -> VideoPreset {
    guard case .video(let preset) = try usable(name, .video) else { throw unknown(name, .video) }
    return preset
  }

  /// The presets that a name may mean, one of each kind at most, whether they can be used or not.
  package func presets(named name: String) throws(PresetChoiceError) -> [Preset] {
    let found = PresetKind.allCases.compactMap { preset(name, $0) }
    if found.isEmpty {
      let found = PresetKind.allCases.flatMap { mistakes(name, $0) }
      throw found.isEmpty ? unknown(name, nil) : .faulty(found)
    }
    return found
  }

  private func usable(_ name: String, _ kind: PresetKind) throws(PresetChoiceError) -> Preset {
    // A file with a mistake must not leave its name to the preset that it replaces.
    let found = mistakes(name, kind)
    if !found.isEmpty { throw .faulty(found) }
    guard let preset = preset(name, kind) else { throw unknown(name, kind) }
    if let reason = preset.header.unavailable {
      throw .unavailable(preset.header.name, reason)
    }
    return preset
  }

  /// All that is wrong with the preset of this name.
  private func mistakes(_ name: String, _ kind: PresetKind) -> [PresetProblem] {
    let wanted = PresetReference(kind: kind, key: WrittenPreset.key(name, kind))
    return problems.filter { $0.presets.contains(wanted) }
  }

  /// By its name; else by another of its names.
  private func preset(_ name: String, _ kind: PresetKind) -> Preset? {
    let key = WrittenPreset.key(name, kind)
    let candidates = presets.filter { $0.kind == kind }
    return candidates.first { WrittenPreset.key($0.header.name, kind) == key }
      ?? candidates.first { preset in
        preset.header.aliases.contains { WrittenPreset.key($0, kind) == key }
      }
  }

  private func unknown(_ name: String, _ kind: PresetKind?) -> PresetChoiceError {
    let other = PresetKind.allCases.first { $0 != kind && preset(name, $0) != nil }
    if kind != nil, let other { return .otherKind(name, other) }
    let names = presets.filter { kind == nil || $0.kind == kind }
      .flatMap { [$0.header.name] + $0.header.aliases }
    let what = kind.map { "\($0.rawValue) preset" } ?? "preset"
    return .unknown(
      UnknownWord(name, kind: what, among: names, remedy: "'shoebox presets' lists them"))
  }
}

/// Why a preset cannot be had.
package enum PresetChoiceError: Error, Sendable, Hashable, CustomStringConvertible {
  case unknown(UnknownWord)
  /// Its name, and what it is for instead.
  case otherKind(String, PresetKind)
  /// Its name, and why it cannot be used here.
  case unavailable(String, String)
  /// All mistakes in a person's own preset.
  case faulty([PresetProblem])

  package var description: String {
    switch self {
    case .unknown(let word): word.description
    case .otherKind(let name, .image): "'\(name)' is for pictures alone: --image-preset \(name)"
    case .otherKind(let name, .video): "'\(name)' is for videos alone: --video-preset \(name)"
    case .faulty(let problems):
      Set(problems.map(\.file)).count > 1
        ? problems.map(\.description).joined(separator: "; ")
        : "\(problems.first?.file ?? ""): " + problems.map(\.mistake).joined(separator: "; ")
    case .unavailable(let name, let reason): "the preset \(name) cannot be used: \(reason)"
    }
  }
}

extension WrittenPreset {
  /// What identifies a preset of one kind.
  static func key(_ name: String, _ kind: PresetKind) -> String {
    let key = name.lowercased()
    let prefix = "avassetexportpreset"
    return kind == .video && key.hasPrefix(prefix) && key.count > prefix.count
      ? String(key.dropFirst(prefix.count)) : key
  }

  fileprivate var key: String { Self.key(name, kind) }
}

extension ImagePreset {
  /// The keys that ``contradiction`` depends on.
  fileprivate static let decisiveKeys: Set = ["format", "colorSpace"]

  /// Why no picture can be made: the key to change, what is wrong and what to write; nil if pictures can be made.
  fileprivate var contradiction: (key: String, complaint: String)? {
    guard format == .source, colorSpace == .sRGB else { return nil }
    return ("colorSpace", "the format source leaves colours as they are: write another format")
  }
}

extension VideoPreset {
  /// The keys that ``contradiction`` depends on.
  fileprivate static let decisiveKeys: Set = ["codec", "audioCodec", "container"]

  /// Why no video can be made: the key to change, what is wrong and what to write; nil if videos can be made.
  fileprivate var contradiction: (key: String, complaint: String)? {
    if codec == .none, audioCodec == .none {
      return ("audioCodec", "\"none\" drops all that codec \"none\" leaves: write another codec")
    }
    if let container, container != .quickTime, let codec = movOnly {
      return ("container", "\(codec) needs a QuickTime movie: write \"mov\"")
    }
    // `codec_ipod_tags` of libavformat's movenc.c
    switch container {
    case .m4a where codec != .none:
      return ("container", "an M4A file has no video track: write \"mp4\", or codec \"none\"")
    case .m4v where codec == .encoded(.hevc):
      return ("container", "an M4V file cannot contain HEVC: write \"mp4\"")
    default: return nil
    }
  }

  /// What it makes that only QuickTime's container can hold; nil if it makes nothing of that kind.
  private var movOnly: String? {
    if [.encoded(.proRes422), .encoded(.proRes4444)].contains(codec) { return "ProRes" }
    return audioCodec == .encoded(.pcm) ? "PCM" : nil
  }
}

/// Presets of one kind, put together with what they extend. A file may have thousands that extend each other, so nothing is
/// looked for twice.
private struct Assembly {
  /// What a preset has, over what it extends has.
  private struct Values {
    var values: [String: JSONValue] = [:]
    /// The keys whose values have mistakes, and are not in ``values``.
    var faultyKeys: Set<String> = []
    /// Why the preset cannot be used: a mistake of its own, or of one that it extends.
    var mistake: PresetProblem?

    mutating func merge(_ preset: WrittenPreset) {
      values.merge(preset.values) { $1 }
      faultyKeys.subtract(preset.values.keys)
      faultyKeys.formUnion(preset.mistakes.compactMap(\.key))
      mistake = preset.mistakes.first ?? mistake
    }

    func merging(_ preset: WrittenPreset) -> Values {
      var merged = self
      merged.merge(preset)
      return merged
    }
  }

  /// The presets that may be used or extended, each in the place of the shipped one it replaces.
  let all: [WrittenPreset]
  private let own: [WrittenPreset]
  private let shippedNames: [String]
  private let shipped: [String: WrittenPreset]
  private let ownByKey: [String: WrittenPreset]
  private let ownPlaces: Set<WrittenPreset.Place>
  /// What presets have, over what they extend has, or why that is unknown.
  private var values: [WrittenPreset.Place: Result<Values, PresetProblem>] = [:]

  init(shipped: [WrittenPreset], own: [WrittenPreset]) {
    func byKey(_ presets: [WrittenPreset]) -> [String: WrittenPreset] {
      Dictionary(presets.map { ($0.key, $0) }) { first, _ in first }
    }
    let (shippedByKey, ownByKey) = (byKey(shipped), byKey(own))
    all =
      shipped.map { ownByKey[$0.key] ?? $0 } + own.filter { shippedByKey[$0.key] == nil }
    self.own = own
    self.shipped = shippedByKey
    self.ownByKey = ownByKey
    shippedNames = shipped.map(\.name)
    ownPlaces = Set(own.map(\.place))
  }

  /// Further names of a person's presets that others have already.
  var takenAliases: [PresetProblem] {
    // Two are enough: one of them is another than the one that is looked at.
    var owners: [String: [WrittenPreset]] = [:]
    for preset in all {
      for name in [preset.name] + preset.aliases {
        let key = WrittenPreset.key(name, preset.kind)
        let known = owners[key, default: []]
        if known.count < 2, known.last?.place != preset.place { owners[key] = known + [preset] }
      }
    }
    return own.flatMap { preset in
      preset.aliases.compactMap { alias in
        let key = WrittenPreset.key(alias, preset.kind)
        return owners[key]?.first { $0.place != preset.place }.map {
          preset.problem(
            "'\(alias)' is a name of \($0.name) already: choose another", key: "aliases")
        }
      }
    }
  }

  /// A preset, or why it cannot be used.
  mutating func preset(_ written: WrittenPreset) -> (preset: Preset?, problems: [PresetProblem]) {
    let known: Values
    switch values(of: written) {
    case .success(let values): known = values
    case .failure(let problem): return (nil, [problem])
    }
    let settings = PresetSchema.keys(of: written.kind).map { key in
      PresetSetting(key: key.name, value: known.values[key.name] ?? key.standard)
    }
    let header = PresetHeader(
      name: written.name, aliases: written.aliases, description: written.description,
      unavailable: written.unavailable, origin: written.file, settings: settings)
    let preset: Preset
    let contradiction: (key: String, complaint: String)?
    let decisiveKeys: Set<String>
    switch written.kind {
    case .image:
      let image = ImagePreset(header)
      preset = .image(image)
      (contradiction, decisiveKeys) = (image.contradiction, ImagePreset.decisiveKeys)
    case .video:
      let video = VideoPreset(header)
      preset = .video(video)
      (contradiction, decisiveKeys) = (video.contradiction, VideoPreset.decisiveKeys)
    }
    var problems = known.mistake.map { [$0] } ?? []
    // A value with a mistake may be the one that removes the contradiction.
    if let contradiction, known.faultyKeys.isDisjoint(with: decisiveKeys) {
      problems.append(written.problem(contradiction.complaint, key: contradiction.key))
    }
    return (problems.isEmpty ? preset : nil, problems)
  }

  /// What a preset has, over what it extends has.
  private mutating func values(of written: WrittenPreset) -> Result<Values, PresetProblem> {
    // From the preset to what is known, without recursion: a chain may be longer than the stack.
    var chain = [written]
    var places = [written.place: 0]
    while values[chain[chain.count - 1].place] == nil {
      let last = chain[chain.count - 1]
      guard let name = last.extended else {
        values[last.place] = .success(Values().merging(last))
        break
      }
      switch base(name, of: last) {
      case .failure(let problem): values[last.place] = .failure(problem)
      case .success(let base):
        if let first = places[base.place] {
          for member in chain[first...] {
            values[member.place] = .failure(
              member.problem(
                "'\(member.extended ?? name)' extends this one: remove one of the two",
                key: "extends"))
          }
          break
        }
        places[base.place] = chain.count
        chain.append(base)
      }
    }
    var result = Result<Values, PresetProblem>.success(Values())
    for preset in chain.reversed() {
      let inherited = result
      result =
        values[preset.place] ?? inherited.map { $0.merging(preset) }
      values[preset.place] = result
    }
    return result
  }

  private func base(
    _ name: String, of written: WrittenPreset
  ) -> Result<WrittenPreset, PresetProblem> {
    let key = WrittenPreset.key(name, written.kind)
    // A preset of the same name extends the one that it replaces.
    let extendsOwn = key != written.key && ownPlaces.contains(written.place)
    if let base = (extendsOwn ? ownByKey[key] : nil) ?? shipped[key] { return .success(base) }
    let known = UnknownWord(
      name, kind: "\(written.kind.rawValue) preset",
      among: (extendsOwn ? own.prefix(Self.comparedNames).map(\.name) : []) + shippedNames,
      remedy: "'shoebox presets' lists them")
    return .failure(written.problem(known.description, key: "extends"))
  }

  /// The presets of a person that an unknown name is compared with.
  private static let comparedNames = 100
}
