//===- LoopParts.cpp - what edited loops run of the program's -------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/schedule/LoopParts.h"

#include "codegen/schedule/LoopEdit.h"
#include "codegen/schedule/NamedLoops.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

/// Of a store or a call in loops: the number of the statement, which its copies
/// have too.
static constexpr llvm::StringLiteral kStatement = "loom.statement";
/// Of their function: the greatest number.
static constexpr llvm::StringLiteral kStatements = "loom.statements";
/// Of a loop that an edit has made: what it runs of the program's loop, and
/// what it runs for statements of another loop.
static constexpr llvm::StringLiteral kPart = "loom.part", kParts = "loom.parts";
/// Of such a loop: LoopParts::First, if that is not Variable, and then what its
/// variable is.
static constexpr llvm::StringLiteral kFirst = "loom.part_first",
                                     kVariable = "loom.part_variable",
                                     kVariables = "loom.part_variables";

void codegen::numberStatements(func::FuncOp func) {
  int64_t number = 0;
  Builder b(func.getContext());
  visitScheduled(func.getBody(), [&](Operation &op) {
    if (isa<memref::StoreOp, func::CallOp>(op) &&
        op.getParentOfType<scf::ForOp>())
      op.setAttr(kStatement, b.getI64IntegerAttr(++number));
    return false;
  });
  func->setAttr(kStatements, b.getI64IntegerAttr(number));
}

void codegen::numberStatement(Operation *store) {
  auto func = store->getParentOfType<func::FuncOp>();
  auto greatest = func->getAttrOfType<IntegerAttr>(kStatements);
  if (!greatest)
    return;
  auto next =
      Builder(store->getContext()).getI64IntegerAttr(greatest.getInt() + 1);
  store->setAttr(kStatement, next);
  func->setAttr(kStatements, next);
}

void codegen::eraseNumbers(func::FuncOp func) {
  func->removeAttr(kStatements);
  func.walk([](Operation *op) {
    op->removeAttr(kStatement);
    op->removeAttr(kParts);
    op->removeAttr(kFirst);
    op->removeAttr(kVariable);
    op->removeAttr(kVariables);
  });
}

std::optional<int64_t> codegen::getStatementNumber(Operation *op) {
  auto number = op->getAttrOfType<IntegerAttr>(kStatement);
  return number ? std::optional(number.getInt()) : std::nullopt;
}

SmallVector<int64_t> codegen::getStatementNumbers(Operation *op) {
  SmallVector<int64_t> numbers;
  op->walk([&](Operation *inner) {
    if (std::optional<int64_t> number = getStatementNumber(inner))
      numbers.push_back(*number);
  });
  llvm::sort(numbers);
  numbers.erase(llvm::unique(numbers), numbers.end());
  return numbers;
}

const std::string &LoopTexts::get(int64_t number) const {
  auto it = others.find(number);
  return it == others.end() ? all : it->second;
}

LoopTexts LoopTexts::change(
    llvm::function_ref<std::string(const std::string &)> by) const {
  LoopTexts changed{by(all)};
  for (const auto &[number, text] : others)
    changed.others[number] = by(text);
  return changed;
}

LoopTexts LoopTexts::combine(
    const LoopTexts &other,
    llvm::function_ref<std::string(const std::string &, const std::string &)>
        by) const {
  LoopTexts combined{by(all, other.all)};
  for (const auto &texts : {others, other.others})
    for (const auto &[number, text] : texts)
      combined.others[number] = by(get(number), other.get(number));
  return combined;
}

LoopParts LoopParts::change(
    llvm::function_ref<std::string(const std::string &)> by) const {
  return LoopParts{LoopTexts::change(by), first, variable};
}

LoopParts LoopParts::forgetFirst() const {
  LoopParts forgotten = *this;
  forgotten.first = growsBySteps() ? First::BySteps : First::ByOne;
  return forgotten;
}

bool LoopParts::tellsOfEnds() const {
  auto tells = [](const std::string &part) {
    return StringRef(part).contains("ends (");
  };
  return tells(all) || llvm::any_of(others, [&](const auto &other) {
           return tells(other.second);
         });
}

static LoopTexts getTexts(scf::ForOp loop, StringRef ofAll,
                          StringRef ofOthers) {
  LoopTexts texts;
  if (auto all = loop->getAttrOfType<StringAttr>(ofAll)) {
    texts.all = all.getValue();
  } else {
    Loops loops = getLoopsAround(loop);
    loops.push_back(loop);
    texts.all = nameDimensions(loops).back();
  }
  if (auto given = loop->getAttrOfType<DictionaryAttr>(ofOthers))
    for (NamedAttribute text : given) {
      int64_t number = 0;
      text.getName().getValue().getAsInteger(10, number);
      texts.others[number] = cast<StringAttr>(text.getValue()).getValue();
    }
  return texts;
}

