//===- ExtentOrigins.cpp - where extents come from, in words --------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/constraints/ExtentOrigins.h"
#include "infer/numbers/NumberText.h"
#include "infer/numbers/SymbolExtents.h"

#include "dialect/ArgumentName.h"
#include "dialect/VariableName.h"
#include "infer/functions/Origin.h"
#include "infer/report/OperationNumber.h"
#include "shape/Message.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

/// What users call an operation: the importer's word for it, or the name of the
/// operation that legalization has replaced.
static StringRef getUsersName(Operation *op) {
  return hasOrigin(op) ? getOrigin(op) : getOriginalName(op);
}

static std::string describeArgument(BlockArgument argument) {
  if (StringRef variable = loom::getVariableName(argument); !variable.empty())
    return "variable '" + variable.str() + "'";
  Operation *parent = argument.getOwner()->getParentOp();
  std::string name = loom::getArgumentText(argument);
  if (auto function = dyn_cast<FunctionOpInterface>(parent);
      function && argument.getOwner()->isEntryBlock()) {
    // Arguments of a public function need no function's name: they are those of
    // the call.
    if (!function.isPublic())
      name += " of '" + function.getName().str() + "'";
    return name;
  }
  if (std::string own = loom::getValueName(argument); !own.empty())
    return own;
  return argument.getOwner()->isEntryBlock()
             ? name + " of a region of '" + getUsersName(parent).str() + "'"
             : name + " of a block";
}

static std::string describeValue(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return describeArgument(argument);
  if (matchPattern(value, m_Constant()))
    return "a constant";
  Operation *op = value.getDefiningOp();
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp,
          arith::ExtUIOp, tensor::CastOp>(op))
    return describeValue(op->getOperand(0));
  if (auto extract = dyn_cast<tensor::ExtractOp>(op))
    return "an element of " + describeValue(extract.getTensor());
  if (auto load = dyn_cast<memref::LoadOp>(op))
    return "an element of " + describeValue(load.getMemRef());
  std::string name = loom::getValueName(value);
  return name.empty() ? "the result of '" + getUsersName(op).str() + "'" : name;
}

static std::string describeLeafAxis(Value value, int64_t axis) {
  return ofAxis(axis, describeValue(value));
}

/// The place where a symbol or an unknown number is read; empty if it has no
/// name.
static std::string describeLeaf(const ShapeAnalysis &analysis, AtomId leaf) {
  const Atom &atom = analysis.getNumbers().getAtom(leaf);
  if (atom.kind == Atom::Kind::Unknown) {
    Value value = analysis.getScalars().getValue(leaf);
    return value ? describeValue(value) : std::string();
  }
  ExtentSource source = analysis.getFacts().findSource(atom.symbol);
  Value value = analysis.getTable().getNode(source.node).value;
  if (!source.isKnown || source.axis < 0 || !value)
    return {};
  return describeLeafAxis(value, source.axis);
}

std::string infer::describeNumber(const ShapeAnalysis &analysis,
                                  const Number &number) {
  static constexpr const char *kNames[] = {"n", "m", "k"};
  const Numbers &numbers = analysis.getNumbers();
  SmallVector<AtomId> leaves;
  forEachLeaf(numbers, number, [&](AtomId leaf) { leaves.push_back(leaf); });
  llvm::sort(leaves);
  if (leaves.empty() || leaves.size() > std::size(kNames))
    return {};
  std::string with;
  for (auto [i, leaf] : llvm::enumerate(leaves)) {
    std::string origin = describeLeaf(analysis, leaf);
    if (origin.empty())
      return {};
    with += std::string(i == 0 ? "" : " and ") + kNames[i] + " = " + origin;
  }
  std::string text = toString(numbers, number, [&](AtomId leaf) {
    return std::string(kNames[llvm::find(leaves, leaf) - leaves.begin()]);
  });
  // A number without a short name is written as `?`.
  if (StringRef(text).contains('?') || text.size() > 40)
    return {};
  return text == "n" ? with.substr(4) : text + " with " + with;
}

std::string infer::traceAxis(ShapeAnalysis &analysis, const ShapeInfo &operand,
                             int32_t axis) {
  if (!operand.shape.isRanked() || axis < 0 ||
      static_cast<size_t>(axis) >= operand.shape.rank())
    return {};
  Extent extent = operand.shape[axis];
  if (extent.isSymbol()) {
    ExtentSource source = analysis.getFacts().findSource(extent.symbolId());
    if (const Number *definition =
            getDefinition(analysis.getNumbers(), extent.symbolId()))
      if (std::string text = describeNumber(analysis, *definition);
          !text.empty())
        return text;
    Value value = analysis.getTable().getNode(source.node).value;
    if (!source.isKnown || !value || source.axis < 0)
      return {};
    return describeLeafAxis(value, source.axis);
  }
  int64_t fromRight = axis - static_cast<int64_t>(operand.shape.rank());
  for (NodeId id : analysis.getTable().getLeaves(operand.node)) {
    const ShapeNode &node = analysis.getTable().getNode(id);
    if (!node.value)
      continue;
    Shape leaf = analysis.getInfo(node.value).shape;
    int64_t own = fromRight + static_cast<int64_t>(leaf.rank());
    if (leaf.isRanked() && own >= 0 && leaf[own] == extent)
      return describeLeafAxis(node.value, own);
  }
  return {};
}

std::string infer::describeNode(const ShapeAnalysis &analysis, NodeId node) {
  Value value = analysis.getTable().getNode(node).value;
  return value ? describeValue(value) : std::string();
}

BlockArgument infer::findArgument(const ShapeAnalysis &analysis, AtomId leaf) {
  if (analysis.getNumbers().getAtom(leaf).kind != Atom::Kind::Unknown)
    return nullptr;
  auto argument =
      dyn_cast_or_null<BlockArgument>(analysis.getScalars().getValue(leaf));
  return argument && argument.getOwner()->isEntryBlock() &&
                 isa<func::FuncOp>(argument.getOwner()->getParentOp())
             ? argument
             : nullptr;
}

std::string infer::nameLeaves(const ShapeAnalysis &analysis,
                              ConditionId condition) {
  static constexpr size_t kMaxLeaves = 3;
  const Numbers &numbers = analysis.getNumbers();
  SmallVector<AtomId> leaves;
  forEachLeafOf(numbers, condition,
                [&](AtomId leaf) { leaves.push_back(leaf); });
  if (leaves.size() > kMaxLeaves)
    return {};
  llvm::sort(leaves);
  std::vector<std::string> texts;
  for (AtomId leaf : leaves) {
    const Atom &atom = numbers.getAtom(leaf);
    if (BlockArgument argument = findArgument(analysis, leaf)) {
      texts.push_back(loom::getArgumentText(argument));
      continue;
    }
    std::string origin = describeLeaf(analysis, leaf);
    if (atom.kind != Atom::Kind::Symbol || origin.empty())
      return {};
    texts.push_back(analysis.getSymbols().name(atom.symbol) + " (" + origin +
                    ")");
  }
  return joinWithAnd(texts);
}

std::string infer::describeSymbol(ShapeAnalysis &analysis, SymbolId symbol) {
  if (const Number *definition = getDefinition(analysis.getNumbers(), symbol))
    if (std::string text = describeNumber(analysis, *definition); !text.empty())
      return text;
  ExtentSource source = analysis.getFacts().findSource(symbol);
  Value value = analysis.getTable().getNode(source.node).value;
  return source.isKnown && value && source.axis >= 0
             ? describeLeafAxis(value, source.axis)
             : "computed from the extents before it";
}
