//===- OldText.cpp - tokens of TOSA's text that differ by version ---------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "read/versions/OldText.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace broadloom::read;

static bool isWordPart(char c) {
  return llvm::isAlnum(c) || StringRef("_.$%@#!^").contains(c);
}

/// Operations with regions or symbols, whose form is the same in all versions.
static bool keepsForm(StringRef operation) {
  return llvm::is_contained({"cond_if", "while_loop", "yield", "variable",
                             "variable_read", "variable_write"},
                            operation);
}

namespace {

/// Scans the tokens of a text and changes it in place.
class Rewriter {
public:
  explicit Rewriter(OldText &result) : result(result), text(result.text) {}

  void run() {
    for (skipBlanks(); !text.empty(); skipBlanks()) {
      if (text.front() == '"') {
        readString();
        continue;
      }
      if (isWordPart(text.front())) {
        readWord();
        continue;
      }
      isBehindParenthesis = text.front() == '(';
      text = text.drop_front();
    }
  }

private:
  /// Skips blanks and comments.
  void skipBlanks() {
    for (;;) {
      text = text.ltrim();
      if (!text.starts_with("//"))
        return;
      text = text.drop_front(std::min(text.find('\n'), text.size()));
    }
  }

  StringRef takeWord() {
    StringRef word = text.take_while(isWordPart);
    text = text.drop_front(word.size());
    return word;
  }

  /// The contents of the string that begins here.
  StringRef takeString() {
    size_t end = 1;
    while (end < text.size() && text[end] != '"')
      end += text[end] == '\\' ? 2 : 1;
    StringRef contents = text.slice(1, end);
    text = text.drop_front(std::min(end + 1, text.size()));
    return contents;
  }

  bool take(StringRef token) {
    skipBlanks();
    return text.consume_front(token);
  }

  char *at(StringRef part) {
    return result.text.data() + (part.data() - result.text.data());
  }

  void rename(StringRef name) {
    std::copy(kNamespace.begin(), kNamespace.end(), at(name));
  }

  /// `"tosa.add"(`, but not the name of a location, `loc("tosa.add"(...))`.
  void readString() {
    bool isName = isBehindParenthesis;
    isBehindParenthesis = false;
    StringRef contents = takeString();
    skipBlanks();
    if (!isName && contents.starts_with("tosa.") && text.starts_with("(") &&
        !keepsForm(contents.drop_front(5)))
      rename(contents);
    else
      lookAtEnumerator(contents);
  }

  /// `tosa.add %a`, but not an attribute `tosa.description = "…"`.
  void readWord() {
    isBehindParenthesis = false;
    StringRef word = takeWord();
    if (word == "dense")
      return readDense();
    if (!word.starts_with("tosa."))
      return lookAtEnumerator(word);
    skipBlanks();
    if (text.starts_with("="))
      return;
    StringRef operation = word.drop_front(5);
    if (!keepsForm(operation) || (operation == "cond_if" && isUntypedIf()))
      rename(word);
  }

  /// `nan_mode = "IGNORE"`, whose name has been read. Aliases are not resolved.
  void lookAtEnumerator(StringRef name) {
    if (!name.ends_with("mode") || !take("="))
      return;
    skipBlanks();
    bool isAlias = text.starts_with("#") && !text.starts_with("#tosa.");
    result.hasTextEnumerators |= text.starts_with("\"") || isAlias;
  }

  /// Whether a condition without its type follows: `%0 -> (type)` or `%0 {`.
  bool isUntypedIf() {
    StringRef before = text;
    takeWord();
    skipBlanks();
    bool is = text.starts_with("->") || text.starts_with("{");
    text = before;
    return is;
  }

  /// `dense<"0x…"> : tensor<…xi1>`.
  void readDense() {
    if (!take("<"))
      return;
    skipBlanks();
    if (!text.starts_with("\"0x"))
      return;
    StringRef quoted = text;
    StringRef digits = takeString().drop_front(2);
    if (!take(">") || !take(":"))
      return;
    skipBlanks();
    StringRef before = text;
    uint64_t count = takeWord() == "tensor" && take("<") ? countBits() : 0;
    text = before;
    if (count > 1 && digits.size() == 2 * count)
      pack(quoted.take_front(digits.size() + 4), digits, count);
  }

  /// The elements of the tensor of i1 whose extents follow; 0 for any other.
  uint64_t countBits() {
    uint64_t count = 1, extent = 0;
    StringRef extents = takeWord();
    while (!extents.consumeInteger(10, extent) && extents.consume_front("x")) {
      bool overflows = false;
      count = llvm::SaturatingMultiply(count, extent, &overflows);
      if (overflows)
        return 0;
    }
    return extents == "i1" && take(">") ? count : 0;
  }

  /// Writes `"0x…"` and blanks over `quoted`, which has a byte per element.
  void pack(StringRef quoted, StringRef digits, uint64_t count) {
    std::string packed(llvm::divideCeil(count, 8), '\0');
    for (uint64_t i = 0; i < count; ++i)
      if (digits.substr(2 * i, 2) != "00")
        packed[i / 8] |= 1 << (i % 8);
    std::string written = "\"0x" + llvm::toHex(packed) + "\"";
    written.resize(quoted.size(), ' ');
    if (result.numByteConstants++ == 0)
      result.firstByteConstant = quoted.data() - result.text.data();
    std::copy(written.begin(), written.end(), at(quoted));
  }

  OldText &result;
  /// The rest of the text, in `result.text`.
  StringRef text;
  bool isBehindParenthesis = false;
};

} // namespace

OldText broadloom::read::prepareText(StringRef text) {
  OldText result;
  result.text = text.str();
  Rewriter(result).run();
  return result;
}
