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
    // What is wrong with a preset concerns all that extend it, and is said once.
    var known: Set<PresetProblem> = []
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
        do {
          presets.append(try assembly.preset(written))
        } catch {
          if known.insert(error).inserted { problems.append(error) }
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
    if found.isEmpty { throw unknown(name, nil) }
    return found
  }

  private func usable(_ name: String, _ kind: PresetKind) throws(PresetChoiceError) -> Preset {
    // A file with a mistake must not leave its name to the preset that it replaces.
    let wanted = PresetReference(kind: kind, key: WrittenPreset.key(name, kind))
    let mistakes = problems.filter { $0.presets.contains(wanted) }
    if !mistakes.isEmpty { throw .faulty(mistakes) }
    guard let preset = preset(name, kind) else { throw unknown(name, kind) }
    if let reason = preset.header.unavailable {
      throw .unavailable(preset.header.name, reason)
    }
    return preset
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
      "\(problems.first?.file ?? ""): " + problems.map(\.mistake).joined(separator: "; ")
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

extension VideoPreset {
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
  private typealias Values = [String: JSONValue]

  /// The presets that may be used or extended, each in the place of the shipped one it replaces.
  let all: [WrittenPreset]
  private let own: [WrittenPreset]
  private let shippedNames: [String]
  private let shipped: [String: WrittenPreset]
  private let ownByKey: [String: WrittenPreset]
  private let ownPlaces: Set<WrittenPreset.Place>
  /// What presets say, over what they extend says, or why they cannot.
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

  mutating func preset(_ written: WrittenPreset) throws(PresetProblem) -> Preset {
    let values = try values(of: written).get()
    let settings = PresetSchema.keys(of: written.kind).map { key in
      PresetSetting(key: key.name, value: values[key.name] ?? key.standard)
    }
    let header = PresetHeader(
      name: written.name, aliases: written.aliases, description: written.description,
      unavailable: written.unavailable, origin: written.file, settings: settings)
    switch written.kind {
    case .image:
      let preset = ImagePreset(header)
      if preset.format == .source, preset.colorSpace == .sRGB {
        throw written.problem(
          "the format source leaves colours as they are: write another format", key: "colorSpace")
      }
      return .image(preset)
    case .video:
      let preset = VideoPreset(header)
      if let (key, complaint) = preset.contradiction {
        throw written.problem(complaint, key: key)
      }
      return .video(preset)
    }
  }

  /// What a preset says, over what it extends says.
  private mutating func values(of written: WrittenPreset) -> Result<Values, PresetProblem> {
    // From the preset to what is known, without recursion: a chain may be longer than the stack.
    var chain = [written]
    var places = [written.place: 0]
    while values[chain[chain.count - 1].place] == nil {
      let last = chain[chain.count - 1]
      guard let name = last.extended else {
        values[last.place] = .success(last.values)
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
    var result = Result<Values, PresetProblem>.success([:])
    for preset in chain.reversed() {
      let inherited = result
      result =
        values[preset.place] ?? inherited.map { $0.merging(preset.values) { $1 } }
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
