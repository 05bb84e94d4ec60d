//===- LoopEdit.h - edits of loops over memory ------------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Edits of `scf.for` behind all guards. What an edit proves holds under a
// condition that the call compares, such as that memory does not overlap
// (sch-10). So an edited nest is one branch of its version, and the other
// branch has the nest as the program has it.
//
// An edit that is refused leaves the program in some state, which nobody uses.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_SCHEDULE_LOOPEDIT_H
#define BROADLOOM_CODEGEN_SCHEDULE_LOOPEDIT_H

#include "codegen/memory/MemoryAttributes.h"
#include "codegen/schedule/LoopOrder.h"
#include "dialect/MemoryFunction.h"

#include "mlir/IR/PatternMatch.h"

namespace broadloom::codegen {

using Loops = llvm::SmallVector<mlir::scf::ForOp>;

/// Arithmetic with bounds of loops.
template <typename Op>
mlir::Value makeOfBounds(mlir::RewriterBase &b, mlir::Location loc,
                         mlir::Value x, mlir::Value y) {
  auto op = Op::create(b, loc, x, y);
  op->setAttr(loom::kOfBounds, b.getUnitAttr());
  return op;
}

/// The outermost loop around `loop`, or that itself.
mlir::scf::ForOp getNest(mlir::scf::ForOp loop);

/// Whether `op` makes memory for a copy (sch-19); false of none.
inline bool isCopy(mlir::Operation *op) {
  return op && op->hasAttr(loom::kCopyOf);
}

/// Of a loop in a tile, whose step is not 1: the first iteration of the loop
/// that was tiled, and where the tile begins.
struct InTile {
  mlir::Value first, begin;
};
using InTiles = llvm::DenseMap<mlir::Operation *, InTile>;

/// One edit. Functions that return loops return none, with `because`, where it
/// is refused.
class LoopEdit {
public:
  /// `effects` as for LoopOrder.
  explicit LoopEdit(mlir::RewriterBase &b,
                    const legalize::CallEffects *effects = nullptr)
      : b(b), effects(effects) {}

  Loops interchange(llvm::ArrayRef<mlir::scf::ForOp> loops,
                    llvm::ArrayRef<int64_t> order);
  Loops tile(llvm::ArrayRef<mlir::scf::ForOp> loops,
             llvm::ArrayRef<int64_t> sizes);
  Loops reverse(mlir::scf::ForOp loop);
  Loops unroll(mlir::scf::ForOp loop, int64_t factor);
  Loops unrollAndJam(llvm::ArrayRef<mlir::scf::ForOp> loops, int64_t factor);
  Loops distribute(mlir::scf::ForOp loop, int64_t statement);
  Loops fuse(mlir::scf::ForOp first, mlir::scf::ForOp second);
  Loops shift(mlir::scf::ForOp loop, int64_t by);
  Loops skew(mlir::scf::ForOp outer, mlir::scf::ForOp loop, int64_t by);
  /// Errors of later passes tell of the place `edit`.
  Loops parallelize(mlir::scf::ForOp loop, mlir::Location edit);
  Loops vectorize(mlir::scf::ForOp loop, int64_t lanes);
  /// Copies what the loop touches of the memory that has this name.
  Loops pack(mlir::scf::ForOp loop, llvm::StringRef name);

  /// Puts a nest back that edits have left in `version`, which is a nest if
  /// they have not begun.
  mlir::scf::ForOp undo(mlir::Operation *version);

  /// Whether no loop from `loop` on runs on threads or as vectors; else it is
  /// refused.
  bool checkIsUnmarked(mlir::scf::ForOp loop);

  std::string because;
  /// What of the program `because` is about, if it is one operation.
  mlir::Operation *culprit = nullptr;

private:
  Loops refuse(const llvm::Twine &text, mlir::Operation *op = nullptr);
  /// Reads the accesses of the loops, and opens the version of the nest that
  /// has them, which runs only where answers hold. Null where the edit is
  /// refused.
  std::unique_ptr<LoopOrder> open(llvm::ArrayRef<mlir::scf::ForOp> loops);
  mlir::scf::IfOp getVersion(mlir::scf::ForOp nest);
  bool joinVersions(mlir::scf::IfOp first, mlir::scf::IfOp second);
  void require(mlir::scf::IfOp version, mlir::Value condition);
  /// Has calls in which the loop has no iterations run the nest of the program,
  /// if its bounds can be computed in front of that.
  void requireIterations(mlir::scf::ForOp loop);
  void moveSymbols(mlir::scf::IfOp version);
  /// Moves what stands between the two in front of both.
  bool moveInFront(mlir::Operation *first, mlir::Operation *second);

