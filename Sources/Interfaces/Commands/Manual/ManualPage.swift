import Terminal

/// The manual page of one command, in the macros of man(7).
struct ManualPage {
  let command: CommandDescription

  /// The page's name, such as `shoebox-roots-move`.
  var name: String { command.words.joined(separator: "-") }

  /// `shoebox-roots-move.1`.
  var fileName: String { name + ".1" }

  /// The page's source. The same command always gives the same bytes.
  var text: String {
    var page = Roff()
    page.macro("TH", name.uppercased(), "1", "", "shoebox \(shoeboxVersion)", "Shoebox")
    // No hyphenation and no stretched lines, since readers copy words from here.
    page.request("nh")
    page.request("ad l")
    page.macro("SH", "NAME")
    page.line(Roff.literal(name) + " \\- " + Roff.escaped(abstract))
    page.macro("SH", "SYNOPSIS")
    page.line(synopsis)
    describe(on: &page)
    listSubcommands(on: &page)
    listArguments(on: &page)
    tellSurroundings(on: &page)
    return page.text
  }

  /// The abstract without its full stop, as in `apropos`.
  private var abstract: String {
    let abstract = command.abstract ?? ""
    return abstract.hasSuffix(".") ? String(abstract.dropLast()) : abstract
  }

  private var synopsis: String {
    let words = "\\fB" + Roff.literal(command.words.joined(separator: " ")) + "\\fR"
    guard command.shownSubcommands.isEmpty else {
      let word = "\\fIcommand\\fR"
      return words + " " + (command.defaultSubcommand == nil ? word : "[" + word + "]")
    }
    let positionals = shownArguments.filter { $0.kind == .positional }.map { argument in
      let value =
        "\\fI" + Roff.literal(argument.valueName ?? "") + "\\fR"
        + (argument.isRepeating ? " ..." : "")
      return argument.isOptional ? "[" + value + "]" : value
    }
    return ([words] + positionals + ["[\\fIoptions\\fR]"]).joined(separator: " ")
  }

  private var shownArguments: [ArgumentDescription] {
    (command.arguments ?? []).filter(\.shouldDisplay)
  }

  /// The help's discussion, then its examples, which are indented lines in the help.
  private func describe(on page: inout Roff) {
    let lines = (command.discussion ?? "").split(separator: "\n", omittingEmptySubsequences: false)
    let examples = lines.filter { $0.hasPrefix("  ") }.map { $0.dropFirst(2) }
    let prose = lines.filter { !$0.hasPrefix("  ") }.split { $0.isEmpty }
    page.macro("SH", "DESCRIPTION")
    page.line(Roff.escaped(command.abstract ?? ""))
    for paragraph in prose {
      page.macro("PP")
      for line in paragraph { page.line(Roff.escaped(String(line))) }
    }
    guard !examples.isEmpty else { return }
    page.macro("SH", "EXAMPLES")
    page.request("nf")
    for example in examples { page.line(Roff.literal(String(example))) }
    page.request("fi")
  }

  private func listSubcommands(on page: inout Roff) {
    guard !command.shownSubcommands.isEmpty else { return }
    page.macro("SH", "COMMANDS")
    for subcommand in command.shownSubcommands {
      page.macro("TP")
      page.line("\\fB" + Roff.literal(subcommand.words.joined(separator: " ")) + "\\fR")
      page.line(Roff.escaped(subcommand.abstract ?? ""))
    }
  }

  /// The help's own headings, in its order: the command's options, then the global ones.
  private func listArguments(on page: inout Roff) {
    let titles = shownArguments.reduce(into: [String?]()) { titles, argument in
      if !titles.contains(argument.sectionTitle) { titles.append(argument.sectionTitle) }
    }
    guard !titles.isEmpty else { return }
    page.macro("SH", "OPTIONS")
    for title in titles.filter({ $0 == nil }) + titles.filter({ $0 != nil }) {
      if let title { page.macro("SS", title) }
      for argument in shownArguments where argument.sectionTitle == title {
        page.macro("TP")
        page.line(argument.term)
        page.line(Roff.escaped(argument.explanation))
      }
    }
  }

  private func tellSurroundings(on page: inout Roff) {
    page.macro("SH", "ENVIRONMENT")
    for (name, meaning) in [
      ("SHOEBOX_CATALOG", "The catalog's file, if --catalog is not given."),
      ("SHOEBOX_CODEC", "The program shoebox-codec, if it is not next to shoebox."),
      ("SHOEBOX_PROBE", "The program shoebox-probe, if it is next to neither of them."),
      (
        "SHOEBOX_FILE_TIMEOUT",
        """
        Seconds that reading one file may take, or that the making of one may be silent; 20 and 120 \
        unless set.
        """
      ),
      ("NO_COLOR", "Disables colours if set to any value."),
    ] {
      page.macro("TP")
      page.line("\\fB" + name + "\\fR")
      page.line(Roff.escaped(meaning))
    }
    page.macro("SH", "EXIT STATUS")
    for status in ExitStatus.allCases {
      page.macro("TP")
      page.line("\\fB\(status.rawValue)\\fR")
      page.line(Roff.escaped(status.meaning))
    }
    let others = related.map { "\\fB" + Roff.literal($0) + "\\fR(1)" }
    guard !others.isEmpty else { return }
    page.macro("SH", "SEE ALSO")
    page.line(others.joined(separator: ",\n"))
  }

  /// The pages above and below this one.
  private var related: [String] {
    let above = command.words.indices.dropFirst().map {
      command.words[..<$0].joined(separator: "-")
    }
    return above + command.shownSubcommands.map { ManualPage(command: $0).name }
  }
}

extension ArgumentDescription {
  /// `--under dir`, as the head of a list item.
  fileprivate var term: String {
    let value = "\\fI" + Roff.literal(valueName ?? "") + "\\fR"
    guard kind != .positional else { return value }
    let names = (names ?? []).map { "\\fB" + Roff.literal($0.text) + "\\fR" }
    return names.joined(separator: ", ") + (kind == .option ? " " + value : "")
  }

  /// An option's description, its values and its default.
  fileprivate var explanation: String {
    var sentences = [abstract, discussion].compactMap { $0 }
    if let allValues, kind == .option {
      sentences.append("Values: " + allValues.joined(separator: ", ") + ".")
    }
    if let defaultValue { sentences.append("Default: \(defaultValue).") }
    return sentences.joined(separator: " ")
  }
}
