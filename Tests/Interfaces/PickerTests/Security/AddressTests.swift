import Foundation
import MediaTools
import Testing
import Workbench

extension SecurityTests {
  /// Names of hosts, origins and frames.
  @Suite struct Addresses {
    @Test(arguments: [
      "evil.example", "evil.example:PORT", "127.0.0.1", "127.0.0.1:1",
      "127.0.0.1.evil.example:PORT",
      "localhost.evil.example:PORT", "0.0.0.0:PORT", "[::]:PORT", "127.0.0.2:PORT", "127.1:PORT",
      "",
    ])
    func `a foreign host`(host: String) async throws {
      let picker = try await PickerLibrary.server
      let host = host.replacing("PORT", with: String(picker.port))
      let session = try await picker.session()
      let entry = try picker.target(of: session["pickerUri"])
      for target in [
        "/v1/sessions/\(session["id"].text ?? "")", entry, "/openapi.yaml", "/page/picker.js",
      ] {
        let reply = try await picker.host("GET", target, headers: ["Host": host])
        #expect(reply.status == 403 || host.isEmpty && reply.status == 400, "\(target)")
        #expect(reply.headers["set-cookie"] == nil)
      }
      // The address was not used up.
      #expect(try await picker.send("GET", entry).status == 200)
    }

    /// A proxy may take another one than the server, and lead to another's data.
    @Test func `two hosts are refused`() async throws {
      let picker = try await PickerLibrary.server
      for host in ["evil.example", "127.0.0.1:\(picker.port)"] {
        let reply = try await picker.send("GET", "/openapi.yaml", headers: ["host": host])
        #expect(reply.status == 400, "\(host)")
        #expect(reply.errorStatus == "INVALID_ARGUMENT")
      }
    }

    /// Browsers omit the default port of an address.
    @Test(arguments: [
      (
        "https://photos.example:443", ["photos.example", "photos.example:443"], "photos.example:80"
      ),
      ("https://photos.example", ["photos.example", "photos.example:443"], "photos.example:8443"),
      ("http://Photos.example:80/", ["photos.example", "photos.example:80"], "photos.example:443"),
      ("https://photos.example:8443", ["photos.example:8443"], "photos.example"),
      ("https://[2001:db8::1]:443", ["[2001:db8::1]", "[2001:db8::1]:443"], "[2001:db8::1]:80"),
    ])
    func `the hosts of a proxy's address`(
      url: String, hosts: [String], other: String
    ) async throws {
      let bench = try await PickerLibrary.small()
      let said = try await bench.bash(
        """
        timeout 100 '\(Workbench.programs)/shoebox-picker' serve --catalog '\(bench.catalog)' \
          --listen unix:picker.socket --url '\(url)' >said 2>&1 &
        until grep -q Address: said; do sleep 0.05; done
        sed -n 's/^Address: //p' said
        token=$(cat '\(bench.catalog).picker-token')
        for host in \((hosts + [other]).map { "'\($0)'" }.joined(separator: " ")); do
          curl -sS --unix-socket picker.socket -H "Authorization: Bearer $token" -d '{}' \
            -H "Host: $host" -H "Origin: \(url.prefix { $0 != ":" })://$host" \
            -o answer -w '%{http_code}\n' http://localhost/v1/sessions
        done
        kill $!
        wait $! || true
        """, seconds: 120)
      let scheme = url.prefix { $0 != ":" }
      #expect(
        said.split(separator: "\n").map(String.init)
          == ["\(scheme)://\(hosts[0])"] + hosts.map { _ in "200" } + ["403"], "\(said)")
    }

    @Test(arguments: ["127.0.0.1", "localhost", "LOCALHOST", "[::1]"])
    func `the server's own names`(host: String) async throws {
      let picker = try await PickerLibrary.server
      let reply = try await picker.send(
        "GET", "/openapi.yaml", headers: ["Host": "\(host):\(picker.port)"])
      #expect(reply.status == 200)
    }

