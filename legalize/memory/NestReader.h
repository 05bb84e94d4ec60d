//===- NestReader.h - loop nests as integer sets ----------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What stands between a loop and an access in it, as a domain of poly/: loops
// and branches of `affine` and `scf`.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LEGALIZE_MEMORY_NESTREADER_H
#define BROADLOOM_LEGALIZE_MEMORY_NESTREADER_H

#include "legalize/memory/MemoryAccess.h"
#include "legalize/memory/NestNumbers.h"
#include "legalize/memory/ViewSubscripts.h"
#include "poly/Condition.h"
#include "poly/Inside.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace broadloom::legalize {

/// Reads the way from `nest` to one access in it, or to a `memref.subview`,
/// which accesses its first and its last element: its sizes are at least 0, and
/// where one is 0 its offset may be the end of the axis.
class NestReader {
public:
  /// With `isWider`, conditions that are not affine are left out, so that there
  /// may be more iterations than the program has, and a subscript may be a
  /// quotient by a symbol.
  NestReader(mlir::Operation *nest, NestNumbers::Sizes sizes,
             const ExtentRoots &roots, bool isWider = false)
      : nest(nest), numbers(nest, sizes, roots), isWider(isWider) {}

  static bool isLoop(mlir::Operation *op) {
    return llvm::isa<mlir::affine::AffineForOp, mlir::scf::ForOp>(op);
  }
  static bool isBranch(mlir::Operation *op) {
    return llvm::isa<mlir::affine::AffineIfOp, mlir::scf::IfOp>(op);
  }

  /// The loops around `op` with nothing but branches between them, the
  /// innermost first.
  static llvm::SmallVector<mlir::Operation *>
  getLoopsAround(mlir::Operation *op);

  /// Whether `op` is checked as accesses are: one, or a part of memory.
  static bool isChecked(mlir::Operation *op) {
    return MemoryAccess::isAccess(op) || llvm::isa<mlir::memref::SubViewOp>(op);
  }
  /// Whether `op`, which is checked in the nest, could be read; `domain` and
  /// `access` are then what it does. Else `because` may tell why not.
  /// The axes `without` are left out. Where some axes of an access could be
  /// read and others not, the answer is false, and `axes` are the former, which
  /// is then all that `access` has.
  bool read(mlir::Operation *op, llvm::ArrayRef<unsigned> without = {});
  llvm::SmallVector<unsigned> axes;

  /// The memory in front of the nest that `memory` is, or is a view of by
  /// operations in the nest whose elements are all elements of it; or null.
  mlir::Value getInFront(mlir::Value memory) const;
  /// As `read`, but an access to a view that the nest makes is one to the
  /// memory in front of it.
  bool readInFront(mlir::Operation *op);
  /// The same for an access of `callee`, whose memory is an argument or a view
  /// of one, when `call` in the nest runs it. An index that is not affine in
  /// numbers of the nest is any that is inside.
  bool readInCall(mlir::func::CallOp call, mlir::func::FuncOp callee,
                  mlir::Operation *op);
  /// The same for the elements of `memory` where `op` is, which accesses all of
  /// them or some.
  bool readElements(mlir::Operation *op, mlir::Value memory, bool areAll);
  /// Reads the way to a call, of which conditions are then asked. False where
  /// that is not possible.
  bool readCall(mlir::func::CallOp call, mlir::func::FuncOp callee);
  /// Behind readCall(), conditions under which `boolean`, of the callee, is
  /// `isTrue` whenever the call is reached. Nothing where none is known.
  std::optional<std::vector<poly::Condition>> whenAlways(mlir::Value boolean,
                                                         bool isTrue);
  /// Behind readCall(), conditions under which the address of the first element
  /// of `later` is less than that of `earlier`, or at least as many bytes
  /// behind it as `size`, of the callee, says. Both are operands of the call,
  /// and parts of `root`, in front of the nest. Nothing where none is known.
  std::optional<std::vector<poly::Condition>> whenApart(mlir::Value earlier,
                                                        mlir::Value later,
                                                        mlir::Value root,
                                                        mlir::Value size);

  /// Reads the way from the function that is the nest to `op`. Loops and
  /// conditions that are not affine in its arguments are left out, so that
  /// there are more iterations; the answer is then false.
  bool readInFunction(mlir::Operation *op);
  /// A number at the end of the way, or the extent of memory there, or nothing.
  std::optional<NestNumbers::Bounded> getNumber(mlir::Value value) {
    return numbers.get(value);
  }
  std::optional<poly::Form> getNumber(mlir::AffineExpr expr, unsigned numDims,
                                      mlir::ValueRange operands);
  std::optional<poly::Form> getExtent(mlir::Value memory, int64_t axis);
  /// The subscripts in `root` of an access at the end of the way.
  Subscripts getSubscripts(const MemoryAccess &what, mlir::Value root);
  /// The subscripts in `root` of what the iterations of `op`, at the end of the
  /// way, access by `operand`, which is memory (mem-8). Nothing where the
  /// extent of one of its loops is not known.
  std::optional<Subscripts> getOfIterations(mlir::linalg::LinalgOp op,
                                            mlir::OpOperand &operand,
                                            mlir::Value root);
  /// The subscripts in `root` of an element of `memory`, a view of it, and
  /// those in `memory` itself, which are new variables. Nothing where an extent
  /// of `memory` is not known.
  std::optional<std::pair<Subscripts, Subscripts>>
  getAnyElement(mlir::Value memory, mlir::Value root);
  /// Whether only calls for which `condition` holds get further, as far as that
  /// is affine; else nothing changes.
  void require(mlir::Value condition);
  /// What holds where `what`, an access to `root` or to a view of it, is inside
  /// at the end of the way, as far as subscripts and extents are known.
  poly::Rows getInside(const MemoryAccess &what, mlir::Value root);
  /// Only calls get further in which that holds.
  void requireInside(const MemoryAccess &what, mlir::Value root);
  /// An axis of memory.
  using Axis = std::pair<mlir::Value, int64_t>;
  /// Calls `visit` for the extents that a copy (mem-4) or an operation of
  /// `linalg` (mem-8) compares first; for nothing of another operation.
  static void
  forEachComparison(mlir::Operation *op,
                    llvm::function_ref<void(Axis first, Axis second)> visit);
  /// Only calls get further in which these extents are equal, as far as they
  /// are affine. Whether any are compared that are not known to be.
  bool requireEqualExtents(mlir::Operation *op);

