//===- MemoryResultsTest.cpp - operations that give memory ----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// mem-7: All registered operations without regions, with operands and results
// that are memory of several types. What its own verifier takes is one of those
// below, or is refused: an access to the result of another operation would be
// checked by extents that have nothing to do with the memory.
//
//===----------------------------------------------------------------------===//

#include "driver/Register.h"
#include "legalize/memory/UnsupportedMemory.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

using namespace mlir;
using namespace broadloom;

/// What is compiled, of the operations that need no attribute.
static const std::set<std::string> kHandled = {
    "bufferization.clone", "bufferization.to_buffer", "memref.alloc",
    "memref.alloca", "memref.cast"};

/// What else verifies.
static const std::set<std::string> kRefused = {
    "arith.bitcast", "arith.index_cast", "arith.index_castui",
    "complex.bitcast", "memref.distinct_objects", "memref.realloc", "ub.poison",
    "builtin.unrealized_conversion_cast", "vector.type_cast",
    // Others have taken their places (NormalizeMemory.cpp).
    "arith.select", "memref.memory_space_cast", "memref.reshape",
    // The compiler makes them later.
    "loom.alloc", "loom.contiguous", "loom.data"};

namespace {

class MemoryResults : public testing::Test {
protected:
  MemoryResults() {
    DialectRegistry registry;
    registerAllDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    for (StringRef text :
         {"memref<?xi32>", "memref<4xi32>", "memref<?xindex>",
          "memref<4xindex>", "memref<?xi32, 1>", "memref<4x4xf32>",
          "memref<vector<4x4xf32>>", "memref<*xi32>"})
      memory.push_back(parseType(text, &context));
  }

  /// Lists of the types of operands, with memory of each type.
  std::vector<SmallVector<Type>> getOperands() {
    Type bit = IntegerType::get(&context, 1), index = IndexType::get(&context);
    std::vector<SmallVector<Type>> lists = {
        {}, {index}, {parseType("tensor<?xi32>", &context)}};
    for (Type type : memory) {
      lists.push_back({type});
      lists.push_back({type, type});
      lists.push_back({type, type, type});
      lists.push_back({type, index});
      lists.push_back({bit, type, type});
    }
    return lists;
  }

  /// Notes which operations on such operands verify, and whether they are
  /// refused.
  void visit(ArrayRef<Type> operands) {
    OpBuilder b(&context);
    Location loc = b.getUnknownLoc();
    OwningOpRef<ModuleOp> module = ModuleOp::create(b, loc);
    b.setInsertionPointToStart(module->getBody());
    auto func = func::FuncOp::create(b, loc, "f",
                                     b.getFunctionType(operands, TypeRange()));
    b.setInsertionPointToStart(func.addEntryBlock());
    for (RegisteredOperationName name : context.getRegisteredOperations())
      for (Type result : memory) {
        OperationState state(loc, name, func.getArguments(), TypeRange(result));
        Operation *op = b.create(state);
        if (succeeded(name.verifyInvariants(op)))
          (legalize::findUnsupportedMemory(op).empty() ? handled : refused)
              .insert(name.getStringRef().str());
        op->erase();
      }
  }

  MLIRContext context{MLIRContext::Threading::DISABLED};
  std::vector<Type> memory;
  std::set<std::string> handled, refused;
};

} // namespace

TEST_F(MemoryResults, AreHandledOrRefused) {
  ScopedDiagnosticHandler quiet(&context, [](Diagnostic &) {});
  for (const SmallVector<Type> &operands : getOperands())
    visit(operands);
  EXPECT_EQ(handled, kHandled);
  // Of a handled operation, some types are refused.
  for (const std::string &name : handled)
    refused.erase(name);
  EXPECT_EQ(refused, kRefused);
}
