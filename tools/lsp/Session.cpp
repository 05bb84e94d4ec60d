//===- Session.cpp - between an editor and upstream's server --------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/lsp/Session.h"

#include "read/structure/ParserDefects.h"
#include "tools/lsp/Uris.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/LSP/Transport.h"

#include <csignal>
#include <fcntl.h>
#include <unistd.h>

using namespace broadloom;
using llvm::StringRef;
using llvm::lsp::JSONTransportInputOverFile;

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

/// Writes a message with its header. Write errors are ignored.
static void writeMessage(int descriptor, StringRef message) {
  std::string bytes = "Content-Length: " + std::to_string(message.size()) +
                      "\r\n\r\n" + message.str();
  StringRef rest = bytes;
  while (!rest.empty()) {
    ssize_t written = write(descriptor, rest.data(), rest.size());
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return;
    rest = rest.drop_front(written);
  }
}

/// The method of a request or notification; empty for a reply, and for an
/// invalid message.
static StringRef getMethod(const llvm::json::Value &message) {
  const llvm::json::Object *object = message.getAsObject();
  return object ? object->getString("method").value_or("") : "";
}

template <typename T>
static std::optional<T> parse(const llvm::json::Value &parameters) {
  T result;
  llvm::json::Path::Root root;
  if (!fromJSON(parameters, result, root))
    return std::nullopt;
  return result;
}

/// Calls `handle` with each message of `file` and its JSON value, until the
/// file ends; calls `refuse` for an invalid message.
template <typename Handle, typename Refuse>
static void forEachMessage(std::FILE *file, Handle handle, Refuse refuse) {
  JSONTransportInputOverFile input(file);
  while (!input.isEndOfInput() && !input.hasError()) {
    std::string text;
    if (failed(input.readMessage(text)))
      continue;
    auto message = llvm::json::parse(text);
    if (!message)
      llvm::consumeError(message.takeError());
    // Upstream's server ends on an invalid message.
    if (!message || !message->getAsObject()) {
      refuse();
      continue;
    }
    handle(text, *message);
  }
}

void lsp::Session::writeToEditor(StringRef message) {
  std::string text = unmakeFiles(message);
  std::lock_guard<std::mutex> lock(output);
  writeMessage(editorOutput, text);
}

//===----------------------------------------------------------------------===//
// Documents
//===----------------------------------------------------------------------===//

void lsp::Session::open(const llvm::lsp::DidOpenTextDocumentParams &opened) {
  const llvm::lsp::TextDocumentItem &item = opened.textDocument;
  std::lock_guard<std::mutex> lock(documentsLock);
  documents[item.uri.uri()] = {item.uri, item.text, item.version, true};
  hasPending.notify_one();
}

void lsp::Session::change(
    const llvm::lsp::DidChangeTextDocumentParams &changed) {
  std::lock_guard<std::mutex> lock(documentsLock);
  auto it = documents.find(changed.textDocument.uri.uri());
  if (it == documents.end())
    return;
  Document &document = it->second;
  if (failed(llvm::lsp::TextDocumentContentChangeEvent::applyTo(
          changed.contentChanges, document.text)))
    return;
  document.version = changed.textDocument.version;
  document.isPending = true;
  hasPending.notify_one();
}

void lsp::Session::close(const llvm::lsp::DidCloseTextDocumentParams &closed) {
  const llvm::lsp::URIForFile &uri = closed.textDocument.uri;
  std::lock_guard<std::mutex> lock(documentsLock);
  auto it = documents.find(uri.uri());
  if (it == documents.end())
    return;
  publish(uri, it->second.version, {});
  documents.erase(it);
}

void lsp::Session::follow(StringRef method,
                          const llvm::json::Value &parameters) {
  if (method == "textDocument/didOpen") {
    if (auto opened = parse<llvm::lsp::DidOpenTextDocumentParams>(parameters))
      open(*opened);
  } else if (method == "textDocument/didChange") {
    if (auto changed =
            parse<llvm::lsp::DidChangeTextDocumentParams>(parameters))
      change(*changed);
  } else if (method == "textDocument/didClose") {
    if (auto closed = parse<llvm::lsp::DidCloseTextDocumentParams>(parameters))
      close(*closed);
  }
}

/// Whether upstream's parser can parse `text` without crashing.
static bool isParsable(StringRef text, mlir::MLIRContext &context) {
  mlir::ScopedDiagnosticHandler silence(
      &context, [](mlir::Diagnostic &) { return mlir::success(); });
  auto buffer = llvm::MemoryBuffer::getMemBuffer(text, "", false);
  return mlir::succeeded(read::checkParsable(*buffer, &context));
}

