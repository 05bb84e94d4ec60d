//===- LoomSetShape.cpp - memory whose shape is a set ---------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/LoomDialect.h"
#include "dialect/LoomSetShapeStorage.h"
#include "dialect/MemoryLayouts.h"
#include "poly/RelationText.h"
#include "poly/SetUnion.h"

#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::loom;

//===----------------------------------------------------------------------===//
// The set
//===----------------------------------------------------------------------===//

/// The text has been verified.
loom::detail::SetShapeAttrStorage::SetShapeAttrStorage(StringRef text)
    : text(text), set(poly::Signature()) {
  poly::ParsedRelation parsed = poly::parseSet(text.str());
  if (!parsed.relation)
    return;
  set = *poly::joinParts(*parsed.relation).relation;
  if (std::optional<poly::PackedSet> found = poly::packSet(set).packed)
    packed = std::move(*found);
}

SetShapeAttr SetShapeAttr::get(MLIRContext *context,
                               const poly::Relation &set) {
  return get(context, StringRef(poly::printSet(set)));
}

const poly::Relation &SetShapeAttr::getSet() const { return getImpl()->set; }

const poly::PackedSet &SetShapeAttr::getPacked() const {
  return getImpl()->packed;
}

StringRef SetShapeAttr::getText() const { return getImpl()->text; }

unsigned SetShapeAttr::getNumSymbols() const {
  return getSet().getSignature().symbols.size();
}

unsigned SetShapeAttr::getSymbolAxis(unsigned axis) const {
  unsigned numSymbols = getNumSymbols();
  return numSymbols == 0 ? axis : std::min(axis, numSymbols - 1);
}

std::vector<int64_t> SetShapeAttr::getSymbols(ArrayRef<int64_t> shape) const {
  return shape.take_front(getNumSymbols()).vec();
}

/// "element [1, -1], where n is 2".
static std::string describePoint(const poly::Relation &set,
                                 ArrayRef<int64_t> point) {
  const poly::Signature &names = set.getSignature();
  std::string text = "element [";
  ArrayRef<int64_t> index = point.drop_front(names.symbols.size());
  for (size_t i = 0; i < index.size(); ++i)
    text += (i ? ", " : "") + std::to_string(index[i]);
  text += "]";
  for (size_t i = 0; i < names.symbols.size(); ++i)
    text += (i ? " and " : ", where ") + names.symbols[i] + " is " +
            std::to_string(point[i]);
  return text;
}

/// Whether all points are inside `extents`.
static LogicalResult
checkInside(const poly::Relation &set, const std::vector<poly::Form> &extents,
            llvm::function_ref<InFlightDiagnostic()> emitError) {
  bool isKnown = true;
  if (auto point = poly::findOutside(set, extents, isKnown))
    return emitError() << "the shape " << poly::printSet(set) << " has "
                       << describePoint(set, *point)
                       << ", which is outside the extents of the type; the "
                          "symbols are the extents of the first axes, the last "
                          "one that of all axes behind";
  if (!isKnown)
    return emitError() << "the shape " << poly::printSet(set)
                       << " may have elements outside the extents of the "
                          "type, which could not be ruled out";
  return success();
}

LogicalResult
SetShapeAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                     StringRef text) {
  poly::ParsedRelation parsed = poly::parseSet(text.str());
  if (parsed.error)
    return emitError() << parsed.error->message << " in shape " << text;
  const poly::Relation &set = *parsed.relation;
  const poly::Signature &names = set.getSignature();
  if (names.outputs.empty())
    return emitError() << "a shape has at least one axis";
  if (names.symbols.size() > names.outputs.size())
    return emitError() << "the shape has " << names.symbols.size()
                       << " symbols but " << names.outputs.size()
                       << " axes; symbols are the extents of the first axes";
  if (std::string because = poly::packSet(set).because; !because.empty())
    return emitError() << "nothing can have the shape " << text << ", because "
                       << because;
  if (names.symbols.empty())
    return success();
  std::vector<poly::Form> extents;
  for (size_t axis = 0; axis < names.outputs.size(); ++axis)
    extents.push_back(set.getSymbol(std::min(axis, names.symbols.size() - 1)));
  return checkInside(set, extents, emitError);
}

