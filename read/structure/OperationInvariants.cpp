//===- OperationInvariants.cpp - what accessors rely on -------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MLIR can only run the whole verifier of an operation. The traits in an
// operation's class stand in a fixed order: first those about counts and groups
// of operands, then OpInvariants, which checks attributes and types, then all
// others. So this file lists the classes of all dialects, and runs the traits
// of each up to OpInvariants.
//
//===----------------------------------------------------------------------===//

#include "read/structure/OperationInvariants.h"

#include "dialect/BroadcastableOpInterface.h"
#include "dialect/LoomDialect.h"
#include "dialect/LoomShapeOps.h"
#include "read/structure/LooseTypes.h"
#include "read/structure/TosaForm.h"
#include "scalar/TosaRules.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/IRDL/IR/IRDL.h"
#include "mlir/Dialect/Index/IR/IndexOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Shape/IR/Shape.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::read;

namespace {

/// Checks one trait, unless OpInvariants has been.
template <typename Op, typename Trait>
bool checkTrait(Operation *op, bool &isDone) {
  if (isDone)
    return true;
  isDone = std::is_same_v<Trait, OpTrait::OpInvariants<Op>>;
  return succeeded(op_definition_impl::verifyTrait<Trait>(op));
}

/// Checks the traits of an operation up to OpInvariants.
template <typename Op, template <typename> class... Traits>
LogicalResult check(Operation *op) {
  bool isDone = false;
  return success((checkTrait<Op, Traits<Op>>(op, isDone) && ...));
}

using Check = LogicalResult (*)(Operation *);

template <typename Op, template <typename> class... Traits>
Check makeCheck(mlir::Op<Op, Traits...> *) {
  return check<Op, Traits...>;
}

/// Keyed by name: the type ids of 1,000 classes would be resolved from MLIR's
/// library at every start of the program.
using Table = llvm::DenseMap<StringRef, Check>;

template <typename... Ops> void add(Table &table) {
  (table.try_emplace(Ops::getOperationName(),
                     makeCheck(static_cast<Ops *>(nullptr))),
   ...);
}

Table makeTable() {
  Table table;
  add<
#define GET_OP_LIST
#include "dialect/LoomOps.cpp.inc"
      >(table);
  add<
#define GET_OP_LIST
#include "dialect/LoomShapeOps.cpp.inc"
      >(table);
  add<
#define GET_OP_LIST
#include "mlir/Dialect/Affine/IR/AffineOps.cpp.inc"
      >(table);
  add<
#define GET_OP_LIST
#include "mlir/Dialect/Arith/IR/ArithOps.cpp.inc"
      >(table);
  add<
#define GET_OP_LIST
#include "mlir/Dialect/Bufferization/IR/BufferizationOps.cpp.inc"
      >(table);
  add<
#define GET_OP_LIST
#include "mlir/IR/BuiltinOps.cpp.inc"
      >(table);
  add<
#define GET_OP_LIST
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.cpp.inc"
      >(table);
  add<
#define GET_OP_LIST
#include "mlir/Dialect/Func/IR/FuncOps.cpp.inc"
      >(table);
  add<
#define GET_OP_LIST
#include "mlir/Dialect/IRDL/IR/IRDLOps.cpp.inc"
      >(table);
  add<
#define GET_OP_LIST
#include "mlir/Dialect/Index/IR/IndexOps.cpp.inc"
      >(table);
  add<
#define GET_OP_LIST
#include "mlir/Dialect/LLVMIR/LLVMOps.cpp.inc"
      >(table);
  add<
#define GET_OP_LIST
#include "mlir/Dialect/LLVMIR/LLVMIntrinsicOps.cpp.inc"
      >(table);
  add<
#define GET_OP_LIST
#include "mlir/Dialect/Linalg/IR/LinalgOps.cpp.inc"
      >(table);
  add<
#define GET_OP_LIST
#include "mlir/Dialect/Linalg/IR/LinalgRelayoutOps.cpp.inc"
      >(table);
  add<
#define GET_OP_LIST
#include "mlir/Dialect/Linalg/IR/LinalgStructuredOps.cpp.inc"
      >(table);
  add<
#define GET_OP_LIST
#include "mlir/Dialect/MLProgram/IR/MLProgramOps.cpp.inc"
      >(table);
  add<
#define GET_OP_LIST
#include "mlir/Dialect/Math/IR/MathOps.cpp.inc"
      >(table);
  add<
#define GET_OP_LIST
#include "mlir/Dialect/MemRef/IR/MemRefOps.cpp.inc"
      >(table);
  add<
#define GET_OP_LIST
#include "mlir/Dialect/SCF/IR/SCFOps.cpp.inc"
      >(table);
  add<
#define GET_OP_LIST
#include "mlir/Dialect/Shape/IR/ShapeOps.cpp.inc"
      >(table);
  add<
#define GET_OP_LIST
#include "mlir/Dialect/Tensor/IR/TensorOps.cpp.inc"
      >(table);
  add<
#define GET_OP_LIST
#include "mlir/Dialect/Tosa/IR/TosaOps.cpp.inc"
      >(table);
  add<
#define GET_OP_LIST
#include "mlir/Dialect/Vector/IR/VectorOps.cpp.inc"
      >(table);
  return table;
}

} // namespace

/// This project has its own rules for the rest.
static LogicalResult checkTosaConstant(Operation *op) {
  if (op->getNumOperands() != 0 || op->getNumResults() != 1 ||
      op->getNumRegions() != 0 || op->getNumSuccessors() != 0)
    return op->emitOpError("needs no operands and exactly one result");
  if (!isa_and_nonnull<ElementsAttr>(op->getAttr("values")))
    return op->emitOpError("lacks the attribute 'values', a tensor");
  return success();
}

LogicalResult read::checkInvariants(Operation *op) {
  if (isa<tosa::ConstOp>(op))
    return checkTosaConstant(op);
  if (isa<BroadcastableOpInterface>(op) &&
      isa<tosa::TosaDialect>(op->getDialect()))
    return verifyTosaStructure(op);
  if (failed(checkTosaForm(op)))
    return failure();
  static const Table table = makeTable();
  auto found = table.find(op->getName().getStringRef());
  if (found == table.end())
    return success();
  LooseTypes types;
  if (isa<tosa::TosaDialect>(op->getDialect()))
    loosenZeros(op, types);
  return found->second(op);
}
