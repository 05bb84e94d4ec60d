//===- OldOperation.cpp - an operation on its way to today's form ---------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "read/versions/OldOperation.h"
#include "read/versions/OldText.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"

using namespace mlir;
using namespace broadloom::read;

void Changes::report() const {
  for (const auto &[kind, occurrences] : kinds) {
    auto [where, count] = occurrences;
    std::string text = kind;
    if (count > 1)
      text += " (" + std::to_string(count) + " operations, this one first)";
    // A note without an error.
    Diagnostic note(where, DiagnosticSeverity::Note);
    note << text;
    where.getContext()->getDiagEngine().emit(std::move(note));
  }
}

OldOperation::OldOperation(Operation *op, Changes &changes)
    : name(op->getName().stripDialect()), operands(op->getOperands()),
      attributes(op->getDiscardableAttrDictionary()),
      results(op->getResultTypes()), op(op), builder(op), changes(changes) {
  // MLIR parses the `<{...}>` of an unknown operation as one attribute.
  if (auto more =
          dyn_cast_or_null<DictionaryAttr>(op->getPropertiesAsAttribute()))
    attributes.append(more.begin(), more.end());
}

/// The elements of a list of integers; nothing if it is not one.
static std::optional<SmallVector<int64_t>> readIntegers(Attribute list) {
  SmallVector<int64_t> values;
  if (auto wide = dyn_cast_or_null<DenseI64ArrayAttr>(list))
    return SmallVector<int64_t>(wide.asArrayRef());
  if (auto narrow = dyn_cast_or_null<DenseI32ArrayAttr>(list))
    return llvm::to_vector_of<int64_t>(narrow.asArrayRef());
  if (auto bytes = dyn_cast_or_null<DenseI8ArrayAttr>(list))
    return llvm::to_vector_of<int64_t>(bytes.asArrayRef());
  if (auto dense = dyn_cast_or_null<DenseIntElementsAttr>(list)) {
    for (const APInt &value : dense.getValues<APInt>())
      values.push_back(value.getSExtValue());
    return values;
  }
  auto array = dyn_cast_or_null<ArrayAttr>(list);
  if (!array)
    return std::nullopt;
  for (Attribute element : array) {
    auto number = dyn_cast<IntegerAttr>(element);
    if (!number)
      return std::nullopt;
    values.push_back(number.getValue().getSExtValue());
  }
  return values;
}

std::optional<int64_t> OldOperation::takeInteger(StringRef attribute) {
  auto number = dyn_cast_or_null<IntegerAttr>(attributes.get(attribute));
  if (!number)
    return std::nullopt;
  attributes.erase(attribute);
  return number.getValue().getSExtValue();
}

FailureOr<SmallVector<int64_t>>
OldOperation::takeIntegers(StringRef attribute) {
  std::optional<SmallVector<int64_t>> values = readIntegers(take(attribute));
  if (!values)
    return emitError() << "lacks the attribute '" << attribute
                       << "', a list of integers";
  return *values;
}

FailureOr<SmallVector<int64_t>> OldOperation::getConstant(unsigned operand,
                                                          StringRef what) {
  // The program is not verified yet: a constant may lack its value.
  Operation *maker = operands[operand].getDefiningOp();
  DenseIntElementsAttr value;
  if (maker && maker->hasTrait<OpTrait::ConstantLike>())
    for (StringRef name : {"values", "value"})
      if (!value)
        value = dyn_cast_or_null<DenseIntElementsAttr>(maker->getAttr(name));
  if (!value)
    return emitError() << "takes its " << what << " from operand " << operand
                       << ", which must be a constant of integers: in TOSA "
                          "1.0 they are known when a program is compiled";
  return *readIntegers(value);
}

Value OldOperation::addOperation(StringRef name, ValueRange inputs, Type type,
                                 NamedAttrList attributes) {
  OperationState state(op->getLoc(), name, inputs, type, attributes);
  return builder.create(state)->getResult(0);
}

Value OldOperation::addConstant(DenseElementsAttr value) {
  return tosa::ConstOp::create(builder, op->getLoc(), value.getType(), value);
}

FailureOr<Value> OldOperation::addScalar(Type type, int64_t value,
                                         StringRef what) {
  auto tensor = RankedTensorType::get({1}, type);
  if (auto kind = dyn_cast<FloatType>(type)) {
    APFloat number = APFloat(double(value));
    bool losesBits = false;
    number.convert(kind.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                   &losesBits);
    return addConstant(DenseElementsAttr::get(tensor, number));
  }
  auto kind = dyn_cast<IntegerType>(type);
  if (!kind)
    return emitError() << "has elements of type " << type
                       << ", which is neither float nor integer";
  unsigned width = kind.getWidth();
  // Signless integers may also be unsigned (`input_unsigned`).
  if (!llvm::isIntN(width, value) && !llvm::isUIntN(width, value))
    return emitError() << "has the " << what << " " << value
                       << ", which does not fit " << type;
  APInt bits(width, value, /*isSigned=*/true, /*implicitTrunc=*/true);
  return addConstant(DenseElementsAttr::get(tensor, bits));
}

Value OldOperation::addShape(ArrayRef<int64_t> extents) {
  return tosa::ConstShapeOp::create(
      builder, op->getLoc(),
      tosa::shapeType::get(op->getContext(), extents.size()),
      builder.getIndexTensorAttr(extents));
}

