//===- Session.h - between an editor and upstream's server ------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's language server provides definitions, uses and hovers. Diagnostics
// come from this project's compiler: TOSA's verifier rejects programs that the
// compiler accepts, and does not find contradictory shapes across operations.
// The server reads and writes file descriptors 0 and 1. A session puts pipes
// there, passes on all messages between them and the editor, and replaces those
// that publish diagnostics.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_TOOLS_LSP_SESSION_H
#define BROADLOOM_TOOLS_LSP_SESSION_H

#include "tools/lsp/Analysis.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/JSON.h"

#include "mlir/IR/MLIRContext.h"

#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>

namespace broadloom::lsp {

class Session {
public:
  explicit Session(AnalysisOptions options) : options(std::move(options)) {}

  /// Creates the pipes and starts the threads that serve them. False if the
  /// system has no more descriptors.
  bool start();
  /// Waits for the server's remaining messages, after it has returned.
  void finish();

private:
  struct Document {
    llvm::lsp::URIForFile uri;
    std::string text;
    int64_t version = 0;
    bool isPending = false;
  };

  /// The functions of the threads, which run until their input ends.
  void serveEditor();
  void serveServer();
  void serveDocuments();

  /// Updates the documents by a message of the editor.
  void follow(llvm::StringRef method, const llvm::json::Value &parameters);
  void open(const llvm::lsp::DidOpenTextDocumentParams &opened);
  void change(const llvm::lsp::DidChangeTextDocumentParams &changed);
  void close(const llvm::lsp::DidCloseTextDocumentParams &closed);

  /// The editor's message `text` in the form for upstream's server.
  std::string tellServer(llvm::StringRef text,
                         const llvm::json::Value &message);

  void publish(const llvm::lsp::URIForFile &uri, int64_t version,
               std::vector<llvm::lsp::Diagnostic> diagnostics);
  void writeToEditor(llvm::StringRef message);

  AnalysisOptions options;
  std::FILE *editorInput = nullptr, *serverOutput = nullptr;
  int editorOutput = -1, serverInput = -1;
  std::mutex output;

  /// Used by the thread that serves the editor.
  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};

  std::mutex documentsLock;
  std::condition_variable hasPending;
  llvm::StringMap<Document> documents;
  std::thread serverThread;
};

} // namespace broadloom::lsp

#endif // BROADLOOM_TOOLS_LSP_SESSION_H