    @Test(arguments: [
      "https://evil.example", "null", "http://127.0.0.1", "https://127.0.0.1:PORT",
      "http://127.0.0.1:PORT.evil.example", "http://localhost:1", "file://",
      "http://127.0.0.1:PORT/", "http://127.0.0.1:PORT, https://evil.example",
    ])
    func `a foreign origin`(origin: String) async throws {
      let picker = try await PickerLibrary.server
      let photo = try await PickerLibrary.shared.id(PickerLibrary.photo)
      let origin = origin.replacing("PORT", with: String(picker.port))
      let session = try await picker.session()
      let person = try await Person(session, at: picker)
      let headers = ["Origin": origin]
      for path in ["selection", "options", "done", "cancel"] {
        let reply = try await person.post(path, ["add": [.text(photo)]], headers: headers)
        #expect(reply.status == 403, "\(path)")
        #expect(reply.errorStatus == "PERMISSION_DENIED")
      }
      #expect(try await person.get("items", headers: headers).status == 403)
      #expect(try await picker.host("POST", "/v1/sessions", [:], headers: headers).status == 403)
      // A preflight of CORS gets no permission; `send` checks that no field grants any.
      let preflight = try await picker.send(
        "OPTIONS", "/s/\(person.session)/api/done",
        headers: headers.merging(["Access-Control-Request-Method": "POST"]) { $1 })
      #expect(preflight.status >= 400)
      let state = try await person.get("session").json
      #expect(state["state"] == "open")
      #expect(state["selection"] == [])
    }

    @Test func `a request of the page without an origin, or from another site`() async throws {
      let picker = try await PickerLibrary.server
      let photo = try await PickerLibrary.shared.id(PickerLibrary.photo)
      let person = try await Person(try await picker.session(), at: picker)
      for path in ["selection", "options", "done", "cancel"] {
        let reply = try await person.post(
          path, ["add": [.text(photo)]], headers: ["Origin": ""])
        #expect(reply.status == 403, "\(path)")
        let cross = try await person.post(
          path, ["add": [.text(photo)]], headers: ["Sec-Fetch-Site": "cross-site"])
        #expect(cross.status == 403, "\(path)")
      }
      let image = try await person.get(
        "thumbnails/\(photo)", headers: ["Sec-Fetch-Site": "cross-site"])
      #expect(image.status == 403)
      // A form of another page cannot send JSON, and a GET changes nothing.
      for path in ["selection", "options", "done", "cancel"] {
        #expect(try await person.get(path).status == 404, "\(path)")
      }
      #expect(try await person.get("session").json["state"] == "open")
      #expect(try await person.get("session").json["selection"] == [])
    }

    /// `send` checks the fields against frames, sniffing and referrers on each response of all tests. These are
    /// responses that other tests do not ask for.
    @Test func `every kind of response is protected`() async throws {
      let picker = try await PickerLibrary.server
      let person = try await Person(try await picker.session(), at: picker)
      for (method, target) in [
        ("GET", "/"), ("GET", "/favicon.ico"), ("GET", "/page/picker.js"),
        ("GET", "/page/picker.css"),
        ("GET", "/page/en.json"), ("GET", "/page/de.json"), ("GET", "/page/icon.svg"),
        ("GET", "/page/index.html"), ("GET", "/openapi.yaml"), ("GET", "/pick/x"), ("GET", "/s/x"),
        ("PUT", "/v1/sessions"), ("PATCH", "/v1/sessions/x"), ("HEAD", "/openapi.yaml"),
        ("DELETE", "/page/picker.js"), ("OPTIONS", "/v1/sessions"), ("TRACE", "/"),
        ("BREW", "/v1/sessions"),
      ] { _ = try await picker.send(method, target) }
      let page = try await picker.send(
        "GET", "/s/\(person.session)/", headers: ["Cookie": person.cookie])
      #expect(page.status == 200)
      #expect(page.text.contains("<html"))
      // What the policy forbids is not in the page.
      #expect(!page.text.contains(/<script(?![^>]*src=)[^>]*>/))
      #expect(!page.text.contains(/\son[a-z]+=/) && !page.text.contains(" style="))
      #expect(!page.text.contains(/(src|href)="(https?:)?\/\//))
    }

