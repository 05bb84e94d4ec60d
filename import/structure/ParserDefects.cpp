//===- ParserDefects.cpp - what MLIR's parser crashes on ------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "import/structure/ParserDefects.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Location.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

// A level takes the parser up to 2 KB of the stack, of which there are 8 MB in
// the main thread and 2 MB in others of some systems.
static constexpr unsigned kMaxDepth = 500;

static bool isWordPart(char c) {
  return llvm::isAlnum(c) || StringRef("_.$%@#!^").contains(c);
}

namespace {

/// Goes over the tokens of a text as far as they matter here.
class Scanner {
public:
  explicit Scanner(StringRef text) : text(text) {}

  /// The place of the first defect with what it is; a null pointer for none.
  std::pair<const char *, StringRef> find() {
    unsigned depth = 0;
    for (skip(); !text.empty(); skip()) {
      const char *at = text.data();
      if (isWordPart(text.front())) {
        if (takeWord() == "array" && isOfIndex())
          return {at,
                  "an array of index has no form of its own; write an array "
                  "of i64, such as array<i64: 1, 0>"};
        continue;
      }
      char c = text.front();
      text = text.drop_front();
      // `->` is no bracket.
      if (c == '-' && text.consume_front(">"))
        continue;
      if (StringRef("([{<").contains(c) && ++depth > kMaxDepth)
        return {at, "brackets are nested more than 500 deep"};
      if (StringRef(")]}>").contains(c) && depth != 0)
        --depth;
    }
    return {nullptr, ""};
  }

private:
  /// Skips blanks, comments and strings.
  void skip() {
    for (;;) {
      text = text.ltrim();
      if (text.starts_with("//")) {
        text = text.drop_front(std::min(text.find('\n'), text.size()));
      } else if (text.consume_front("\"")) {
        size_t end = 0;
        while (end < text.size() && text[end] != '"')
          end += text[end] == '\\' ? 2 : 1;
        text = text.drop_front(std::min(end + 1, text.size()));
      } else {
        return;
      }
    }
  }

  StringRef takeWord() {
    StringRef word = text.take_while(isWordPart);
    text = text.drop_front(word.size());
    return word;
  }

  /// Whether `<index` follows.
  bool isOfIndex() {
    StringRef before = text;
    skip();
    bool is = text.consume_front("<");
    skip();
    is = is && takeWord() == "index";
    text = before;
    return is;
  }

  StringRef text;
};

} // namespace

LogicalResult broadloom::infer::checkParsable(const llvm::MemoryBuffer &buffer,
                                              MLIRContext *context) {
  if (isBytecode(buffer))
    return success();
  StringRef text = buffer.getBuffer();
  auto [at, what] = Scanner(text).find();
  if (!at)
    return success();
  StringRef before = text.take_front(at - text.data());
  size_t line = before.count('\n') + 1;
  size_t column = before.size() - (before.rfind('\n') + 1) + 1;
  return emitError(FileLineColLoc::get(context, buffer.getBufferIdentifier(),
                                       line, column))
         << what;
}
