//===- MemoryConstraints.cpp - accesses and views of memory ---------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What must hold where a program over memory reads, writes, cuts and copies
// memory (mem-2 to mem-5).
//
//===----------------------------------------------------------------------===//

#include "dialect/ArgumentName.h"
#include "dialect/CheckedAxes.h"
#include "dialect/LocationText.h"
#include "dialect/MemoryFunction.h"
#include "dialect/MemoryLayouts.h"
#include "infer/constraints/NumberWords.h"
#include "infer/constraints/UpstreamConstraints.h"
#include "infer/functions/Origin.h"
#include "poly/PackedSet.h"
#include "shape/Message.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

std::string infer::describeResult(Operation *op) {
  std::string place = getFileLocationText(op->getLoc());
  return "the result of '" + infer::getOrigin(op).str() + "'" +
         (place.empty() ? "" : " at " + place);
}

std::string infer::describeMemory(Value memory) {
  while (auto cast = memory.getDefiningOp<memref::CastOp>())
    memory = cast.getSource();
  if (Operation *op = memory.getDefiningOp()) {
    auto original = op->getAttrOfType<StringAttr>(loom::kCopyOf);
    if (original)
      return "the copy of " + original.getValue().str();
    std::string name = loom::getValueName(memory);
    return name.empty() ? describeResult(op)
                        : name + " (" + describeResult(op) + ")";
  }
  auto argument = cast<BlockArgument>(memory);
  auto func = dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp());
  if (!func || !argument.getOwner()->isEntryBlock()) {
    std::string name = loom::getValueName(argument);
    return name.empty() ? "memory of a block's argument" : name;
  }
  std::string name = loom::getArgumentText(argument);
  return func.isPublic() ? name : name + " of '" + func.getName().str() + "'";
}

namespace {

class MemoryWriter {
public:
  explicit MemoryWriter(ConstraintWriter &w) : w(w) {}

  void constrainAccess(Operation *op, Value memory, ValueRange indices) {
    if (loom::SetShapeAttr set = loom::getSetShape(memory.getType()))
      return constrainMembership(set, memory, indices);
    ArrayRef<int64_t> checked = loom::getCheckedAxes(op);
    for (auto [axis, value] : llvm::enumerate(indices)) {
      if (llvm::is_contained(checked, int64_t(axis)))
        continue;
      Index index = w.getIndex(value), extent = w.getExtent(memory, axis);
      if (std::optional<int64_t> known = getConstantIntValue(value))
        index = w.get(*known);
      w.constrain(w.both(w.isNatural(index), w.less(index, extent)),
                  "index {0} is outside " + name(memory, axis) +
                      ", whose extent is {1}",
                  {index, extent}, [&] {
                    NumberWords words(w);
                    return words.follow(words.get(index));
                  });
    }
  }

  void constrain(memref::DimOp op) {
    Index axis = w.getIndex(op.getIndex());
    if (std::optional<int64_t> known = op.getConstantIndex())
      axis = w.get(*known);
    Index rank = getRank(op.getSource());
    w.constrain(w.both(w.isNatural(axis), w.less(axis, rank)),
                "there is no axis {0}, the memory has rank {1}", {axis, rank});
  }

  void constrain(memref::CastOp op) {
    auto to = dyn_cast<MemRefType>(op.getType());
    if (!to)
      return;
    if (isa<UnrankedMemRefType>(op.getSource().getType())) {
      // A cast to a type that tells more stands behind it (NormalizeMemory).
      Index is = getRank(op.getSource()), should = w.get(to.getRank());
      w.constrain(w.equal(is, should),
                  escapeTemplate(describeMemory(op.getSource())) +
                      " has rank {0}, but the result's type has rank {1}",
                  {is, should});
      return;
    }
    for (int64_t axis : llvm::seq<int64_t>(0, to.getRank())) {
      if (to.isDynamicDim(axis))
        continue;
      Index is = w.getExtent(op.getSource(), axis),
            should = w.get(to.getDimSize(axis));
      w.constrain(w.equal(is, should),
                  name(op.getSource(), axis) +
                      " has extent {0}, but the result's type has {1}",
                  {is, should});
    }
  }

