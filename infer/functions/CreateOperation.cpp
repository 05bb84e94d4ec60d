//===- CreateOperation.cpp - operations from operands alone ---------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/functions/CreateOperation.h"
#include "dialect/ShapeConversion.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

namespace {

/// Makes types out of components.
class TypeMaker {
public:
  TypeMaker(const Request &request, Location loc, bool isSilent)
      : request(request), loc(loc), isSilent(isSilent) {
    for (const Operand &operand : request.operands)
      if (!like && isa_and_nonnull<ShapedType>(operand.type))
        like = operand.type;
  }

  /// An error at the location, unless errors are silenced.
  InFlightDiagnostic error() {
    InFlightDiagnostic diagnostic = emitError(loc)
                                    << "'" << request.operation << "': ";
    if (isSilent)
      diagnostic.abandon();
    return diagnostic;
  }

  /// Null, with an error, if there is no such type.
  Type make(const ResultComponents &result, Type elementType, size_t number) {
    if (result.isList)
      return makeList(result, number);
    if (!elementType) {
      error() << "the element type of result " << number
              << " does not follow from its operands; say which it is";
      return {};
    }
    bool isScalar = !like && !request.operands.empty() &&
                    result.shape.isRanked() && result.shape.rank() == 0;
    if (isScalar)
      return elementType;
    Type type = isa_and_nonnull<MemRefType>(like)
                    ? makeMemRef(result, elementType)
                    : makeTensor(result, elementType);
    if (!type)
      error() << "result " << number << " would have shape "
              << toString(result.shape) << " and elements of type "
              << elementType << ", but there is no such type";
    return type;
  }

private:
  Type makeList(const ResultComponents &result, size_t number) {
    if (!result.value) {
      error() << "how many numbers result " << number
              << " has does not follow from its operands";
      return {};
    }
    auto count = static_cast<int64_t>(result.value->size());
    if (request.operation.starts_with("tosa."))
      return tosa::shapeType::get(loc.getContext(), count);
    return RankedTensorType::get({count}, IndexType::get(loc.getContext()));
  }

  /// Makes a tensor or vector type.
  Type makeTensor(const ResultComponents &result, Type elementType) {
    Type container = like;
    if (!container && !TensorType::isValidElementType(elementType))
      return {};
    if (!container)
      container = UnrankedTensorType::get(elementType);
    Type type = typeOf(container, result.shape, elementType);
    auto tensor = dyn_cast_or_null<RankedTensorType>(type);
    if (!tensor || !result.encoding || isa<UnitAttr>(result.encoding))
      return type;
    return RankedTensorType::getChecked([&] { return error(); },
                                        tensor.getShape(), elementType,
                                        result.encoding);
  }

  Type makeMemRef(const ResultComponents &result, Type elementType) {
    if (!BaseMemRefType::isValidElementType(elementType) ||
        !result.shape.isRanked())
      return {};
    SmallVector<int64_t> extents;
    for (Extent extent : result.shape)
      extents.push_back(extent.isFixed() ? extent.value()
                                         : ShapedType::kDynamic);
    MemRefLayoutAttrInterface layout;
    Attribute space;
    if (auto parts = dyn_cast_or_null<ArrayAttr>(result.encoding);
        parts && parts.size() == 2) {
      layout = dyn_cast<MemRefLayoutAttrInterface>(parts[0]);
      space = isa<UnitAttr>(parts[1]) ? Attribute() : parts[1];
    }
    return MemRefType::getChecked([&] { return error(); }, extents, elementType,
                                  layout, space);
  }

  const Request &request;
  Location loc;
  bool isSilent;
  Type like;
};

} // namespace

FailureOr<SmallVector<Type>>
infer::inferResultTypes(const ShapeLibrary &library, const Request &request,
                        Location location, const CreateOptions &options) {
  TypeMaker maker(request, location, options.report == Report::Nothing);
  EvaluationOptions evaluation;
  evaluation.findAll = options.report == Report::All;
  std::optional<Outcome> outcome = evaluate(library, request, evaluation);
  if (!outcome) {
    maker.error() << "no shape function is known of it";
    return failure();
  }
  if (outcome->truth == Truth::Refuted)
    return reportRefuted(location, request.operation, *outcome, options.report);
  SmallVector<Type> types;
  for (auto [i, result] : llvm::enumerate(outcome->results)) {
    Type elementType = result.elementType;
    if (!elementType && i < options.elementTypes.size())
      elementType = options.elementTypes[i];
    Type type = maker.make(result, elementType, i);
    if (!type)
      return failure();
    types.push_back(type);
  }
  return types;
}

Operation *infer::createWithInferredTypes(OpBuilder &builder,
                                          OperationState &state,
                                          const ShapeLibrary &library,
                                          const CreateOptions &options) {
  Block *block = builder.getInsertionBlock();
  Request request = makeRequest(state, block ? block->getParentOp() : nullptr);
  // Checks what would make the creation itself crash.
  if (auto name = state.name.getRegisteredInfo()) {
    NamedAttrList attributes = state.attributes;
    if (failed(name->verifyInherentAttrs(attributes, [&] {
          InFlightDiagnostic diagnostic = emitError(state.location)
                                          << "'" << request.operation << "': ";
          if (options.report == Report::Nothing)
            diagnostic.abandon();
          return diagnostic;
        })))
      return nullptr;
  }
  FailureOr<SmallVector<Type>> types =
      inferResultTypes(library, request, state.location, options);
  if (failed(types))
    return nullptr;
  state.addTypes(*types);
  return builder.create(state);
}

Operation *infer::createWithInferredTypes(OpBuilder &builder, Location location,
                                          StringRef name, ValueRange operands,
                                          ArrayRef<NamedAttribute> attributes,
                                          const ShapeLibrary &library,
                                          const CreateOptions &options) {
  OperationState state(location, name, operands, /*types=*/{}, attributes);
  return createWithInferredTypes(builder, state, library, options);
}
