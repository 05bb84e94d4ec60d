//===- Inference.cpp - what operations infer of themselves ----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/ShapeConversion.h"
#include "infer/functions/DiagnosticListener.h"
#include "infer/functions/TraitFunctions.h"
#include "infer/numbers/SymbolExtents.h"

#include "mlir/IR/OperationSupport.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

bool infer::hasInference(RegisteredOperationName name) {
  return name.hasInterface<InferShapedTypeOpInterface>() ||
         name.hasInterface<InferTypeOpInterface>();
}

/// The operand's type, refined by what is known; null if there is none.
static Type getType(const Operand &operand) {
  if (operand.isScalar() || isa_and_nonnull<MemRefType>(operand.type) ||
      (operand.type && !isa<ShapedType>(operand.type)))
    return operand.type;
  if (!operand.elementType)
    return {};
  Type like = operand.type;
  if (!like && !TensorType::isValidElementType(operand.elementType))
    return {};
  if (!like)
    like = UnrankedTensorType::get(operand.elementType);
  Type type = typeOf(like, operand.shape, operand.elementType);
  auto tensor = dyn_cast_or_null<RankedTensorType>(type);
  if (tensor && operand.encoding && !isa<UnitAttr>(operand.encoding))
    return RankedTensorType::get(tensor.getShape(), tensor.getElementType(),
                                 operand.encoding);
  return type;
}

namespace {

/// A temporary operation with operands and attributes alone, on which inference
/// is called. Its operands are the arguments of a block.
class Sketch {
public:
  Sketch(RegisteredOperationName name, const Request &request, Location loc) {
    for (const Operand &operand : request.operands) {
      Type type = getType(operand);
      isWhole &= type != nullptr;
      if (type)
        block.addArgument(type, loc);
    }
    NamedAttrList attributes(request.attributes);
    isWhole = isWhole && request.regionYields.empty() &&
              succeeded(name.verifyInherentAttrs(attributes, [&] {
                InFlightDiagnostic none = emitError(loc);
                none.abandon();
                return none;
              }));
    if (!isWhole)
      return;
    OperationState state(loc, name);
    state.addOperands(block.getArguments());
    state.addAttributes(attributes);
    op = Operation::create(state);
  }
  ~Sketch() {
    if (op)
      op->destroy();
  }

  Block block;
  Operation *op = nullptr;
  bool isWhole = true;
};

/// One result as inference gives it.
struct Inferred {
  Shape shape = Shape::unranked();
  Type elementType;
  Attribute encoding;
};

} // namespace

static LogicalResult runInference(RegisteredOperationName name,
                                  const Sketch &sketch,
                                  std::vector<Inferred> &results) {
  Operation *op = sketch.op;
  MLIRContext *context = name.getContext();
  ValueRange operands = op->getOperands();
  DictionaryAttr attributes = op->getAttrDictionary();
  OpaqueProperties properties = op->getPropertiesStorage();
  if (auto *types = name.getInterface<InferTypeOpInterface>()) {
    SmallVector<Type> inferred;
    if (failed(types->inferReturnTypes(context, op->getLoc(), operands,
                                       attributes, properties, op->getRegions(),
                                       inferred)))
      return failure();
    for (Type type : inferred) {
      Operand result(type);
      results.push_back({result.shape, result.elementType, result.encoding});
    }
    return success();
  }
  auto *shapes = name.getInterface<InferShapedTypeOpInterface>();
  SmallVector<ShapedTypeComponents> inferred;
  if (failed(shapes->inferReturnTypeComponents(context, op->getLoc(), operands,
                                               attributes, properties,
                                               op->getRegions(), inferred)))
    return failure();
  for (const ShapedTypeComponents &components : inferred) {
    Inferred &result = results.emplace_back();
    if (components.hasRank())
      result.shape = Shape::fromIntegers(components.getDims().data(),
                                         components.getDims().size());
    result.elementType = components.getElementType();
    result.encoding = components.getAttribute();
  }
  return success();
}

/// Whether the operands' shapes are fully known.
static bool isStatic(const Request &request) {
  return llvm::all_of(request.operands, [](const Operand &operand) {
    return operand.shape.isRanked() &&
           llvm::all_of(operand.shape,
                        [](Extent extent) { return extent.isFixed(); });
  });
}

static bool hasValues(const Request &request) {
  return llvm::any_of(request.operands, [](const Operand &operand) {
    return operand.constant || operand.value;
  });
}

void infer::addInference(RegisteredOperationName name, const Request &request,
                         Numbers &numbers, Outcome &outcome) {
  Location loc = UnknownLoc::get(name.getContext());
  bool everythingKnown =
      !outcome.results.empty() &&
      llvm::all_of(outcome.results, [](const ResultComponents &result) {
        return result.hasShape && result.elementType;
      });
  if (everythingKnown)
    return;
  DiagnosticListener listener(name.getContext());
  Sketch sketch(name, request, loc);
  std::vector<Inferred> inferred;
  if (!sketch.isWhole || failed(runInference(name, sketch, inferred))) {
    bool isCertain = sketch.isWhole && isStatic(request) && !hasValues(request);
    std::string text = listener.getText().str();
    StringRef words = text;
    // Removes the prefix that MLIR adds for an operation.
    words.consume_front(("'" + name.getStringRef() + "' op ").str());
    if (words.empty())
      words = "its operands are not those of such an operation";
    if (isCertain) {
      outcome.truth = Truth::Refuted;
      outcome.constraints.push_back(
          {Truth::Refuted, Numbers::kFalse, words.str(), {}, loc});
    } else if (!outcome.skipped) {
      outcome.skipped = EvaluationError{loc, words.str()};
      outcome.truth = Truth::Unknown;
    }
    return;
  }
  if (outcome.results.size() < inferred.size())
    outcome.results.resize(inferred.size());
  bool extentsToo = isStatic(request);
  for (auto [result, from] : llvm::zip(outcome.results, inferred)) {
    if (!result.elementType)
      result.elementType = from.elementType;
    if (!result.encoding)
      result.encoding = from.encoding;
    if (result.hasShape)
      continue;
    result.hasShape = result.isFromInference = true;
    if (!from.shape.isRanked())
      continue;
    result.shape = from.shape;
    for (size_t axis = 0; axis < from.shape.rank(); ++axis)
      if (!extentsToo || !from.shape[axis].isFixed())
        result.shape[axis] =
            outcome.isCoarse
                ? Extent()
                : extentOf(numbers, numbers.unknownWord({0, Bounds::kNone}));
  }
}
