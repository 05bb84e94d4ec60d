//===- LanguageServer.h - diagnostics while one types ----------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_TOOLS_LSP_LANGUAGESERVER_H
#define BROADLOOM_TOOLS_LSP_LANGUAGESERVER_H

namespace broadloom::lsp {

/// The main function of `broadloom-lsp-server`: serves an editor over standard
/// input and output until the editor ends it, and ends the process.
int runLanguageServer(int argc, char **argv);

} // namespace broadloom::lsp

#endif // BROADLOOM_TOOLS_LSP_LANGUAGESERVER_H
