//===- Analysis.h - what an editor shows of a text --------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_TOOLS_LSP_ANALYSIS_H
#define BROADLOOM_TOOLS_LSP_ANALYSIS_H

#include "llvm/Support/LSP/Protocol.h"

#include <string>
#include <vector>

namespace broadloom::lsp {

struct AnalysisOptions {
  /// Shape libraries that programs use; one of them may be the text itself.
  std::vector<std::string> shapeLibraries;
  /// Whether to report checks at run time as hints.
  bool tellsRunTimeChecks = true;
};

/// The compiler's errors and warnings about a program, and hints for its checks
/// at run time; for a text that defines shape functions, errors in these. A
/// text of several programs, separated by lines `// -----`, is analysed program
/// by program.
std::vector<llvm::lsp::Diagnostic> analyze(const llvm::lsp::URIForFile &uri,
                                           llvm::StringRef text,
                                           const AnalysisOptions &options);

} // namespace broadloom::lsp

#endif // BROADLOOM_TOOLS_LSP_ANALYSIS_H
