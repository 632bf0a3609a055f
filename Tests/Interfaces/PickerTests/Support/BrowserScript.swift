import Workbench

/// A program in the place of `xdg-open`. It opens the page, and chooses as a person does.
struct BrowserScript {
  /// What the program chooses.
  enum Choice: String {
    /// All items.
    case all
    /// Nothing: it cancels.
    case nothing
  }

  /// The environment in which `shoebox pick` starts the program.
  let environment: [String: String]

  /// - Parameters:
  ///   - bench: its folder gets the files `arguments` and `modes` of what the program was started with, and `session`, the
  ///     session as the page receives it.
  ///   - options: the body of a request by which the person changes what the result contains; nil for no request.
  init(_ bench: Workbench, choosing choice: Choice, options: String? = nil) async throws {
    try await bench.bash("mkdir -p bin run")
    let steps =
      switch choice {
      case .all:
        (options.map { "post options '\($0)'; " } ?? "")
          + #"ids=$(get ids); post selection "{\"add\":${ids#*:}"; post done '{}'"#
      case .nothing: "post cancel '{}'"
      }
    _ = try bench.addProgram(
      "bin/xdg-open",
      """
      cd '\(bench.folder)'
      echo "$*" >arguments
      stat -c %a "$1" "${1%/*}" >modes
      page=$(grep -om1 'http://127.0.0.1:[0-9]*/pick/[A-Za-z0-9_-]*' "$1")
      base=${page%/pick/*}
      session=$base$(curl -sS -c jar "$page" | grep -om1 "/s/[0-9a-f-]*" | head -1)/api
      get() { curl -sS -b jar "$session/$1"; }
      get session >session
      post() { curl -sS -b jar -H "Origin: $base" "$session/$1" -d "$2"; }
      \(steps)
      """)
    environment = [
      "PATH": bench.folder + "/bin:/usr/bin:/bin", "DISPLAY": ":0", "WAYLAND_DISPLAY": "",
      "XDG_RUNTIME_DIR": bench.folder + "/run",
    ]
  }
}
