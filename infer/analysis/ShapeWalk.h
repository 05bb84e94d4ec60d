//===- ShapeWalk.h - a function, in the order of its facts ------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Walks a function, through regions, blocks and loops (sf-8), and visits each
// operation with exactly the facts that hold there (rt-8). A value that is one
// of several is their join: an extent that is the same in all of them is that
// extent, any other gets a symbol of its own. For values that a loop carries,
// the walk assumes that each extent stays the same. It then simulates the loop
// without effect, gives up assumptions that turned out wrong, and repeats until
// none is given up.
//
// Invariant: the walk ends, in the same order every time, and takes time linear
// in the program: simulations are limited, and beyond the limit everything that
// a loop carries is given up.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_ANALYSIS_SHAPEWALK_H
#define BROADLOOM_INFER_ANALYSIS_SHAPEWALK_H

#include "infer/analysis/RegionFlow.h"
#include "infer/analysis/ShapeAnalysis.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace broadloom::infer {

class ShapeWalk {
public:
  /// A client of the walk, which is called for each operation.
  class Visitor {
  public:
    virtual ~Visitor();
    /// Visits an operation and computes its results, usually by
    /// ShapeAnalysis::visit. `certain`: each call of the function reaches the
    /// operation. The operation may be changed, but not erased.
    virtual void visit(mlir::Operation *op, bool certain) = 0;
    /// Only adds to the analysis the facts that will hold once the operation
    /// has been visited.
    virtual void simulate(mlir::Operation *op);

    ShapeAnalysis &analysis;

  protected:
    explicit Visitor(ShapeAnalysis &analysis) : analysis(analysis) {}
    /// Whether `simulate` records the origins of facts, for the reasons in a
    /// report.
    bool namesFacts = false;
  };

  explicit ShapeWalk(Visitor &visitor)
      : visitor(visitor), analysis(visitor.analysis) {}

  /// `certain`: whether the function is called at all.
  void run(mlir::FunctionOpInterface func, bool certain);
  /// The same without any effect but on the analysis.
  void simulate(mlir::FunctionOpInterface func);

  /// The join of the shapes that the function returns, with the facts at each
  /// return. Nothing if the function does not return.
  std::optional<std::vector<Shape>> getReturned();

private:
  /// A value as it is passed along an edge: its extents under their own names,
  /// and under those that facts give them there.
  struct Carried {
    mlir::Value value;
    ShapeInfo info;
    Shape known;
    std::optional<Number> number;
    /// The bounds of the number there.
    Bounds bounds;
  };
  using CarriedList = std::vector<Carried>;
  static constexpr int64_t kWhole = -1, kLower = -2, kUpper = -3, kCounted = -4;

  // Regions and blocks, ShapeWalk.cpp.
  void walk(mlir::Region &region, bool certain);
  void walkBlocks(mlir::Region &region, bool certain);
  void walkBlock(mlir::Block &block, bool certain);
  void meet(mlir::Operation *op, bool certain);
  void walkRegions(mlir::Operation *op);
  void walkFlow(mlir::Operation *op, llvm::ArrayRef<FlowEdge> edges);
  void enterBlock(mlir::Block &block);
  void leaveRegion(mlir::Operation *terminator);
  void leaveBlock(mlir::Operation *terminator);
  void leaveFunction(mlir::Operation *terminator);
  /// Walks code that may run several times: simulates it until no assumption
  /// about `inputs` is given up any more.
  void settle(bool repeats, llvm::ArrayRef<mlir::Value> inputs,
              llvm::function_ref<void()> walkAll);

  // Values that are passed along edges, CarriedShapes.cpp.
  Carried carry(mlir::Value value);
  /// `outOf`: the operation that the values leave, or null.
  void receive(mlir::Value input, llvm::ArrayRef<const Carried *> from,
               mlir::Operation *outOf);
  void receiveShape(mlir::Value input, llvm::ArrayRef<const Carried *> from,
                    mlir::Operation *outOf);
  void receiveBounds(mlir::Value input, llvm::ArrayRef<const Carried *> from);
  void receiveDistance(mlir::Value input, llvm::ArrayRef<const Carried *> from,
                       mlir::Operation *outOf);
  /// One extent for those that several values have on one axis, `?` if they
  /// differ.
  Extent join(llvm::ArrayRef<const Carried *> from, size_t axis);
  Shape join(llvm::ArrayRef<const Carried *> from);
  /// Gives up assumptions that do not hold for the next round.
  void check(mlir::Value input, const Carried &carried);
  void checkNumber(mlir::Value input, const Carried &carried);
  /// Assumes that values that a loop carries grow no faster than its index.
  void assumeCounted(mlir::scf::ForOp loop);
  void checkCounted(mlir::Value input, const Number &next);
  bool isAvailable(const Number &number, mlir::Operation *outOf);
  bool isGivenUp(mlir::Value input, int64_t axis) const {
    return givenUp.count({input.getAsOpaquePointer(), axis}) != 0;
  }
  bool isAnyAxisGivenUp(mlir::Value input) const {
    auto first = givenUp.lower_bound({input.getAsOpaquePointer(), 0});
    return first != givenUp.end() && first->first == input.getAsOpaquePointer();
  }
  void giveUp(mlir::Value input, int64_t axis) {
    givenUp.insert({input.getAsOpaquePointer(), axis});
  }
  void giveUpAll(mlir::Value input) {
    for (int64_t what : {kWhole, kLower, kUpper, kCounted})
      giveUp(input, what);
  }

  Visitor &visitor;
  ShapeAnalysis &analysis;
  bool isSimulation = false;
  /// The assumptions that were given up, by receiving value and axis: that the
  /// extent is the same in every round. kWhole stands for a value as a whole,
  /// kLower and kUpper for the bounds of a number, and kCounted for the
  /// assumption that it grows no faster than the loop's index.
  std::set<std::pair<const void *, int64_t>> givenUp;
  /// How many operations may still be simulated.
  size_t budget = 0;
  /// Everything is given up.
  bool isExhausted = false;

  // An operation that is being walked: its edges, by terminator, and the values
  // that were passed along them.
  struct Pending {
    const FlowEdge *edge = nullptr;
    CarriedList carried;
    bool isReached = false;
  };
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<Pending *, 2>> leaving;
  // The state of a block of the regions that are being walked.
  struct BlockState {
    std::vector<CarriedList> incoming;
    bool isEntered = false;
  };
  llvm::DenseMap<mlir::Block *, BlockState> blocks;
  mlir::DominanceInfo dominance;
  std::vector<CarriedList> returned;
};

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_ANALYSIS_SHAPEWALK_H
