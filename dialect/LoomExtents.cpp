//===- LoomExtents.cpp - names for the extents of arguments ---------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/LoomExtents.h"

#include "dialect/FormulaText.h"
#include "dialect/LoomSetShapeStorage.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace broadloom::loom;

#define GET_ATTRDEF_CLASSES
#include "dialect/LoomAttributes.cpp.inc"

void LoomDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialect/LoomAttributes.cpp.inc"
      >();
}

/// Constants that AffineExpr may multiply without leaving 64 bits, and how
/// deep and how long a formula may be, in names and numbers (abi-3).
static constexpr int64_t kMaxConstant = int64_t(1) << 31;
static constexpr unsigned kMaxDepth = 32;
static constexpr unsigned kMaxLeaves = 64;

llvm::hash_code broadloom::loom::hash_value(const NameRange &range) {
  return llvm::hash_combine(range.least, range.most, range.step);
}

std::string broadloom::loom::toText(const NameRange &range) {
  return std::to_string(range.least) + " to " +
         (range.hasMost() ? std::to_string(range.most) : "?") +
         (range.step == 1 ? "" : " step " + std::to_string(range.step));
}

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

static bool isReserved(StringRef word) {
  return llvm::is_contained(
      {"ceildiv", "floordiv", "mod", "step", "to", "where"}, word);
}

namespace {
class ExtentsParser {
public:
  explicit ExtentsParser(AsmParser &parser) : parser(parser) {}

  Attribute parse() {
    SmallVector<AffineExpr> extents;
    auto parseExtent = [&]() -> ParseResult {
      if (succeeded(parser.parseOptionalQuestion())) {
        extents.push_back(ExtentsAttr::getOpen(parser.getContext()));
        return success();
      }
      return parseSum(extents.emplace_back(), 0);
    };
    if (parser.parseLess() || parser.parseCommaSeparatedList(
                                  AsmParser::Delimiter::Square, parseExtent))
      return {};
    ranges.resize(names.size());
    llvm::SMLoc loc = parser.getCurrentLocation();
    if (succeeded(parser.parseOptionalKeyword("where")) &&
        parser.parseCommaSeparatedList([&] { return parseRange(); }))
      return {};
    if (parser.parseGreater())
      return {};
    sortNames(extents, names, ranges);
    return parser.getChecked<ExtentsAttr>(
        loc, parser.getContext(), names,
        AffineMap::get(0, names.size(), extents, parser.getContext()), ranges);
  }

private:
  /// name = least to most (step step)?
  ParseResult parseRange() {
    llvm::SMLoc loc = parser.getCurrentLocation();
    StringRef name;
    if (parser.parseKeyword(&name))
      return failure();
    unsigned index = getName(name);
    ranges.resize(names.size());
    if (ranges[index] != NameRange())
      return parser.emitError(loc, "'") << name << "' has two ranges";
    NameRange &range = ranges[index];
    if (parser.parseEqual() || parser.parseInteger(range.least) ||
        parser.parseKeyword("to"))
      return failure();
    if (failed(parser.parseOptionalQuestion()) &&
        parser.parseInteger(range.most))
      return failure();
    if (succeeded(parser.parseOptionalKeyword("step")))
      return parser.parseInteger(range.step);
    return success();
  }

  /// Upstream's formulas fold constants without checking for overflow.
  ParseResult checkSize(AffineExpr formula) {
    auto isLarge = [](AffineExpr part) {
      auto constant = dyn_cast<AffineConstantExpr>(part);
      bool large = constant && (constant.getValue() > kMaxConstant ||
                                constant.getValue() < -kMaxConstant);
      return large ? WalkResult::interrupt() : WalkResult::advance();
    };
    if (formula.walk(isLarge).wasInterrupted())
      return parser.emitError(parser.getCurrentLocation(),
                              "the formula has a number larger than ")
             << kMaxConstant;
    return success();
  }

  ParseResult parseSum(AffineExpr &sum, unsigned depth) {
    if (parseProduct(sum, depth))
      return failure();
    while (true) {
      bool isPlus = succeeded(parser.parseOptionalPlus());
      if (!isPlus && failed(parser.parseOptionalMinus()))
        return success();
      AffineExpr next;
      if (parseProduct(next, depth))
        return failure();
      sum = isPlus ? sum + next : sum - next;
      if (checkSize(sum))
        return failure();
    }
  }

  ParseResult parseProduct(AffineExpr &product, unsigned depth) {
    if (parseFactor(product, depth))
      return failure();
    while (true) {
      AffineExpr next;
      if (succeeded(parser.parseOptionalStar())) {
        if (parseFactor(next, depth))
          return failure();
        product = product * next;
        if (checkSize(product))
          return failure();
        continue;
      }
      StringRef word;
      if (failed(parser.parseOptionalKeyword(&word,
                                             {"floordiv", "ceildiv", "mod"})))
        return success();
      llvm::SMLoc loc = parser.getCurrentLocation();
      if (parseFactor(next, depth))
        return failure();
      auto divisor = dyn_cast<AffineConstantExpr>(next);
      if (!divisor || divisor.getValue() <= 0)
        return parser.emitError(loc, "expected a positive number after '")
               << word << "'";
      product = word == "floordiv"  ? product.floorDiv(next)
                : word == "ceildiv" ? product.ceilDiv(next)
                                    : product % next;
    }
  }