  void constrain(memref::SubViewOp op) {
    for (auto [axis, offset, size, stride] : llvm::enumerate(
             op.getMixedOffsets(), op.getMixedSizes(), op.getMixedStrides())) {
      Index extent = w.getExtent(op.getSource(), axis);
      std::string text = "the view takes {0} elements of " +
                         name(op.getSource(), axis) + " from {1} on";
      SmallVector<Index> shown = {size, offset, extent};
      if (ConstraintWriter::getKnown(stride) != 1) {
        text += " in steps of {3}";
        shown.push_back(stride);
      }
      w.constrain(liesInside(w, offset, size, stride, extent),
                  text + ", but the extent is {2}", shown,
                  [&, offset = offset, size = size, stride = stride] {
                    NumberWords words(w);
                    return words.follow(
                        describeSlice(words, offset, size, stride));
                  });
      // Views are no larger than what they view, which the analysis relies on.
      w.constrain(w.either(w.atMost(size, w.get(1)),
                           w.isNot(w.equal(stride, w.get(0)))),
                  "the view takes one element of " +
                      name(op.getSource(), axis) + " {0} times",
                  size);
    }
  }

  void constrain(memref::CopyOp op) {
    auto type = cast<MemRefType>(op.getSource().getType());
    for (int64_t axis : llvm::seq<int64_t>(0, type.getRank())) {
      Index from = w.getExtent(op.getSource(), axis),
            to = w.getExtent(op.getTarget(), axis);
      w.constrain(w.equal(from, to),
                  name(op.getSource(), axis) + " has extent {0}, but " +
                      name(op.getTarget(), axis) + " has {1}",
                  {from, to});
    }
  }

  void constrain(bufferization::MaterializeInDestinationOp op) {
    auto type = cast<RankedTensorType>(op.getSource().getType());
    for (int64_t axis : llvm::seq<int64_t>(0, type.getRank())) {
      Index from = w.getExtent(op.getSource(), axis),
            to = w.getExtent(op.getDest(), axis);
      w.constrain(w.equal(from, to),
                  "axis " + Twine(axis) +
                      " of the tensor has extent {0}, but " +
                      name(op.getDest(), axis) + " has {1}",
                  {from, to});
    }
  }

  /// Sizes that are computed; the runtime checks that the memory can exist.
  void constrainSizes(ArrayRef<OpFoldResult> sizes) {
    for (auto [axis, size] : llvm::enumerate(sizes))
      w.constrain(
          w.isNatural(size),
          "axis " + Twine(axis) + " has extent {0}, expected at least 0", size);
  }

  /// set-2. Extents that are one are given as one; up to the limit, places are
  /// computed in 64 bits.
  void constrainSet(loom::SetShapeAttr set, ArrayRef<OpFoldResult> sizes) {
    const poly::Signature &names = set.getSet().getSignature();
    Index limit = w.get(int64_t(1) << set.getPacked().bits);
    for (auto [axis, size] : llvm::enumerate(sizes)) {
      unsigned first = set.getSymbolAxis(axis);
      if (first != axis)
        w.constrain(w.equal(sizes[first], size),
                    "axis " + Twine(first) + " has extent {0}, but axis " +
                        Twine(axis) + " has {1}; both are '" +
                        names.symbols[first] + "' of the shape",
                    {sizes[first], size});
      w.constrain(w.less(size, limit),
                  "axis " + Twine(axis) +
                      " has extent {0}, but places of its shape are computed "
                      "for extents less than {1}",
                  {size, limit});
    }
  }

private:
  /// `2 elements from %i * 4 on`
  static std::optional<std::string>
  describeSlice(NumberWords &words, Index offset, Index size, Index stride) {
    std::optional<std::string> count = words.get(size),
                               from = words.get(offset),
                               step = words.get(stride);
    if (!count || !from || !step)
      return std::nullopt;
    return *count + " elements from " + *from + " on" +
           (*step == "1" ? "" : " in steps of " + *step);
  }

  /// `[%i, %j + 1]`
  static std::optional<std::string> describeElement(NumberWords &words,
                                                    ValueRange indices) {
    std::vector<std::string> texts;
    for (Value index : indices) {
      std::optional<std::string> text = words.get(index);
      if (!text)
        return std::nullopt;
      texts.push_back(*text);
    }
    return "[" + llvm::join(texts, ", ") + "]";
  }