  bool checkForm(mlir::scf::ForOp loop);
  bool checkCarriesNothing(mlir::scf::ForOp loop);
  bool checkHasNoCheck(mlir::scf::ForOp loop);
  bool checkBand(llvm::ArrayRef<mlir::scf::ForOp> loops);
  /// The memref of the loop that a script calls `name`; null if it is none, or
  /// not one.
  mlir::Value getMemory(mlir::scf::ForOp loop,
                        const legalize::LoopAccesses &facts,
                        llvm::StringRef name);
  /// Whether all accesses of the memory are loads and stores that may be of a
  /// copy; gives these.
  bool checkIsPackable(mlir::scf::ForOp loop, mlir::Value memory,
                       const legalize::LoopAccesses &facts,
                       llvm::SmallVectorImpl<mlir::Operation *> &accesses);

  /// Whether the loops have bounds that depend on loops which `order` has
  /// inside of them.
  bool needsProjection(llvm::ArrayRef<mlir::scf::ForOp> loops,
                       llvm::ArrayRef<int64_t> order);
  Loops permute(llvm::ArrayRef<mlir::scf::ForOp> loops,
                llvm::ArrayRef<int64_t> order);
  Loops permuteProjected(llvm::ArrayRef<mlir::scf::ForOp> loops,
                         llvm::ArrayRef<int64_t> order,
                         const InTiles &inTiles = InTiles());
  void requireIterations(llvm::ArrayRef<mlir::scf::ForOp> loops,
                         llvm::ArrayRef<int64_t> order);
  void moveBodies(llvm::ArrayRef<mlir::scf::ForOp> loops,
                  llvm::ArrayRef<int64_t> order, const Loops &made,
                  mlir::Value condition = nullptr);
  mlir::scf::ForOp split(mlir::scf::ForOp loop, int64_t size);
  mlir::scf::ForOp splitAligned(mlir::scf::ForOp loop, int64_t size,
                                std::pair<mlir::Value, mlir::Value> tiles);
  /// Bounds of loops over tiles in front of the band, for the loops whose
  /// bounds depend on others of it.
  bool computeAligned(
      llvm::ArrayRef<mlir::scf::ForOp> loops, llvm::ArrayRef<int64_t> sizes,
      llvm::SmallVectorImpl<std::pair<mlir::Value, mlir::Value>> &tiles);
  mlir::scf::ForOp fuseUnequal(mlir::scf::ForOp first, mlir::scf::ForOp second);

  bool addToVariable(mlir::scf::ForOp loop, mlir::Value offset);
  /// The same number by fewer operations, where parts of sums are equal.
  mlir::Value joinParts(mlir::Value value);
  /// The body of `loop` sees `number` in place of the variable, of which the
  /// operation of `number` computes it.
  void replaceVariable(mlir::scf::ForOp loop, mlir::Value number);
  bool checkFactor(mlir::scf::ForOp loop, int64_t factor);
  mlir::Value computeEnd(mlir::scf::ForOp loop, int64_t factor,
                         mlir::Value steps);
  void copyIterations(mlir::scf::ForOp loop, mlir::Value first, int64_t factor,
                      llvm::SmallVectorImpl<mlir::Value> &carried);

  mlir::Value getNumber(int64_t value, mlir::Location loc);
  template <typename Op>
  mlir::Value make(mlir::Location loc, mlir::Value x, mlir::Value y) {
    return makeOfBounds<Op>(b, loc, x, y);
  }
  /// The first number of a grid from `first` on that is at least `value`.
  mlir::Value roundUp(mlir::Location loc, mlir::Value value, mlir::Value first,
                      mlir::Value step);
  /// A loop with the attributes of another one, and no body yet.
  mlir::scf::ForOp makeLoop(mlir::scf::ForOp like, mlir::Value lower,
                            mlir::Value upper, mlir::Value step);

  mlir::RewriterBase &b;
  const legalize::CallEffects *effects;
};

/// Whether no iterations that meet change their order where the loops, with
/// `numAround` loops around them, get another one.
bool mayPermute(LoopOrder &facts, size_t numAround,
                llvm::ArrayRef<int64_t> order);

/// The same for all orders of that many loops, and of their tiles.
bool mayPermuteAny(LoopOrder &facts, size_t numAround, size_t count);

/// What of the loop's body is a statement that `distribute` takes apart.
llvm::SmallVector<mlir::Operation *> getStatements(mlir::scf::ForOp loop);

/// The names of the dimensions of loops one in another, the outermost of a nest
/// first: that of the loop or of its variable, or else "i" and the number of
/// loops around it; with a suffix where a loop around it has the name, or, if
/// it has none of its own, where any loop of the nest does.
llvm::SmallVector<std::string>
nameDimensions(llvm::ArrayRef<mlir::scf::ForOp> loops);

/// Adds the suffix to the name of a loop, if it has one. Its parts keep the
/// name (LoopParts.h).
void nameLoop(mlir::scf::ForOp made, const llvm::Twine &suffix);

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_SCHEDULE_LOOPEDIT_H