    /// Python's client asks at the address that is printed.
    @Test(arguments: ["127.0.0.2", "[::1]", "localhost"])
    func `the address leads to where the server listens`(host: String) async throws {
      let hasIPv6 = (try? String(contentsOfFile: "/proc/net/if_inet6", encoding: .utf8)) ?? ""
      if host == "[::1]", hasIPv6.isEmpty { return }
      let bench = try await PickerLibrary.shared.bench
      let said = try await bench.bash(
        """
        folder=$(mktemp -d)
        trap 'rm -r "$folder"' EXIT
        cp '\(bench.catalog)' "$folder/catalog.sqlite"
        timeout 100 '\(Workbench.programs)/shoebox-picker' serve --catalog "$folder/catalog.sqlite" \
          --listen '\(host):0' >"$folder/said" 2>&1 &
        for attempt in {1..200}; do grep -q Address: "$folder/said" && break; sleep 0.1; done
        cat "$folder/said"
        python3 -c '
        import sys, urllib.request
        print(urllib.request.urlopen(sys.argv[1] + "/openapi.yaml", timeout=20).status)
        ' "$(sed -n 's/^Address: //p' "$folder/said")"
        kill %1
        """)
      #expect(said.contains("Address: http://"), "\(said)")
      #expect(host == "localhost" || said.contains("Address: http://\(host):"), "\(said)")
      #expect(said.hasSuffix("200\n"), "\(said)")
    }

    @Test(arguments: [
      "0.0.0.0:0", "[::]:0", "192.0.2.1:0", "photos.example:0", "127.0.0.1.example:0",
    ])
    func `an address of the network needs consent`(listen: String) async throws {
      let bench = try await PickerLibrary.shared.bench
      for options in ["", "--i-have-tls-in-front", "--url https://photos.example"] {
        let said = try await bench.bash(
          """
          status=0
          timeout 100 '\(Workbench.programs)/shoebox-picker' serve --catalog '\(bench.catalog)' \
            --listen '\(listen)' \(options) 2>&1 || status=$?
          echo "status $status"
          """)
        #expect(said.contains("--i-have-tls-in-front"), "\(said)")
        #expect(said.contains("status 64"), "\(said)")
        #expect(!said.contains("Address:"))
      }
    }

    /// Each message is a sentence with a remedy, and no file that has the name of the socket is harmed.
    @Test(arguments: [
      ("unix:FOLDER/notes.txt", "FOLDER/notes.txt exists and is not a socket"),
      ("unix:FOLDER/none/socket", "No such file or directory"),
      ("unix:FOLDER/" + String(repeating: "x", count: 120), "the path is longer than the system"),
      // The system's words depend on whether it has a network.
      (
        "nowhere.invalid:8437 --i-have-tls-in-front --url https://photos.example",
        "Name or service not known|Temporary failure in name resolution"
      ),
    ])
    func `an address that cannot be used`(listen: String, reason: String) async throws {
      let bench = try await PickerLibrary.small()
      let named = { (text: String) in text.replacing("FOLDER", with: bench.folder) }
      let said = try await bench.bash(
        """
        status=0
        echo kept >notes.txt
        timeout 100 '\(Workbench.programs)/shoebox-picker' serve --catalog '\(bench.catalog)' \
          --listen \(named(listen)) 2>&1 || status=$?
        cat notes.txt
        """)
      #expect(said.hasPrefix("shoebox: cannot listen on "), "\(said)")
      #expect(
        named(reason).split(separator: "|").contains { said.contains(": \($0)") }, "\(said)")
      #expect(said.hasSuffix("; name another address with --listen\nkept\n"), "\(said)")
    }

    /// Its clients would reach the new server, with another library.
    @Test func `a socket of a server that runs is not replaced`() async throws {
      let bench = try await PickerLibrary.small()
      let said = try await bench.bash(
        """
        cat >listen.py <<'END'
        import os, socket, time
        listener = socket.socket(socket.AF_UNIX)
        listener.bind("served")
        listener.listen()
        os.rename("served", "socket")
        time.sleep(120)
        END
        python3 listen.py >/dev/null 2>&1 &
        for _ in {1..200}; do [[ -S socket ]] && break || sleep 0.1; done
        before=$(stat -c %i socket)
        timeout 100 '\(Workbench.programs)/shoebox-picker' serve --catalog '\(bench.catalog)' \
          --listen unix:\(bench.folder)/socket 2>&1 || true
        [[ $(stat -c %i socket) = "$before" ]] && echo kept
        kill $!
        """)
      #expect(said.contains(": another server listens there; name another address"), "\(said)")
      #expect(said.hasSuffix("kept\n"), "\(said)")
    }
  }
}
