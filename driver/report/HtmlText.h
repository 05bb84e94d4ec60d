//===- HtmlText.h - text from outside, in HTML ------------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Invariant: for any input bytes the output is text of a well-formed page in
// UTF-8. Input never becomes an element, an attribute or a script.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DRIVER_REPORT_HTMLTEXT_H
#define BROADLOOM_DRIVER_REPORT_HTMLTEXT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <string>

namespace broadloom::report {

/// For text and for attributes in double quotes.
std::string escapeHtml(llvm::StringRef text);

/// One line of MLIR with values, strings, comments and a location at its end in
/// elements of their own; the middle of a very long line is left out.
std::string highlightLine(llvm::StringRef line);

/// A page up to its body: its title, which is HTML, and its style sheets.
void beginPage(llvm::StringRef title, llvm::ArrayRef<llvm::StringRef> styles,
               llvm::raw_ostream &out);

/// A type with its symbols in elements of their own.
std::string highlightType(llvm::StringRef type);

} // namespace broadloom::report

#endif // BROADLOOM_DRIVER_REPORT_HTMLTEXT_H
