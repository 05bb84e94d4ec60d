//===- Uris.h - documents that are no files ---------------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An editor's URI for an unsaved document is `untitled:Untitled-1`. Upstream's
// server accepts only its own schemes. So such a document is
// `file://unsaved/untitled:Untitled-1` inside this server.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_TOOLS_LSP_URIS_H
#define BROADLOOM_TOOLS_LSP_URIS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"

#include <optional>
#include <string>

namespace broadloom::lsp {

/// An editor's message about a document that is not a file, with file URIs for
/// the document; nothing for any other message.
std::optional<llvm::json::Value> makeFiles(const llvm::json::Value &message);

/// The text of a message for the editor, with URIs as the editor knows them.
std::string unmakeFiles(llvm::StringRef text);

} // namespace broadloom::lsp

#endif // BROADLOOM_TOOLS_LSP_URIS_H
