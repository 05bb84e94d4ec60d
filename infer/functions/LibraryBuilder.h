//===- LibraryBuilder.h - shape functions without text ----------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds shape functions in C++:
//
//   LibraryBuilder builder(&context, "mine");
//   FunctionBuilder f = builder.addFunction("rows", {builder.operandType()});
//   auto extents = f.extents(f.parameter(0), 2, "it has {0} axes, not 2");
//   f.give({f.shape({extents[0]}), f.elementType(f.parameter(0))});
//   builder.map("mine.rows", "rows");
//   library.add(builder.finish());
//
// Each method emits one operation of the language (docs/shape-functions.md)
// and returns its value.
//
// Invariant: a built library is the same as one from text; ShapeLibrary::add
// verifies it in the same way.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_FUNCTIONS_LIBRARYBUILDER_H
#define BROADLOOM_INFER_FUNCTIONS_LIBRARYBUILDER_H

#include "mlir/Dialect/Shape/IR/Shape.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace broadloom::infer {

class FunctionBuilder {
public:
  explicit FunctionBuilder(mlir::shape::FuncOp function);

  mlir::Value parameter(unsigned number);
  /// For operations without a method here.
  mlir::OpBuilder &getBuilder() { return builder; }
  mlir::Location getLoc() { return function.getLoc(); }

  // Operands.
  mlir::Value shapeOf(mlir::Value operand);
  /// All extents of an operand that must have `rank` axes; {0} in the message
  /// is the rank that it has.
  mlir::SmallVector<mlir::Value> extents(mlir::Value operand, unsigned rank,
                                         const llvm::Twine &message);
  mlir::Value elementType(mlir::Value operand);
  mlir::Value encoding(mlir::Value operand);
  mlir::Value isScalar(mlir::Value operand);
  /// How many operands a variadic parameter stands for, and one of them.
  mlir::Value count(mlir::Value operands);
  mlir::Value at(mlir::Value operands, mlir::Value number);

  // Attributes; `absent`, if given, is the value for a missing attribute.
  mlir::Value attribute(llvm::StringRef name, mlir::Type type,
                        mlir::Attribute absent = {});

  // Numbers (index) and conditions (i1).
  mlir::Value constant(int64_t value);
  mlir::Value truth(bool value);
  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value subtract(mlir::Value a, mlir::Value b);
  mlir::Value multiply(mlir::Value a, mlir::Value b);
  mlir::Value floorDivide(mlir::Value a, mlir::Value b);
  mlir::Value equal(mlir::Value a, mlir::Value b);
  mlir::Value atMost(mlir::Value a, mlir::Value b);
  mlir::Value either(mlir::Value a, mlir::Value b);
  mlir::Value both(mlir::Value a, mlir::Value b);
  mlir::Value negate(mlir::Value condition);

  // Shapes and types.
  mlir::Value shape(mlir::ValueRange extents);
  mlir::Value broadcast(mlir::ValueRange shapes);
  mlir::Value sameShape(mlir::Value a, mlir::Value b);
  /// The more precise shape from two equal ones.
  mlir::Value meet(mlir::Value a, mlir::Value b);
  mlir::Value type(mlir::Type elementType);
  mlir::Value sameType(mlir::Value a, mlir::Value b);
  /// An unknown value.
  mlir::Value unknown(mlir::Type type);

  /// Adds a constraint with a message for the operation's user; {k} in the
  /// message is values[k].
  void require(mlir::Value condition, const llvm::Twine &message,
               mlir::ValueRange values = {});

  /// Calls another function.
  mlir::SmallVector<mlir::Value> apply(mlir::shape::FuncOp callee,
                                       mlir::ValueRange arguments);

  using Values = mlir::SmallVector<mlir::Value>;
  /// Calls `body` for each number from `first` to `end`, exclusive, with the
  /// values of the call before.
  Values
  forEach(mlir::Value first, mlir::Value end, mlir::ValueRange carried,
          llvm::function_ref<Values(mlir::Value, mlir::ValueRange)> body);
  Values choose(mlir::Value condition, mlir::TypeRange types,
                llvm::function_ref<Values()> ifTrue,
                llvm::function_ref<Values()> ifFalse);

  /// Ends the function: the components of its results, in order.
  void give(mlir::ValueRange components);

private:
  mlir::shape::FuncOp function;
  mlir::OpBuilder builder;
};

class LibraryBuilder {
public:
  /// The dialects of the language must be loaded, as ShapeLibrary does.
  LibraryBuilder(mlir::MLIRContext *context, llvm::StringRef name);

  /// The types of a parameter for one operand, and for any number.
  mlir::Type operandType();
  mlir::Type operandListType();

  /// A function without a body yet; its results are those that it gives.
  FunctionBuilder addFunction(llvm::StringRef name, mlir::TypeRange parameters);
  mlir::shape::FuncOp getFunction(llvm::StringRef name);
  /// Maps an operation to a function.
  void map(llvm::StringRef operation, llvm::StringRef function);
  mlir::OwningOpRef<mlir::ModuleOp> finish();

private:
  mlir::MLIRContext *context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::shape::FunctionLibraryOp library;
  mlir::NamedAttrList mapping;
};

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_FUNCTIONS_LIBRARYBUILDER_H