  /// A sum of products with numbers, which is not negative or zero. Terms are
  /// on the side where they are added.
  Claim holds(const poly::Row &row, ArrayRef<Index> values) {
    int64_t constant = row.form.getConstant();
    Index more = w.get(std::max<int64_t>(constant, 0)),
          less = w.get(std::max<int64_t>(-constant, 0));
    for (const poly::Form::Term &term : row.form.getTerms()) {
      Index product = w.multiply(w.get(std::abs(term.coefficient)),
                                 values[term.monomial.getFactor(0)]);
      Index &side = term.coefficient > 0 ? more : less;
      side = w.add(side, product);
    }
    return row.isZero ? w.equal(less, more) : w.atMost(less, more);
  }

  /// set-3
  void constrainMembership(loom::SetShapeAttr set, Value memory,
                           ValueRange indices) {
    const poly::Signature &names = set.getSet().getSignature();
    SmallVector<Index> values, shown;
    std::string element, where;
    for (unsigned symbol = 0; symbol < set.getNumSymbols(); ++symbol)
      values.push_back(w.getExtent(memory, symbol));
    for (Value value : indices) {
      Index index = w.getIndex(value);
      if (std::optional<int64_t> known = getConstantIntValue(value))
        index = w.get(*known);
      values.push_back(index);
      element +=
          (element.empty() ? "{" : ", {") + std::to_string(shown.size()) + "}";
      shown.push_back(index);
    }
    for (unsigned symbol = 0; symbol < set.getNumSymbols(); ++symbol) {
      where += (symbol ? " and " : ", where ") + names.symbols[symbol] +
               " is {" + std::to_string(shown.size()) + "}";
      shown.push_back(values[symbol]);
    }
    Claim isMember = true;
    for (const poly::Row &row : set.getSet().getParts().front())
      isMember = w.both(isMember, holds(row, values));
    w.constrain(isMember,
                "element [" + element + "] is not in the shape of " +
                    escapeTemplate(describeMemory(memory)) + ", " +
                    set.getText() + where,
                shown, [&] {
                  NumberWords words(w);
                  return words.follow(describeElement(words, indices));
                });
  }

  /// Of memory without a rank, legalization has made an operation that tells
  /// it (NormalizeMemory), so that all of its checks are about one number.
  Index getRank(Value memory) {
    if (auto type = dyn_cast<MemRefType>(memory.getType()))
      return w.get(type.getRank());
    for (Operation *user : memory.getUsers())
      if (auto rank = dyn_cast<memref::RankOp>(user))
        return rank.getResult();
    return memref::RankOp::create(w.getBuilder(), w.getLoc(), memory)
        .getResult();
  }

  static std::string name(Value memory, int64_t axis) {
    return escapeTemplate("axis " + std::to_string(axis) + " of " +
                          describeMemory(memory));
  }

  ConstraintWriter &w;
};

} // namespace

bool infer::constrainMemory(Operation *op, ConstraintWriter &writer) {
  bool isOnMemory = isa_and_nonnull<memref::MemRefDialect>(op->getDialect()) ||
                    isa<bufferization::MaterializeInDestinationOp>(op);
  if (!isOnMemory || !loom::isOverMemory(op) || op->hasAttr(loom::kChecked))
    return false;
  MemoryWriter w(writer);
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<memref::LoadOp, memref::StoreOp>([&](auto access) {
        w.constrainAccess(access, access.getMemRef(), access.getIndices());
        return true;
      })
      .Case<memref::AllocOp, memref::AllocaOp>([&](auto made) {
        w.constrainSizes(made.getMixedSizes());
        if (loom::SetShapeAttr set = loom::getSetShape(made.getType()))
          w.constrainSet(set, made.getMixedSizes());
        return true;
      })
      .Case<memref::DimOp, memref::CastOp, memref::SubViewOp, memref::CopyOp,
            bufferization::MaterializeInDestinationOp>([&](auto it) {
        w.constrain(it);
        return true;
      })
      .Default([&](Operation *) { return constrainView(op, writer); });
}
