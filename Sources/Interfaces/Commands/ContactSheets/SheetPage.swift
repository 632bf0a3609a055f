import Terminal

/// The parts of a contact sheet's page before, between and after the pictures.
///
/// Previews are `data:` URLs, and its Content-Security-Policy forbids scripts, connections and every style but its own.
/// The page loads no other file, except that it plays the clips and videos of the library.
struct SheetPage {
  /// Of the window and above the previews.
  var title: String?
  let heading: SheetHeading
  /// The number of pictures under each heading, in the page's order.
  let groups: [(group: SheetGroup, count: Int)]
  let count: Int
  /// How many have no picture, for each reason.
  let gaps: [(reason: String, count: Int)]

  /// The first lines of every contact sheet, by which Shoebox recognises one.
  static let mark = """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="generator" content="Shoebox contact sheet">

    """

  /// Whether clips and videos play in the page.
  var playsClips = false

  static let policy = policy(playsClips: false)

  /// The Content-Security-Policy. Originals are played from `file:` URLs.
  static func policy(playsClips: Bool) -> String {
    "default-src 'none'; img-src data:; \(playsClips ? "media-src file:; " : "")"
      + "style-src 'sha256-\(SheetStyle.digest)'; base-uri 'none'; form-action 'none'"
  }

  /// Everything up to the first heading or picture.
  var beginning: String {
    Self.mark + """
      <meta http-equiv="Content-Security-Policy" content="\(Self.policy(playsClips: playsClips))">
      <meta name="referrer" content="no-referrer">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>\(title?.escapedForHTML ?? "Contact sheet of \(countText)")</title>
      <style>\(SheetStyle.text)</style>
      </head>
      <body>
      <a class="skip" href="#pictures">Skip to the pictures</a>
      <header>
      <h1><bdi>\(title?.escapedForHTML ?? "Contact sheet")</bdi></h1>
      <p>\(summary)</p>
      \(navigation)</header>
      <main id="pictures" tabindex="-1">

      """
  }

  private var countText: String {
    humanCountOfAssets(count)
  }

  private var gapCount: Int { gaps.reduce(0) { $0 + $1.count } }

  private var summary: String {
    guard gapCount > 0 else { return countText }
    return countText
      + ", <a href=\"#gaps\">\(humanCount(gapCount)) without a preview</a>"
  }

  /// Links to the headings, folded up, by year or by month.
  private var navigation: String {
    guard groups.count > 1 else { return "" }
    var html = "<nav aria-label=\"Times\"><details><summary>Jump to a time</summary>\n<dl>"
    var last: String?
    for (group, count) in groups {
      let (shelf, place) = group.shelf
      if shelf != last { html += (last == nil ? "" : "</dd>\n") + "<dt>\(shelf)</dt><dd>" }
      last = shelf
      html += "<a href=\"#\(group.anchor)\">\(place) <small>\(humanCount(count))</small></a> "
    }
    return html + "</dd></dl></details></nav>\n"
  }

  /// The beginning of a group, or of an undivided sheet.
  func opening(_ group: SheetGroup?) -> String {
    guard let group else { return "<ul role=\"list\">\n" }
    let count = groups.first { $0.group == group }?.count
    let shown = count.map { " <small>\(humanCount($0))</small>" } ?? ""
    return """
      <section aria-labelledby="\(group.anchor)">
      <h2 id="\(group.anchor)">\(group.title)\(shown)</h2>
      <ul role="list">

      """
  }

  /// The end of what ``opening(_:)`` began.
  func closing(_ group: SheetGroup?) -> String {
    group == nil ? "</ul>\n" : "</ul>\n</section>\n"
  }

  /// Everything after the last picture.
  var end: String {
    var html = count == 0 ? "<p>No matching pictures or videos.</p>\n" : ""
    html += "</main>\n<footer>\n"
    if gapCount > 0 {
      html += "<section aria-labelledby=\"gaps\">\n"
      html += "<h2 id=\"gaps\">Without a preview</h2>\n<ul>\n"
      for (reason, count) in gaps {
        html += "<li>\(humanCount(count)): \(reason.escapedForHTML)</li>\n"
      }
      html += "</ul>\n</section>\n"
    }
    return html + "<p>Made by Shoebox \(shoeboxVersion).</p>\n</footer>\n</body>\n</html>\n"
  }
}