Attribute SetShapeAttr::parse(AsmParser &parser, Type) {
  if (parser.parseLess())
    return {};
  SMLoc start = parser.getCurrentLocation();
  std::string text;
  if (parser.parseString(&text))
    return {};
  poly::ParsedRelation parsed = poly::parseSet(text);
  if (parsed.error) {
    // The grammar has no character that a string escapes.
    const char *place =
        start.getPointer() + 1 + (parsed.error->place - text.c_str());
    parser.emitError(SMLoc::getFromPointer(place), parsed.error->message);
    return {};
  }
  if (parser.parseGreater())
    return {};
  return getChecked(
      [&] { return parser.emitError(start); }, parser.getContext(),
      StringRef(poly::printSet(*poly::joinParts(*parsed.relation).relation)));
}

void SetShapeAttr::print(AsmPrinter &printer) const {
  printer << "<\"" << getText() << "\">";
}

//===----------------------------------------------------------------------===//
// The layout
//===----------------------------------------------------------------------===//

/// No map gives the places. What asks for one must not take it for row-major
/// memory.
AffineMap SetShapeAttr::getAffineMap() const {
  size_t rank = getSet().getSignature().outputs.size();
  SmallVector<AffineExpr> results;
  for (unsigned axis = 0; axis < rank; ++axis)
    results.push_back(getAffineDimExpr(axis, getContext()));
  results.push_back(getAffineConstantExpr(0, getContext()));
  return AffineMap::get(rank, 0, results, getContext());
}

bool SetShapeAttr::isIdentity() const { return false; }

LogicalResult SetShapeAttr::getStridesAndOffset(ArrayRef<int64_t>,
                                                SmallVectorImpl<int64_t> &,
                                                int64_t &) const {
  return failure();
}

LogicalResult SetShapeAttr::verifyLayout(
    ArrayRef<int64_t> shape,
    llvm::function_ref<InFlightDiagnostic()> emitError) const {
  const poly::Signature &names = getSet().getSignature();
  if (shape.size() != names.outputs.size())
    return emitError() << "the shape " << getText() << " has "
                       << names.outputs.size() << " axes, but the type has "
                       << shape.size();
  for (auto [axis, extent] : llvm::enumerate(shape)) {
    unsigned first = getSymbolAxis(axis);
    if (extent != shape[first])
      return emitError() << "axes " << first << " and " << axis
                         << " have one extent, '" << names.symbols.back()
                         << "' of the shape " << getText()
                         << "; give both the same number, or '?'";
    if (ShapedType::isDynamic(extent) && !getPacked().tellsSymbol)
      return emitError() << "axis " << axis
                         << " has an open extent, but the number of elements "
                            "of the shape "
                         << getText()
                         << " does not tell it; give numbers for all extents";
    if (!ShapedType::isDynamic(extent) && extent >= int64_t(1)
                                                        << getPacked().bits)
      return emitError() << "axis " << axis << " has extent " << extent
                         << "; places of the shape " << getText()
                         << " are computed in 64 bits for extents less than "
                         << (int64_t(1) << getPacked().bits);
  }
  if (!names.symbols.empty())
    return success();
  return checkInside(
      getSet(), std::vector<poly::Form>(shape.begin(), shape.end()), emitError);
}

//===----------------------------------------------------------------------===//
// loom.packed
//===----------------------------------------------------------------------===//

Value PackedOp::getViewSource() { return getMemref(); }

LogicalResult PackedOp::verify() {
  auto type = dyn_cast<MemRefType>(getMemref().getType());
  if (!type || !getSetShape(type))
    return emitOpError() << "takes memory whose shape is a set, but "
                         << getMemref().getType() << " is not; give it a "
                         << "layout such as #loom.shape<...>";
  MemRefType places = getPlaces(type);
  if (getElements().getType() != places)
    return emitOpError() << "gives " << getElements().getType()
                         << ", but the elements are " << places;
  return success();
}
