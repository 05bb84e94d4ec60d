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
  /// Whether to tell what is left to run time, as hints.
  bool tellsRunTimeChecks = true;
};

/// Errors and warnings of a program, which the compiler gives, and hints at
/// what it checks at run time; of a text that defines shape functions, what is
/// wrong with these. A text of several programs, separated by lines `// -----`,
/// is looked at program by program.
std::vector<llvm::lsp::Diagnostic> analyze(const llvm::lsp::URIForFile &uri,
                                           llvm::StringRef text,
                                           const AnalysisOptions &options);

} // namespace broadloom::lsp

#endif // BROADLOOM_TOOLS_LSP_ANALYSIS_H
