//===- LibraryBuilder.cpp - shape functions without text ------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/functions/LibraryBuilder.h"
#include "dialect/LoomShapeOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Index/IR/IndexOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

//===----------------------------------------------------------------------===//
// FunctionBuilder
//===----------------------------------------------------------------------===//

FunctionBuilder::FunctionBuilder(shape::FuncOp function)
    : function(function),
      builder(OpBuilder::atBlockEnd(&function.getBody().front())) {}

Value FunctionBuilder::parameter(unsigned number) {
  return function.getArgument(number);
}

Value FunctionBuilder::shapeOf(Value operand) {
  return shape::ShapeOfOp::create(builder, getLoc(),
                                  builder.getType<shape::ShapeType>(), operand);
}

SmallVector<Value> FunctionBuilder::extents(Value operand, unsigned rank,
                                            const Twine &message) {
  SmallVector<Type> types(rank, builder.getIndexType());
  auto op = loom::ExtentsOp::create(builder, getLoc(), types, operand,
                                    builder.getStringAttr(message));
  return SmallVector<Value>(op.getExtents());
}

Value FunctionBuilder::elementType(Value operand) {
  return loom::ElementTypeOp::create(
      builder, getLoc(), builder.getType<loom::ElementTypeType>(), operand);
}

Value FunctionBuilder::encoding(Value operand) {
  return loom::EncodingOp::create(
      builder, getLoc(), builder.getType<loom::EncodingType>(), operand);
}

Value FunctionBuilder::isScalar(Value operand) {
  return loom::IsScalarOp::create(builder, getLoc(), builder.getI1Type(),
                                  operand);
}

Value FunctionBuilder::count(Value operands) {
  return tensor::DimOp::create(builder, getLoc(), operands, constant(0));
}

Value FunctionBuilder::at(Value operands, Value number) {
  return tensor::ExtractOp::create(builder, getLoc(), operands, number);
}

Value FunctionBuilder::attribute(StringRef name, Type type, Attribute absent) {
  return loom::AttributeOp::create(builder, getLoc(), TypeRange(type),
                                   builder.getStringAttr(name), StringAttr(),
                                   absent)
      .getResult(0);
}

Value FunctionBuilder::constant(int64_t value) {
  return index::ConstantOp::create(builder, getLoc(), value);
}

Value FunctionBuilder::truth(bool value) {
  return index::BoolConstantOp::create(builder, getLoc(), value);
}

Value FunctionBuilder::add(Value a, Value b) {
  return index::AddOp::create(builder, getLoc(), a, b);
}

Value FunctionBuilder::subtract(Value a, Value b) {
  return index::SubOp::create(builder, getLoc(), a, b);
}

Value FunctionBuilder::multiply(Value a, Value b) {
  return index::MulOp::create(builder, getLoc(), a, b);
}

Value FunctionBuilder::floorDivide(Value a, Value b) {
  return index::FloorDivSOp::create(builder, getLoc(), a, b);
}

Value FunctionBuilder::equal(Value a, Value b) {
  return index::CmpOp::create(builder, getLoc(), index::IndexCmpPredicate::EQ,
                              a, b);
}

Value FunctionBuilder::atMost(Value a, Value b) {
  return index::CmpOp::create(builder, getLoc(), index::IndexCmpPredicate::SLE,
                              a, b);
}

Value FunctionBuilder::either(Value a, Value b) {
  return arith::OrIOp::create(builder, getLoc(), a, b);
}

Value FunctionBuilder::both(Value a, Value b) {
  return arith::AndIOp::create(builder, getLoc(), a, b);
}

Value FunctionBuilder::negate(Value condition) {
  return arith::XOrIOp::create(builder, getLoc(), condition, truth(true));
}

Value FunctionBuilder::shape(ValueRange extents) {
  return shape::FromExtentsOp::create(
      builder, getLoc(), builder.getType<shape::ShapeType>(), extents);
}

Value FunctionBuilder::broadcast(ValueRange shapes) {
  return shape::BroadcastOp::create(builder, getLoc(),
                                    builder.getType<shape::ShapeType>(), shapes,
                                    StringAttr());
}

Value FunctionBuilder::sameShape(Value a, Value b) {
  return shape::ShapeEqOp::create(builder, getLoc(), builder.getI1Type(),
                                  ValueRange{a, b});
}

Value FunctionBuilder::meet(Value a, Value b) {
  return shape::MeetOp::create(builder, getLoc(), a.getType(), a, b,
                               StringAttr());
}

