//===- LinearAlgebraConstraints.cpp - constraints of matrices -------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/constraints/ConstraintWriter.h"
#include "infer/constraints/UpstreamConstraints.h"

#include "dialect/LoomDialect.h"
#include "runtime/abi/LinearAlgebraKind.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

namespace {

/// The extents by their letters (LinearAlgebraForm), as far as operands have
/// been read.
class MatrixExtents {
public:
  explicit MatrixExtents(ConstraintWriter &w) : w(w) {}

  /// `words` are those of the axis: "axis 1 of operand 0".
  void constrain(char letter, Index is, const Twine &words) {
    if (letter == 'k' && !known('k') && known('m') && known('n')) {
      Index m = get('m'), n = get('n');
      set('k', w.choose(w.atMost(m, n), m, n), "the smaller extent");
    }
    // Without k, as for a permutation, the rows have no fewer than that.
    if (letter == 'm' && !known('m') && known('k')) {
      w.constrain(w.atMost(get('k'), is),
                  words + " has extent {0}, less than the {1} pivots",
                  {is, get('k')});
      return;
    }
    bool isOneOfTwo = (letter == 'p' || letter == 'q') && !known(letter);
    if (isOneOfTwo) {
      Index whole = get(letter == 'p' ? 'm' : 'n');
      Index m = get('m'), n = get('n');
      Index least = w.choose(w.atMost(m, n), m, n);
      w.constrain(w.either(w.equal(is, whole), w.equal(is, least)),
                  words + " has extent {0}, which is neither {1} nor {2}",
                  {is, whole, least});
    }
    if (!known(letter)) {
      set(letter, is, words.str());
      return;
    }
    w.constrain(w.equal(is, get(letter)),
                words + " has extent {0}, but " + origin(letter) + " has {1}",
                {is, get(letter)});
  }

private:
  bool known(char letter) const { return extents.contains(letter); }
  Index get(char letter) const { return extents.at(letter).first; }
  std::string origin(char letter) const { return extents.at(letter).second; }
  void set(char letter, Index is, std::string words) {
    extents.insert({letter, {is, std::move(words)}});
  }

  ConstraintWriter &w;
  llvm::DenseMap<char, std::pair<Index, std::string>> extents;
};

} // namespace

/// lin-1
bool infer::constrainLinearAlgebra(Operation *op, ConstraintWriter &w) {
  auto algebra = dyn_cast<loom::LinearAlgebraOp>(op);
  if (!algebra)
    return false;
  const LinearAlgebraForm &form = algebra.getForm();
  int64_t batch = algebra.getBatchRank();
  MatrixExtents extents(w);
  for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
    auto axisOf = [number = i](int64_t axis) {
      return ("axis " + Twine(axis) + " of operand " + Twine(number)).str();
    };
    for (int64_t axis = 0; i > 0 && axis < batch; ++axis) {
      Index first = w.getExtent(op->getOperand(0), axis);
      Index is = w.getExtent(operand, axis);
      w.constrain(w.equal(is, first),
                  axisOf(axis) + " has extent {0}, but the batch has {1}",
                  {is, first});
    }
    for (auto [at, letter] : llvm::enumerate(getAxes(form, i))) {
      int64_t axis = batch + int64_t(at);
      extents.constrain(letter, w.getExtent(operand, axis), axisOf(axis));
    }
  }
  return true;
}
