//===- ParserDefects.cpp - what MLIR's parser crashes on ------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "read/structure/ParserDefects.h"

#include "dialect/LocationText.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Location.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::read;

// A level takes up to 2 KB of the parser's stack. The main thread has 8 MB;
// other threads of some systems have 2 MB.
static constexpr unsigned kMaxDepth = 500;

/// Whether upstream can build the body of a product of matrices of these types.
/// For other types upstream fails without an error.
static bool canMultiply(Type a, Type b, Type sum) {
  if (isa<ComplexType>(sum))
    return !a.isIndex() && !b.isIndex();
  auto isNumber = [&](Type type) {
    return isa<FloatType, IntegerType>(type) ||
           (type.isIndex() && isa<IntegerType>(sum));
  };
  return isa<FloatType, IntegerType>(sum) && isNumber(a) && isNumber(b);
}

static bool isWordPart(char c) {
  return llvm::isAlnum(c) || StringRef("_.$%@#!^").contains(c);
}

namespace {

/// Scans the tokens of a text that are relevant to the defects.
class Scanner {
public:
  Scanner(StringRef text, MLIRContext *context)
      : text(text), context(context) {}

  /// The address and description of the first defect; a null pointer if there
  /// is none.
  std::pair<const char *, StringRef> find() {
    unsigned depth = 0;
    for (skip(); !text.empty(); skip()) {
      const char *at = text.data();
      if (isWordPart(text.front())) {
        StringRef word = takeWord();
        if (word == "array" && isOfIndex())
          return {at,
                  "an array of index has no form of its own; write an array "
                  "of i64, such as array<i64: 1, 0>"};
        if (word.starts_with("!"))
          readAlias(word);
        if ((word == "linalg.batch_matmul" ||
             word == "linalg.batch_reduce_matmul") &&
            !isProductOfNumbers())
          return {at,
                  "a product of matrices takes tensors and memrefs of a rank, "
                  "whose elements are floats, integers or complex numbers"};
        continue;
      }
      char c = text.front();
      text = text.drop_front();
      // `->` is not a bracket.
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

  /// Records `!name = type`, without advancing.
  void readAlias(StringRef name) {
    StringRef before = text;
    skip();
    if (text.consume_front("="))
      aliases[name] = text.take_until([](char c) { return c == '\n'; }).trim();
    text = before;
  }

  /// The text after `:` in the brackets that follow `word`, such as `ins(%a, %b
  /// : type, type)`, with type aliases replaced.
  std::optional<std::string> getTypesBehind(StringRef word) {
    unsigned depth = 0;
    bool isThere = false, isType = false;
    std::string types;
    for (skip(); !text.empty(); skip()) {
      if (isWordPart(text.front())) {
        StringRef next = takeWord();
        isThere |= depth == 0 && next == word;
        if (isType)
          types += aliases.contains(next) ? aliases.lookup(next) : next;
        continue;
      }
      bool isArrow = text.starts_with("->");
      char c = text.front();
      text = text.drop_front(isArrow ? 2 : 1);
      if (!isArrow && StringRef(")]}>").contains(c)) {
        // After the end of the enclosing block.
        if (depth == 0)
          return std::nullopt;
        if (--depth == 0 && isThere)
          return types;
      }
      if (isType)
        types += isArrow ? "->" : std::string(1, c);
      isType |= isThere && depth == 1 && c == ':';
      if (!isArrow && StringRef("([{<").contains(c))
        ++depth;
    }
    return std::nullopt;
  }

  /// Whether the operands of the current operation can be multiplied; true if
  /// the types cannot be read.
  bool isProductOfNumbers() {
    StringRef before = text;
    std::optional<std::string> inputs = getTypesBehind("ins");
    std::optional<std::string> sum = inputs ? getTypesBehind("outs") : inputs;
    text = before;
    if (!sum)
      return true;
    // The parser reports invalid types before it builds the body.
    ScopedDiagnosticHandler quiet(context, [](Diagnostic &) {});
    auto list = dyn_cast_or_null<FunctionType>(
        parseType("(" + *inputs + ", " + *sum + ") -> ()", context));
    if (!list || list.getNumInputs() != 3)
      return true;
    auto getElement = [&](unsigned i) {
      Type type = list.getInput(i);
      return isa<RankedTensorType, MemRefType>(type)
                 ? cast<ShapedType>(type).getElementType()
                 : type;
    };
    return canMultiply(getElement(0), getElement(1), getElement(2));
  }

  StringRef text;
  MLIRContext *context;
  llvm::StringMap<StringRef> aliases;
};

} // namespace

/// What MLIR's parser calls an unexpected character, since an editor does not
/// show it: the mark that some editors write before a text. Empty for any other
/// text.
static StringRef describeByteOrderMark(StringRef text) {
  if (text.starts_with("\xEF\xBB\xBF"))
    return "the text begins with a byte-order mark; save it as UTF-8 without "
           "one";
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF"))
    return "the text is UTF-16; save it as UTF-8";
  return "";
}

LogicalResult read::checkParsable(const llvm::MemoryBuffer &buffer,
                                  MLIRContext *context) {
  if (isBytecode(buffer))
    return success();
  StringRef text = buffer.getBuffer();
  if (StringRef mark = describeByteOrderMark(text); !mark.empty())
    return emitError(getLocationAt(buffer, 0, context)) << mark;
  auto [at, what] = Scanner(text, context).find();
  if (!at)
    return success();
  return emitError(getLocationAt(buffer, size_t(at - text.data()), context))
         << what;
}