  ParseResult parseFactor(AffineExpr &factor, unsigned depth) {
    llvm::SMLoc loc = parser.getCurrentLocation();
    if (depth > kMaxDepth)
      return parser.emitError(loc, "the formula is too deep");
    if (succeeded(parser.parseOptionalLParen()))
      return failure(parseSum(factor, depth + 1) || parser.parseRParen());
    if (succeeded(parser.parseOptionalMinus())) {
      if (parseFactor(factor, depth + 1))
        return failure();
      factor = -factor;
      return success();
    }
    // Counts names and numbers, not signs and parentheses, of which the printed
    // text may have more.
    if (++numLeaves > kMaxLeaves)
      return parser.emitError(loc, "the formula is too long");
    int64_t constant;
    OptionalParseResult number = parser.parseOptionalInteger(constant);
    if (number.has_value()) {
      if (failed(*number))
        return failure();
      factor = getAffineConstantExpr(constant, parser.getContext());
      return checkSize(factor);
    }
    StringRef name;
    if (failed(parser.parseOptionalKeyword(&name)) || isReserved(name))
      return parser.emitError(
          loc, "expected an extent: a name, a number, a formula or '?'");
    factor = getAffineSymbolExpr(getName(name), parser.getContext());
    return success();
  }

  unsigned getName(StringRef name) {
    StringAttr attribute = StringAttr::get(parser.getContext(), name);
    auto *it = llvm::find(names, attribute);
    unsigned index = it - names.begin();
    if (it == names.end())
      names.push_back(attribute);
    return index;
  }

  AsmParser &parser;
  SmallVector<StringAttr> names;
  SmallVector<NameRange> ranges;
  unsigned numLeaves = 0;
};
} // namespace

Attribute ExtentsAttr::parse(AsmParser &parser, Type) {
  return ExtentsParser(parser).parse();
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

ExtentsAttr ExtentsAttr::getInOrder(MLIRContext *context,
                                    SmallVector<StringAttr> names,
                                    SmallVector<AffineExpr> extents,
                                    SmallVector<NameRange> ranges) {
  sortNames(extents, names, ranges);
  return get(context, names, AffineMap::get(0, names.size(), extents, context),
             ranges);
}

AffineExpr ExtentsAttr::getOpen(MLIRContext *context) {
  return getAffineConstantExpr(ShapedType::kDynamic, context);
}

AffineExpr ExtentsAttr::getExtent(unsigned axis) const {
  AffineExpr extent = getExtents().getResult(axis);
  return extent == getOpen(getContext()) ? AffineExpr() : extent;
}

std::optional<unsigned> ExtentsAttr::getName(unsigned axis) const {
  if (auto symbol = dyn_cast<AffineSymbolExpr>(getExtents().getResult(axis)))
    return symbol.getPosition();
  return std::nullopt;
}

std::string ExtentsAttr::getText(unsigned axis) const {
  AffineExpr extent = getExtent(axis);
  if (!extent)
    return "?";
  return toText(extent, getNames());
}

void ExtentsAttr::print(AsmPrinter &printer) const {
  printer << "<[";
  llvm::interleaveComma(llvm::seq<int64_t>(0, getRank()), printer,
                        [&](int64_t axis) { printer << getText(axis); });
  printer << "]";
  bool isFirst = true;
  for (auto [name, range] : llvm::zip_equal(getNames(), getRanges())) {
    if (range == NameRange())
      continue;
    printer << (isFirst ? " where " : ", ") << name.getValue() << " = "
            << toText(range);
    isFirst = false;
  }
  printer << ">";
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

static bool isIdentifier(StringRef name) {
  return !name.empty() && !llvm::isDigit(name.front()) &&
         llvm::all_of(name,
                      [](char c) { return llvm::isAlnum(c) || c == '_'; });
}

LogicalResult ExtentsAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                  ArrayRef<StringAttr> names, AffineMap extents,
                                  ArrayRef<NameRange> ranges) {
  if (extents.getNumDims() != 0 || extents.getNumSymbols() != names.size() ||
      ranges.size() != names.size())
    return emitError() << "there are " << names.size() << " names, "
                       << extents.getNumSymbols() << " symbols and "
                       << ranges.size() << " ranges";
  llvm::StringSet<> seen;
  for (size_t i = 0; i < names.size(); ++i) {
    StringAttr name = names[i];
    const NameRange &range = ranges[i];
    if (!isIdentifier(name) || isReserved(name))
      return emitError() << "'" << name.getValue()
                         << "' is no name for an extent: a name has letters, "
                            "digits and '_', begins with none of the digits, "
                            "and is none of ceildiv, floordiv, mod, step, to "
                            "and where";
    if (!seen.insert(name).second)
      return emitError() << "the name '" << name.getValue()
                         << "' is there twice";
    if (range.least < 0)
      return emitError() << "the range of '" << name.getValue()
                         << "' begins at " << range.least
                         << ", but no extent is negative";
    if (range.most < range.least)
      return emitError() << "the range of '" << name.getValue()
                         << "' is empty: " << range.least << " to "
                         << range.most;
    if (range.step <= 0)
      return emitError() << "the range of '" << name.getValue() << "' has step "
                         << range.step << "; it must be at least 1";
    bool isUsed = llvm::any_of(extents.getResults(), [&](AffineExpr extent) {
      return extent.isFunctionOfSymbol(i);
    });
    if (!isUsed && range == NameRange())
      return emitError() << "the name '" << name.getValue() << "' is not used";
  }
  for (AffineExpr extent : extents.getResults())
    if (auto constant = dyn_cast<AffineConstantExpr>(extent);
        constant && constant.getValue() < 0 &&
        constant.getValue() != ShapedType::kDynamic)
      return emitError() << "extent " << constant.getValue() << " is negative";
  return success();
}