LogicalResult OldOperation::expectOperands(unsigned least, unsigned most) {
  if (results.size() != 1)
    return emitError() << "has " << results.size() << " results, expected 1";
  if (operands.size() >= least && operands.size() <= most)
    return success();
  return emitError() << "has " << operands.size() << " operands, expected "
                     << least
                     << (most > least ? " to " + std::to_string(most) : "");
}

void OldOperation::note(StringRef text) {
  changes.add("'tosa." + op->getName().stripDialect().str() + "' " + text.str(),
              op->getLoc());
}

InFlightDiagnostic OldOperation::emitError() {
  return mlir::emitError(op->getLoc())
         << "'tosa." << op->getName().stripDialect() << "' op ";
}

/// Today's form of an attribute that has kept its name and its meaning.
static Attribute convertKind(StringRef name, Attribute value) {
  MLIRContext *context = value.getContext();
  if (auto text = dyn_cast<StringAttr>(value)) {
    if (name == "nan_mode")
      if (auto mode = tosa::symbolizeNanPropagationMode(text))
        return tosa::NanPropagationModeAttr::get(context, *mode);
    if (name == "rounding_mode")
      if (auto mode = tosa::symbolizeRoundingMode(text))
        return tosa::RoundingModeAttr::get(context, *mode);
    if (name == "mode")
      if (auto mode = tosa::symbolizeResizeMode(text))
        return tosa::ResizeModeAttr::get(context, *mode);
    return value;
  }
  if (name == "axis") {
    auto axis = dyn_cast<IntegerAttr>(value);
    if (axis && llvm::isInt<32>(axis.getValue().getSExtValue()))
      return Builder(context).getI32IntegerAttr(axis.getValue().getSExtValue());
    return value;
  }
  bool isWide = llvm::is_contained(
      {"pad", "out_pad", "stride", "dilation", "kernel"}, name);
  if (!isWide && name != "perms")
    return value;
  std::optional<SmallVector<int64_t>> values = readIntegers(value);
  if (!values)
    return value;
  if (isWide)
    return DenseI64ArrayAttr::get(context, *values);
  return DenseI32ArrayAttr::get(context, llvm::to_vector_of<int32_t>(*values));
}

bool broadloom::read::saysNothing(NamedAttribute attribute) {
  return isa<StringAttr, UnitAttr>(attribute.getValue()) ||
         attribute.getName().getValue().contains('.');
}

LogicalResult OldOperation::convertAttributes(RegisteredOperationName today) {
  NamedAttrList converted;
  for (NamedAttribute attribute : attributes) {
    StringRef key = attribute.getName();
    Attribute value = attribute.getValue();
    bool isInherent =
        llvm::is_contained(today.getAttributeNames(), attribute.getName());
    if (!isInherent && !saysNothing(attribute))
      return emitError() << "has the unknown attribute '" << key
                         << "'; TOSA of LLVM 16 to 24 is supported";
    Attribute kind = isInherent ? convertKind(key, value) : value;
    if (kind != value)
      note(("has '" + key + "' in today's form").str());
    converted.append(key, kind);
  }
  attributes = converted;
  return today.verifyInherentAttrs(attributes, [&] { return emitError(); });
}

LogicalResult OldOperation::finish() {
  std::string full = "tosa." + name;
  auto today = RegisteredOperationName::lookup(full, op->getContext());
  if (!today)
    return mlir::emitError(op->getLoc())
           << "unknown operation '" << full
           << "'; TOSA of LLVM 16 to 24 is supported";
  if (failed(convertAttributes(*today)))
    return failure();
  OperationState state(op->getLoc(), full, operands, results, attributes);
  for (Region &region : op->getRegions())
    state.addRegion()->takeBody(region);
  Operation *made = builder.create(state);
  op->replaceAllUsesWith(made->getResults());
  op->erase();
  return success();
}

LogicalResult
broadloom::read::addZeroPoints(OldOperation &old,
                               ArrayRef<std::pair<StringRef, Type>> points) {
  Attribute info = old.take("quantization_info");
  SmallVector<int64_t> values(points.size(), 0);
  if (auto conv = dyn_cast_or_null<tosa::ConvOpQuantizationAttr>(info))
    values = {conv.getInputZp(), conv.getWeightZp()};
  else if (auto unary = dyn_cast_or_null<tosa::UnaryOpQuantizationAttr>(info))
    values = {unary.getInputZp(), unary.getOutputZp()};
  else if (auto matmul = dyn_cast_or_null<tosa::MatMulOpQuantizationAttr>(info))
    values = {matmul.getAZp(), matmul.getBZp()};
  else if (info)
    return old.emitError() << "has a 'quantization_info' of another kind: "
                           << info;
  for (auto [i, point] : llvm::enumerate(points)) {
    if (std::optional<int64_t> value = old.takeInteger(point.first))
      values[i] = *value;
    FailureOr<Value> zero =
        old.addScalar(point.second, values[i], "zero point");
    if (failed(zero))
      return failure();
    old.operands.push_back(*zero);
  }
  old.note("has its zero points as operands now");
  return success();
}

LogicalResult broadloom::read::rename(OldOperation &old, StringRef name) {
  old.note(("is 'tosa." + name + "' now").str());
  old.name = name.str();
  return success();
}
