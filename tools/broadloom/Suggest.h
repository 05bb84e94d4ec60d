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

namespace broadloom::tool {

/// The word of `known` that is nearest to `word`: one that it is the beginning
/// of, or one that differs in a third of its letters at most. Empty where there
/// is none.
llvm::StringRef findNearest(llvm::StringRef word,
                            llvm::ArrayRef<llvm::StringRef> known);

} // namespace broadloom::tool

#endif // BROADLOOM_TOOLS_BROADLOOM_SUGGEST_H