std::string lsp::Session::tellServer(StringRef text,
                                     const llvm::json::Value &message) {
  StringRef method = getMethod(message);
  bool opens = method == "textDocument/didOpen";
  if (!opens && method != "textDocument/didChange")
    return text.str();
  // If its parser would crash, the server gets an empty document. So each
  // change is sent as the whole document.
  llvm::json::Value changed = message;
  llvm::json::Object *parameters = changed.getAsObject()->getObject("params");
  llvm::json::Object *document =
      parameters ? parameters->getObject("textDocument") : nullptr;
  if (!document)
    return text.str();
  auto uri =
      llvm::lsp::URIForFile::fromURI(document->getString("uri").value_or(""));
  if (!uri) {
    llvm::consumeError(uri.takeError());
    return text.str();
  }
  std::lock_guard<std::mutex> lock(documentsLock);
  auto known = documents.find(uri->uri());
  if (known == documents.end())
    return text.str();
  StringRef whole = known->second.text;
  std::string seen = isParsable(whole, context) ? whole.str() : "";
  if (opens)
    (*document)["text"] = std::move(seen);
  else
    (*parameters)["contentChanges"] =
        llvm::json::Array{llvm::json::Object{{"text", std::move(seen)}}};
  std::string result;
  llvm::raw_string_ostream(result) << changed;
  return result;
}

void lsp::Session::publish(const llvm::lsp::URIForFile &uri, int64_t version,
                           std::vector<llvm::lsp::Diagnostic> diagnostics) {
  llvm::lsp::PublishDiagnosticsParams parameters(uri, version);
  for (llvm::lsp::Diagnostic &diagnostic : diagnostics)
    diagnostic.message = llvm::json::fixUTF8(diagnostic.message);
  parameters.diagnostics = std::move(diagnostics);
  std::string text;
  llvm::raw_string_ostream(text) << llvm::json::Value(
      llvm::json::Object{{"jsonrpc", "2.0"},
                         {"method", "textDocument/publishDiagnostics"},
                         {"params", toJSON(parameters)}});
  writeToEditor(text);
}

void lsp::Session::serveDocuments() {
  std::unique_lock<std::mutex> lock(documentsLock);
  auto findPending = [&] {
    return std::find_if(
        documents.begin(), documents.end(),
        [](const auto &entry) { return entry.second.isPending; });
  };
  for (;;) {
    hasPending.wait(lock, [&] { return findPending() != documents.end(); });
    Document &pending = findPending()->second;
    pending.isPending = false;
    Document document = pending;
    lock.unlock();
    std::vector<llvm::lsp::Diagnostic> found =
        analyze(document.uri, document.text, options);
    lock.lock();
    // A closed document gets no diagnostics, and a document that has changed
    // since is analysed again.
    auto it = documents.find(document.uri.uri());
    if (it != documents.end() && !it->second.isPending)
      publish(document.uri, document.version, std::move(found));
  }
}

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

void lsp::Session::serveEditor() {
  forEachMessage(
      editorInput,
      [&](StringRef given, const llvm::json::Value &original) {
        std::optional<llvm::json::Value> changed = makeFiles(original);
        const llvm::json::Value &message = changed ? *changed : original;
        std::string text = given.str();
        if (changed) {
          text.clear();
          llvm::raw_string_ostream(text) << message;
        }
        if (const llvm::json::Value *parameters =
                message.getAsObject()->get("params"))
          follow(getMethod(message), *parameters);
        writeMessage(serverInput, tellServer(text, message));
      },
      [&] {
        writeToEditor(
            R"({"jsonrpc":"2.0","id":null,"error":{"code":-32600,)"
            R"("message":"this is no message: send a JSON object"}})");
      });
  ::close(serverInput);
}

void lsp::Session::serveServer() {
  forEachMessage(
      serverOutput,
      [&](StringRef text, const llvm::json::Value &message) {
        if (getMethod(message) != "textDocument/publishDiagnostics")
          writeToEditor(text);
      },
      [] {});
}

bool lsp::Session::start() {
  // A closed connection is detected by the write error.
  std::signal(SIGPIPE, SIG_IGN);
  int toServer[2], fromServer[2];
  if (pipe2(toServer, O_CLOEXEC) != 0 || pipe2(fromServer, O_CLOEXEC) != 0)
    return false;
  int input = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
  editorOutput = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  if (input < 0 || editorOutput < 0 || dup2(toServer[0], STDIN_FILENO) < 0 ||
      dup2(fromServer[1], STDOUT_FILENO) < 0)
    return false;
  ::close(toServer[0]);
  ::close(fromServer[1]);
  serverInput = toServer[1];
  editorInput = fdopen(input, "r");
  serverOutput = fdopen(fromServer[0], "r");
  if (!editorInput || !serverOutput)
    return false;
  std::thread([this] { serveEditor(); }).detach();
  std::thread([this] { serveDocuments(); }).detach();
  serverThread = std::thread([this] { serveServer(); });
  return true;
}

void lsp::Session::finish() {
  llvm::outs().flush();
  ::close(STDOUT_FILENO);
  serverThread.join();
}