  const poly::Domain &getDomain() const { return numbers.domain; }
  double getRoom() const { return numbers.getRoom(); }
  poly::Access access;
  /// What must hold for the access to be inside: each number is at least 0 and
  /// less than its extent. For memory whose shape is a set, these are no
  /// subscripts.
  const poly::Access &getChecked() const {
    return membership.empty() ? access : membership;
  }
  std::string because;
  /// Whether the program may have fewer accesses than were read: a called
  /// function need not get to each, and elements that are not known are any.
  bool mayHaveFewer() const { return hasMore; }
  const std::vector<std::pair<poly::Variable, NestSymbol>> &getSymbols() const {
    return numbers.symbols;
  }
  /// Steps that are no constants, and divisors of subscripts: what is read
  /// holds where each is at least 1. Such a loop is read as one of step 1,
  /// which has more iterations.
  const std::vector<poly::Form> &getSteps() const { return steps; }

  /// Whether the condition may fail where all accesses are inside.
  bool readsMore() const { return isWider || !steps.empty(); }

  bool isLimited(const NestSymbol &symbol) const {
    return numbers.isLimited(symbol);
  }
  /// Limited symbols are less than 2 to this power, of either sign.
  int getBits() const { return numbers.getBits(); }
  /// When the access is inside: the exact condition, or, of a wider reader, one
  /// under which it surely is.
  poly::Inside whenInside() const;
  /// Whether all numbers of the condition fit 61 bits.
  bool fits(const poly::Condition &condition) const;

  /// When the iterations of the nest's own loop whose variable is less than
  /// `end` are inside, a variable that is no symbol of this reader.
  struct Prefix {
    poly::Condition condition;
    poly::Variable end;
  };
  std::optional<Prefix> getPrefix() const;

private:
  bool addLoop(mlir::affine::AffineForOp loop);
  bool addLoop(mlir::scf::ForOp loop);
  bool addLoop(mlir::Value index, llvm::ArrayRef<NestNumbers::Bounded> lowers,
               llvm::ArrayRef<NestNumbers::Bounded> uppers,
               const NestNumbers::Bounded &step);
  bool addCondition(mlir::affine::AffineIfOp branch, bool isElse);
  bool addCondition(mlir::scf::IfOp branch, bool isElse);
  bool addBounds(mlir::AffineMap map, mlir::ValueRange operands,
                 llvm::SmallVectorImpl<NestNumbers::Bounded> &bounds);
  bool addBounds(mlir::Value value, bool isUpper,
                 llvm::SmallVectorImpl<NestNumbers::Bounded> &bounds);
  bool addQuotient(mlir::AffineExpr expr, unsigned numDims,
                   mlir::ValueRange operands, const poly::Form &extent);
  Subscripts readSubscripts(const MemoryAccess &of);
  bool readView(mlir::memref::SubViewOp view);
  NestNumbers::Bounded addAny(const NestNumbers::Bounded &extent);
  bool addAccess(mlir::Value memory, mlir::Value root, Subscripts subscripts);
  bool isRead(mlir::Operation *op, mlir::Operation *inner);
  bool readPath(mlir::Operation *op);
  void readMembership(mlir::Value memory);
  std::optional<NestNumbers::Bounded> getFirstPlace(mlir::Value memory,
                                                    mlir::Value root);
  std::optional<std::vector<poly::Condition>>
  whenNever(llvm::ArrayRef<poly::Rows> failures);

  mlir::Operation *nest;
  NestNumbers numbers;
  const bool isWider;
  poly::Access membership;
  std::vector<poly::Form> steps;
  bool hasMore = false;
  /// The greatest absolute value of the variable of the nest's own loop.
  double sizeOfFirst = 0;
};

/// An access and when it is inside. Equal accesses of one block share a reader.
struct CheckedAccess {
  mlir::Operation *op;
  std::shared_ptr<NestReader> reader;
  poly::Condition condition;
  /// The axes that the condition is about; none where it is about all.
  llvm::SmallVector<unsigned> axes = {};

  /// Whether a call may have numbers that are too large for the condition.
  bool hasLimit() const {
    return llvm::any_of(reader->getSymbols(), [&](const auto &entry) {
      return reader->isLimited(entry.second);
    });
  }
  /// Whether it is outside in an iteration that each call has.
  bool isRefuted() const {
    return llvm::any_of(condition.clauses, [](const poly::Clause &clause) {
      return clause.empty();
    });
  }
  /// Whether a call must check anything in front of the nest.
  bool hasGuard() const {
    return !condition.isTrue() || hasLimit() || !reader->getSteps().empty();
  }
};

} // namespace broadloom::legalize

#endif // BROADLOOM_LEGALIZE_MEMORY_NESTREADER_H