static void setTexts(scf::ForOp loop, const LoopTexts &texts, StringRef ofAll,
                     StringRef ofOthers) {
  Builder b(loop.getContext());
  SmallVector<NamedAttribute> others;
  for (const auto &[number, text] : texts.others)
    others.push_back(
        b.getNamedAttr(std::to_string(number), b.getStringAttr(text)));
  loop->setAttr(ofAll, b.getStringAttr(texts.all));
  if (!others.empty())
    loop->setAttr(ofOthers, b.getDictionaryAttr(others));
}

LoopParts codegen::getParts(scf::ForOp loop) {
  LoopParts parts{getTexts(loop, kPart, kParts)};
  parts.variable = parts;
  if (auto first = loop->getAttrOfType<IntegerAttr>(kFirst)) {
    parts.first = LoopParts::First(first.getInt());
    parts.variable = getTexts(loop, kVariable, kVariables);
  }
  return parts;
}

void codegen::setParts(scf::ForOp loop, const LoopParts &parts) {
  for (StringRef name : {kPart, kParts, kFirst, kVariable, kVariables})
    loop->removeAttr(name);
  setTexts(loop, parts, kPart, kParts);
  if (parts.first == LoopParts::First::Variable)
    return;
  loop->setAttr(
      kFirst,
      Builder(loop.getContext()).getI64IntegerAttr(int64_t(parts.first)));
  setTexts(loop, parts.variable, kVariable, kVariables);
}

LoopParts codegen::wrap(StringRef before, const LoopParts &parts,
                        StringRef behind) {
  return parts.change(
      [&](const std::string &part) { return (before + part + behind).str(); });
}

/// Brackets around sums and remainders, before which a sign, and behind which
/// "mod", means another number.
static std::string enclose(const std::string &part) {
  StringRef text = part;
  bool isCompound =
      text.contains(" + ") || text.contains(" - ") || text.contains(" mod ");
  return isCompound ? "(" + part + ")" : part;
}

LoopParts codegen::countIterations(const LoopParts &parts, Value lower,
                                   int64_t step) {
  using First = LoopParts::First;
  if (parts.first == First::Zero)
    return parts;
  std::optional<int64_t> number = parts.first == First::Variable
                                      ? getConstantIntValue(lower)
                                      : std::nullopt;
  LoopParts counts = parts.change([&](const std::string &part) {
    std::string count = part;
    if (!number)
      count += " - first (" + part + ")";
    else if (*number != 0)
      count += (*number < 0 ? " + " : " - ") +
               std::to_string(llvm::AbsoluteValue(*number));
    return parts.growsBySteps() && step != 1
               ? "floordiv (" + count + ", " + std::to_string(step) + ")"
               : count;
  });
  counts.first = First::Zero;
  return counts;
}

LoopParts codegen::takeRemainder(const LoopParts &parts, int64_t size) {
  return wrap("", parts.change(enclose), " mod " + std::to_string(size));
}

LoopParts codegen::divide(const LoopParts &parts, int64_t size, int64_t step) {
  LoopParts divided =
      wrap("floordiv (", parts, ", " + std::to_string(size) + ")");
  std::string times = step == 1 ? "" : std::to_string(step) + " * ";
  divided.variable = parts.variable.combine(
      takeRemainder(parts, size),
      [&](const std::string &variable, const std::string &inTile) {
        return variable + " - " + times + "(" + inTile + ")";
      });
  return divided;
}

LoopParts codegen::reverse(const LoopParts &parts) {
  auto reversed = [](const std::string &of) {
    return "ends (" + of + ") - " + enclose(of);
  };
  LoopParts made = parts.change([&](const std::string &part) {
    // What is reversed twice is as it was.
    StringRef rest = part;
    if (rest.consume_front("ends ("))
      for (size_t end = rest.find(')'); end != StringRef::npos;
           end = rest.find(')', end + 1))
        if (std::string of = rest.take_front(end).str(); part == reversed(of))
          return of;
    return reversed(part);
  });
  // But for an offset, where the loop has been changed between.
  made.variable = parts.first == LoopParts::First::Variable
                      ? made
                      : parts.variable.change(reversed);
  return made;
}
