//===- Translator.h - a function's shapes, operation by operation -*- C++ -*-=//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Traverses a function with guards and emits into its shape query the
// operations that compute shapes and conditions on shapes. Operations that read
// data are left out.
//
// Invariant: a value is in `scalars` only if it follows from shapes; it then
// equals the function's value whenever the function computes that. Operations
// on paths that may not be taken cannot fail.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_QUERIES_TRANSLATOR_H
#define BROADLOOM_INFER_QUERIES_TRANSLATOR_H

#include "infer/queries/BoundedShape.h"
#include "infer/queries/ShapeQuery.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

namespace broadloom::infer {

class Translator {
public:
  /// The shape query of a function that takes the listed arguments, which are
  /// numbers; null if there is none.
  using FindShapeQuery = llvm::function_ref<mlir::func::FuncOp(
      llvm::StringRef callee, llvm::ArrayRef<int32_t> numbers)>;

  Translator(mlir::func::FuncOp func, mlir::func::FuncOp query,
             FindShapeQuery findShapeQuery);
  /// Erases temporary operations in the function.
  ~Translator();

  /// Translates the body, which is one block, and adds the query's results to
  /// `info`. The query returns numbers if `givesNumbers`. Returns the reason if
  /// there can be no shape query.
  std::optional<std::string> run(ShapeQueryInfo &info, bool givesNumbers);

private:
  void bindArguments(const ShapeQueryInfo &info);
  void translate(mlir::Block &block);
  void translate(mlir::Operation *op);

  void translate(loom::RequireOp op);
  void translate(loom::RequireBroadcastOp op);
  void translate(loom::RequireFunctionOp op);
  void translate(loom::ShapeOfOp op);
  void translate(loom::FromExtentsOp op);
  void translate(loom::ExtentOp op);
  void translate(loom::RankOp op);
  void translate(mlir::tensor::DimOp op);
  void translate(mlir::tensor::RankOp op);
  void translate(mlir::tensor::ExtractOp op);
  void translate(mlir::tensor::ExtractSliceOp op);
  void translate(mlir::tensor::ReshapeOp op);
  void translate(mlir::arith::SelectOp op);
  void translate(mlir::func::CallOp op);
  void translate(mlir::scf::IfOp op);
  void translate(mlir::scf::ForOp op);
  void translate(mlir::scf::WhileOp op);
  void translateElements(mlir::Operation *op);
  void translate(mlir::linalg::LinalgOp op);
  void translate(mlir::linalg::IndexOp op);
  void translate(mlir::scf::ForallOp op);
  void broadcastOf(mlir::Operation *op);
  void reify(mlir::ReifyRankedShapedTypeOpInterface op);
  void compute(mlir::Operation *op);
  void boundOf(mlir::Operation *op);
  void forgetAll(mlir::Operation *op);

  // What is known of values.
  static bool hasShape(mlir::Type type) {
    return mlir::isa<mlir::TensorType, loom::ShapeType>(type);
  }
  BoundedShape getBoundedShape(mlir::Value value);
  void setBoundedShape(mlir::Value value, BoundedShape bounded);
  mlir::Value getScalar(mlir::Value value);
  void setScalar(mlir::Value value, mlir::Value of) { scalars[value] = of; }
  /// The extent for a size in the function.
  BoundedExtent getExtent(mlir::OpFoldResult size);
  /// An upper bound of a value that is an extent or computed from extents.
  mlir::Value getBound(mlir::Value value);
  void setExtent(mlir::Value value, BoundedExtent extent);
  /// Maps `values` to values of the shape query; false if one depends on data.
  bool getAll(mlir::ValueRange values,
              llvm::SmallVectorImpl<mlir::Value> &mapped);
  /// The arguments of the query of a callee; false if one is not known.
  bool getArguments(mlir::func::CallOp op, llvm::ArrayRef<int32_t> numbers,
                    llvm::SmallVectorImpl<mlir::Value> &arguments);

  // Control flow. The values that a region yields become a flat list of open
  // extents and shapes of tensors, and scalars.
  struct Carried {
    llvm::SmallVector<mlir::Value> values;
    llvm::SmallVector<Certainty> certainty;

    /// Whether value `i` has no reader, so that any value will do: it is null
    /// and exact.
    bool isFree(size_t i) const {
      return !values[i] && certainty[i] == Certainty::Exact;
    }
  };
  void flatten(mlir::Value value, Carried &carried);
  void flattenAll(mlir::ValueRange values, Carried &carried);
  /// The reverse, for a value of that type; `next` moves on.
  void unflatten(mlir::Value value, const Carried &carried, size_t &next);
  void unflattenAll(mlir::ValueRange values, const Carried &carried);
  static void getCarriedTypes(mlir::Type type,
                              llvm::SmallVectorImpl<mlir::Type> &types);
  void placeholders(Carried &carried, mlir::TypeRange types);
  bool keepEqual(Carried &starts, const Carried &next);
  static bool dropInexact(Carried &starts, const Carried &next);
  bool settle(mlir::ValueRange inits,
              llvm::function_ref<bool(Carried &)> iteration);
  void receiveIterations(mlir::ValueRange results, Carried made);
  bool translateInvariant(mlir::scf::ForOp op);
  bool translateInvariant(mlir::scf::WhileOp op);
  void translateIterations(mlir::scf::ForOp op);
  void translateIterations(mlir::scf::WhileOp op);
  bool tryIterations(mlir::scf::WhileOp op, Carried &starts,
                     std::optional<Carried> &results);

  // Bodies that run at each index of an iteration space.
  /// The indices along one axis; null if they depend on data.
  struct Range {
    mlir::Value lower, upper, step;
  };
  /// Whether a loop's body has guards that need emitting.
  static bool hasGuards(mlir::Block &body);
  /// The same, where guards may be emitted.
  bool mayTranslateBody(mlir::Block &body);
  /// Emits the guards of a body in loops over its indices. `setIndices` maps
  /// the indices of the body to those of the loops.
  void translateAtEach(mlir::Location loc, llvm::ArrayRef<Range> space,
                       mlir::Block &body,
                       llvm::function_ref<void(mlir::ValueRange)> setIndices);
  Range getWholeRange(mlir::Location loc, const BoundedExtent &extent);
  void setScalars(mlir::ValueRange values, mlir::ValueRange mapped);

  mlir::func::FuncOp func, query;
  FindShapeQuery findShapeQuery;
  mlir::OpBuilder b;
  BoundedShapeEmitter emitter;
  llvm::DenseMap<mlir::Value, BoundedShape> boundedShapes;
  llvm::DenseMap<mlir::Value, mlir::Value> scalars, bounds;
  /// Values without readers on their paths: placeholders that lifted blocks
  /// yield.
  llvm::DenseSet<mlir::Value> poison;
  /// The values that replace `linalg.index` in bodies.
  llvm::DenseMap<mlir::Operation *, mlir::Value> indexOf;
  /// The limit of nested loops, because each level may translate its body
  /// several times.
  static constexpr unsigned kMaxDepth = 4;
  /// Whether each call of the function reaches the operation that is
  /// translated, or the region of the shape query that is being filled.
  bool certain = true;
  unsigned depth = 0;
  std::optional<std::string> obstacle;
  llvm::SmallVector<mlir::Operation *> temporary;
};

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_QUERIES_TRANSLATOR_H
