//===- TestDialect.h - operations to test with ------------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The dialect `test` of broadloom-opt, and the passes that go with it. Not
// installed and in no other program.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_TEST_LIB_TESTDIALECT_H
#define BROADLOOM_TEST_LIB_TESTDIALECT_H

#include "dialect/Broadcastable.h"
#include "dialect/BroadcastableOpInterface.h"
#include "dialect/ShapeFunctionOpInterface.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "test/lib/TestDialect.h.inc"
#define GET_OP_CLASSES
#include "test/lib/TestOps.h.inc"

namespace broadloom::test {

/// Registers `test-infer-broadcast`: before each `test.operands` it builds an
/// operation from the same operands, without result types, and remarks on what
/// was inferred.
void registerTestInferBroadcast();

/// Registers `test-relations`, which answers questions about relations.
void registerTestRelations();

} // namespace broadloom::test

#endif // BROADLOOM_TEST_LIB_TESTDIALECT_H
