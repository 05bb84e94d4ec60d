//===- TraitFunctions.cpp - shape functions from traits -------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/functions/TraitFunctions.h"
#include "dialect/Broadcastable.h"
#include "dialect/LoomShapeOps.h"
#include "infer/functions/LibraryBuilder.h"
#include "infer/functions/LibraryVerifier.h"

#include "mlir/Dialect/Traits.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

namespace {

/// The facts that follow from traits.
struct Facts {
  enum class Shapes : uint8_t {
    Any,
    /// All operands have one shape.
    Same,
    /// All operands that are not scalars have one shape.
    Elementwise,
    Broadcast,
  };
  Shapes shapes = Shapes::Any;
  bool givesShape = false;
  bool sameElements = false;
  bool givesElementType = false;
  bool sameEncoding = false;

  bool any() const { return shapes != Shapes::Any || sameElements; }
};

Facts getFacts(RegisteredOperationName name) {
  namespace Trait = mlir::OpTrait;
  using Shapes = Facts::Shapes;
  Facts facts;
  bool sameType = name.hasTrait<Trait::SameOperandsAndResultType>();
  if (name.hasTrait<broadloom::OpTrait::Broadcastable>() ||
      name.hasTrait<broadloom::OpTrait::BroadcastableStrict>() ||
      name.hasTrait<Trait::ResultsBroadcastableShape>()) {
    facts.shapes = Shapes::Broadcast;
    facts.givesShape = true;
  } else if (sameType || name.hasTrait<Trait::SameOperandsAndResultShape>()) {
    facts.shapes = Shapes::Same;
    facts.givesShape = true;
  } else if (name.hasTrait<Trait::Elementwise>()) {
    facts.shapes = Shapes::Elementwise;
    facts.givesShape = true;
  } else if (name.hasTrait<Trait::SameOperandsShape>() ||
             name.hasTrait<Trait::SameTypeOperands>()) {
    facts.shapes = Shapes::Same;
  }
  facts.givesElementType =
      sameType || name.hasTrait<Trait::SameOperandsAndResultElementType>();
  facts.sameElements = facts.givesElementType ||
                       name.hasTrait<Trait::SameTypeOperands>() ||
                       name.hasTrait<Trait::SameOperandsElementType>();
  facts.sameEncoding = sameType;
  return facts;
}

/// The fixed number of operands, if a trait gives one.
std::optional<unsigned> getNumOperands(RegisteredOperationName name) {
  namespace Trait = mlir::OpTrait;
  if (name.hasTrait<Trait::OneOperand>())
    return 1;
  if (name.hasTrait<Trait::NOperands<2>::Impl>())
    return 2;
  if (name.hasTrait<Trait::NOperands<3>::Impl>())
    return 3;
  if (name.hasTrait<Trait::NOperands<4>::Impl>())
    return 4;
  return std::nullopt;
}

class TraitFunction {
public:
  TraitFunction(FunctionBuilder &f, const Facts &facts, Value first)
      : f(f), facts(facts), first(first) {}

  /// The values that the loop over operands carries: the shape so far and, if
  /// scalars do not count, whether there is one yet.
  SmallVector<Value> start() {
    switch (facts.shapes) {
    case Facts::Shapes::Any:
      return {};
    case Facts::Shapes::Elementwise: {
      Value isScalar = f.isScalar(first);
      return {f.shapeOf(first), f.negate(isScalar)};
    }
    case Facts::Shapes::Same:
    case Facts::Shapes::Broadcast:
      return {f.shapeOf(first)};
    }
    return {};
  }

  SmallVector<Value> visit(Value operand, Value number, ValueRange carried) {
    if (facts.sameElements) {
      Value type = f.elementType(operand), wanted = f.elementType(first);
      f.require(f.sameType(type, wanted),
                "operand {0} has elements of type {1} but operand 0 of {2}",
                {number, type, wanted});
    }
    switch (facts.shapes) {
    case Facts::Shapes::Any:
      return {};
    case Facts::Shapes::Broadcast:
      return {f.broadcast({carried[0], f.shapeOf(operand)})};
    case Facts::Shapes::Same: {
      Value shape = f.shapeOf(operand);
      f.require(f.sameShape(carried[0], shape),
                "operand {0} has shape {1} but must have that of operand 0, "
                "{2}",
                {number, shape, carried[0]});
      return {f.meet(carried[0], shape)};
    }
    case Facts::Shapes::Elementwise:
      return visitElementwise(operand, number, carried[0], carried[1]);
    }
    return {};
  }

  /// The components of the result.
  SmallVector<Value> finish(ValueRange carried) {
    SmallVector<Value> given;
    if (facts.givesShape)
      given.push_back(carried[0]);
    if (facts.givesElementType)
      given.push_back(f.elementType(first));
    if (facts.sameEncoding)
      given.push_back(f.encoding(first));
    // A result without components needs an unknown one.
    if (given.empty())
      given.push_back(
          f.unknown(f.getBuilder().getType<loom::ElementTypeType>()));
    return given;
  }

private:
  SmallVector<Value> visitElementwise(Value operand, Value number, Value known,
                                      Value isThere) {
    return f.choose(
        f.isScalar(operand), {known.getType(), isThere.getType()},
        [&]() -> SmallVector<Value> { return {known, isThere}; },
        [&]() -> SmallVector<Value> {
          Value shape = f.shapeOf(operand);
          f.require(f.either(f.negate(isThere), f.sameShape(known, shape)),
                    "operand {0} has shape {1} but the operands before it have "
                    "{2}",
                    {number, shape, known});
          Value met = f.choose(
              isThere, known.getType(),
              [&]() -> SmallVector<Value> { return {f.meet(known, shape)}; },
              [&]() -> SmallVector<Value> { return {shape}; })[0];
          return {met, f.truth(true)};
        });
  }

  FunctionBuilder &f;
  const Facts &facts;
  Value first;
};

} // namespace

bool infer::canDerive(RegisteredOperationName name) {
  return getFacts(name).any() || hasInference(name);
}

OwningOpRef<ModuleOp> infer::buildTraitFunction(RegisteredOperationName name) {
  Facts facts = getFacts(name);
  std::optional<unsigned> numResults = getNumResults(name);
  std::optional<unsigned> numOperands = getNumOperands(name);
  if (!facts.any() || !numResults ||
      name.hasTrait<mlir::OpTrait::ZeroOperands>())
    return {};
  LibraryBuilder library(name.getContext(),
                         ("traits." + name.getStringRef()).str());
  SmallVector<Type> parameters(numOperands.value_or(1),
                               numOperands ? library.operandType()
                                           : library.operandListType());
  FunctionBuilder f = library.addFunction(name.stripDialect(), parameters);
  Value first = f.parameter(0);
  if (!numOperands) {
    Value count = f.count(f.parameter(0));
    f.require(f.atMost(f.constant(1), count), "there is no operand");
    first = f.at(f.parameter(0), f.constant(0));
  }
  TraitFunction function(f, facts, first);
  SmallVector<Value> carried = function.start();
  if (numOperands)
    for (unsigned i = 1; i < *numOperands; ++i)
      carried = function.visit(f.parameter(i), f.constant(i), carried);
  else
    carried = f.forEach(f.constant(1), f.count(f.parameter(0)), carried,
                        [&](Value number, ValueRange values) {
                          return function.visit(f.at(f.parameter(0), number),
                                                number, values);
                        });
  SmallVector<Value> components = function.finish(carried), all;
  for (unsigned i = 0; i < *numResults; ++i)
    llvm::append_range(all, components);
  f.give(all);
  library.map(name.getStringRef(), name.stripDialect());
  return library.finish();
}