Value FunctionBuilder::type(Type elementType) {
  return loom::TypeOp::create(builder, getLoc(),
                              builder.getType<loom::ElementTypeType>(),
                              TypeAttr::get(elementType));
}

Value FunctionBuilder::sameType(Value a, Value b) {
  return loom::SameTypeOp::create(builder, getLoc(), builder.getI1Type(), a, b);
}

Value FunctionBuilder::unknown(Type type) {
  return loom::DataOp::create(builder, getLoc(), type);
}

void FunctionBuilder::require(Value condition, const Twine &message,
                              ValueRange values) {
  loom::ConstraintOp::create(builder, getLoc(), condition,
                             builder.getStringAttr(message), values);
}

SmallVector<Value> FunctionBuilder::apply(shape::FuncOp callee,
                                          ValueRange arguments) {
  auto op = loom::ApplyOp::create(
      builder, getLoc(), callee.getFunctionType().getResults(),
      SymbolRefAttr::get(callee.getSymNameAttr()), arguments);
  return SmallVector<Value>(op.getValues());
}

SmallVector<Value>
FunctionBuilder::forEach(Value first, Value end, ValueRange carried,
                         llvm::function_ref<Values(Value, ValueRange)> body) {
  auto loop = scf::ForOp::create(
      builder, getLoc(), first, end, constant(1), carried,
      [&](OpBuilder &inner, Location loc, Value number, ValueRange values) {
        OpBuilder::InsertionGuard guard(builder);
        builder.setInsertionPoint(inner.getInsertionBlock(),
                                  inner.getInsertionPoint());
        scf::YieldOp::create(builder, loc, body(number, values));
      });
  return SmallVector<Value>(loop.getResults());
}

SmallVector<Value>
FunctionBuilder::choose(Value condition, TypeRange types,
                        llvm::function_ref<Values()> ifTrue,
                        llvm::function_ref<Values()> ifFalse) {
  auto op = scf::IfOp::create(builder, getLoc(), types, condition,
                              /*addThenBlock=*/true, /*addElseBlock=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(op.thenBlock());
  scf::YieldOp::create(builder, getLoc(), ifTrue());
  builder.setInsertionPointToEnd(op.elseBlock());
  scf::YieldOp::create(builder, getLoc(), ifFalse());
  return SmallVector<Value>(op.getResults());
}

void FunctionBuilder::give(ValueRange components) {
  shape::ReturnOp::create(builder, getLoc(), components);
  function.setFunctionType(builder.getFunctionType(function.getArgumentTypes(),
                                                   components.getTypes()));
}

//===----------------------------------------------------------------------===//
// LibraryBuilder
//===----------------------------------------------------------------------===//

LibraryBuilder::LibraryBuilder(MLIRContext *context, StringRef name)
    : context(context), module(ModuleOp::create(UnknownLoc::get(context))) {
  auto builder = OpBuilder::atBlockEnd(module->getBody());
  // Upstream's builder makes one without a region.
  OperationState state(module->getLoc(),
                       shape::FunctionLibraryOp::getOperationName());
  shape::FunctionLibraryOp::build(builder, state, name);
  state.addRegion()->emplaceBlock();
  library = cast<shape::FunctionLibraryOp>(builder.create(state));
}

Type LibraryBuilder::operandType() {
  return shape::ValueShapeType::get(context);
}

Type LibraryBuilder::operandListType() {
  return loom::getOperandListType(context);
}

FunctionBuilder LibraryBuilder::addFunction(StringRef name,
                                            TypeRange parameters) {
  auto builder = OpBuilder::atBlockEnd(&library.getBody().front());
  auto function =
      shape::FuncOp::create(builder, library.getLoc(), name,
                            builder.getFunctionType(parameters, TypeRange()));
  Block &body = function.getBody().emplaceBlock();
  for (Type type : parameters)
    body.addArgument(type, function.getLoc());
  return FunctionBuilder(function);
}

shape::FuncOp LibraryBuilder::getFunction(StringRef name) {
  return dyn_cast_or_null<shape::FuncOp>(
      SymbolTable::lookupSymbolIn(library, name));
}

void LibraryBuilder::map(StringRef operation, StringRef function) {
  mapping.set(operation, FlatSymbolRefAttr::get(context, function));
}

OwningOpRef<ModuleOp> LibraryBuilder::finish() {
  library.setMappingAttr(mapping.getDictionary(context));
  return std::move(module);
}
