"""An editor that talks to the language server: opens a file, applies edits, and
prints what the server publishes of it.

  editor.py [SERVER-OPTION…] FILE [EDIT…]

FILE may be URI=FILE, for an editor that knows the file's text by that URI.
An edit is LINE:BEGIN-END=TEXT, which replaces these characters, `hover
LINE:CHARACTER`, which prints what the server says there, or `close`. Lines and
characters count from 0, as in the protocol.
"""

import json
import pathlib
import re
import subprocess
import sys

SEVERITIES = {1: "error", 2: "warning", 3: "information", 4: "hint"}


class Editor:
    def __init__(self, options, uri):
        self.uri = uri
        self.server = subprocess.Popen(
            ["broadloom-lsp-server", "--log=error", *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self.requests = 0

    def send(self, method, parameters, **more):
        text = json.dumps({"jsonrpc": "2.0", "method": method, "params": parameters, **more}).encode()
        self.server.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(text), text))
        self.server.stdin.flush()

    def receive(self, wanted):
        """The next message that is wanted."""
        while True:
            length = 0
            while (line := self.server.stdout.readline().strip()) != b"":
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            assert length, "the server has ended"
            message = json.loads(self.server.stdout.read(length))
            if wanted(message):
                return message

    def request(self, method, parameters):
        self.requests += 1
        self.send(method, parameters, id=self.requests)
        return self.receive(lambda message: message.get("id") == self.requests)["result"]

    def show(self):
        """Prints the diagnostics that come next."""
        message = self.receive(lambda m: m.get("method") == "textDocument/publishDiagnostics")["params"]
        assert message["uri"] == self.uri, message
        print(f"version {message['version']}: {len(message['diagnostics'])} diagnostics")
        for each in message["diagnostics"]:
            begin, end = each["range"]["start"], each["range"]["end"]
            print(
                f"  {begin['line']}:{begin['character']}-{end['character']} "
                f"{SEVERITIES[each['severity']]}: {each['message']}"
            )
            for note in each.get("relatedInformation", []):
                assert note["location"]["uri"] == self.uri, note
                start = note["location"]["range"]["start"]
                print(f"    {start['line']}:{start['character']} note: {note['message']}")


def main():
    options = [word for word in sys.argv[1:] if word.startswith("--")]
    path, *edits = [word for word in sys.argv[1:] if not word.startswith("--")]
    uri, _, path = path.rpartition("=")
    uri = uri or pathlib.Path(path).resolve().as_uri()
    editor = Editor(options, uri)
    editor.request("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
    editor.send("initialized", {})
    editor.send(
        "textDocument/didOpen",
        {"textDocument": {"uri": uri, "languageId": "mlir", "version": 0, "text": pathlib.Path(path).read_text()}},
    )
    editor.show()
    for version, edit in enumerate(edits, 1):
        if edit == "close":
            editor.send("textDocument/didClose", {"textDocument": {"uri": uri}})
            editor.show()
            continue
        if edit.startswith("hover "):
            line, character = map(int, edit[len("hover ") :].split(":"))
            print(
                editor.request(
                    "textDocument/hover",
                    {"textDocument": {"uri": uri}, "position": {"line": line, "character": character}},
                )["contents"]["value"]
            )
            continue
        line, begin, end, text = re.fullmatch(r"(\d+):(\d+)-(\d+)=(.*)", edit, re.S).groups()
        editor.send(
            "textDocument/didChange",
            {
                "textDocument": {"uri": uri, "version": version},
                "contentChanges": [
                    {
                        "range": {
                            "start": {"line": int(line), "character": int(begin)},
                            "end": {"line": int(line), "character": int(end)},
                        },
                        "text": text,
                    }
                ],
            },
        )
        editor.show()
    editor.request("shutdown", None)
    editor.send("exit", None)
    print("exit status", editor.server.wait(30))


if __name__ == "__main__":
    main()
