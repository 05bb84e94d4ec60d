//===- Suggest.h - what a mistyped word was meant to be ---------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_TOOLS_BROADLOOM_SUGGEST_H
#define BROADLOOM_TOOLS_BROADLOOM_SUGGEST_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/CommandLine.h"

#include <string>

namespace broadloom::tool {

/// The word of `known` that is nearest to `word`: a word that begins with
/// `word`, or one that differs in at most a third of its letters. Empty if
/// there is none.
llvm::StringRef findNearest(llvm::StringRef word,
                            llvm::ArrayRef<llvm::StringRef> known);

/// The first option that LLVM parses as `-h` followed by letters, because
/// `command` does not have it; empty if there is none.
llvm::StringRef findMistakenHelp(llvm::ArrayRef<const char *> words,
                                 const llvm::cl::SubCommand &command);

/// The error about an option without the value that it needs, of which LLVM
/// takes the option behind it; empty if there is none.
std::string findMissingValue(llvm::ArrayRef<const char *> words,
                             const llvm::cl::SubCommand &command);

/// LLVM's errors about the command line of `command`, which is empty without a
/// command, and where to find its options. Suggestions are from `known` only:
/// LLVM's own options are registered too, but are not in the help.
std::string withOwnHints(llvm::StringRef errors,
                         llvm::ArrayRef<llvm::StringRef> known,
                         llvm::StringRef command);

/// `'broadloom help run'`, or `'broadloom help'` without a command.
std::string nameHelp(llvm::StringRef command);

} // namespace broadloom::tool

#endif // BROADLOOM_TOOLS_BROADLOOM_SUGGEST_H
