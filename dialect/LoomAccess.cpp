//===- LoomAccess.cpp - how a map reads its operands ----------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/LoomAccess.h"

#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::loom;

#include "dialect/LoomEnums.cpp.inc"

Attribute AccessAttr::parse(AsmParser &parser, Type) {
  SmallVector<AxisAccess> axes;
  if (parser.parseLess())
    return {};
  bool isRanked = failed(parser.parseOptionalStar());
  auto parseAxis = [&] {
    FailureOr<AxisAccess> access = FieldParser<AxisAccess>::parse(parser);
    if (succeeded(access))
      axes.push_back(*access);
    return ParseResult(access);
  };
  if (isRanked &&
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseAxis))
    return {};
  if (parser.parseGreater())
    return {};
  return get(parser.getContext(), isRanked, axes);
}

void AccessAttr::print(AsmPrinter &printer) const {
  if (!getRanked()) {
    printer << "<*>";
    return;
  }
  printer << "<[";
  llvm::interleaveComma(getAxes(), printer, [&](AxisAccess access) {
    printer << stringifyAxisAccess(access);
  });
  printer << "]>";
}

LogicalResult loom::verifyKinds(Operation *op, std::optional<ArrayAttr> kinds,
                                ValueRange operands) {
  if (!kinds)
    return success();
  if (kinds->size() != operands.size())
    return op->emitOpError("has ")
           << operands.size() << " operands but kinds of " << kinds->size();
  for (auto [i, operand] : llvm::enumerate(operands)) {
    auto access = cast<AccessAttr>((*kinds)[i]);
    auto shaped = dyn_cast<ShapedType>(operand.getType());
    if (!access.getRanked() || (shaped && !shaped.hasRank()))
      continue;
    size_t rank = shaped ? shaped.getRank() : 0;
    if (access.getAxes().size() != rank)
      return op->emitOpError("has kinds for ")
             << access.getAxes().size() << " axes of operand " << i
             << ", whose rank is " << rank;
  }
  return success();
}

bool loom::hasShapeOfMap(MapOp map, unsigned index) {
  auto own = dyn_cast<RankedTensorType>(map.getInputs()[index].getType());
  auto result = dyn_cast<RankedTensorType>(map.getResult(0).getType());
  if (!own || !result || own.getRank() != result.getRank())
    return false;
  auto access = map.getKinds() ? cast<AccessAttr>((*map.getKinds())[index])
                               : AccessAttr();
  bool isKnown = access && access.getRanked();
  return llvm::all_of(llvm::seq<int64_t>(0, own.getRank()), [&](int64_t axis) {
    AxisAccess kind = isKnown ? access.getAxes()[axis] : AxisAccess::RunTime;
    int64_t extent = own.getDimSize(axis), wanted = result.getDimSize(axis);
    if (kind == AxisAccess::One || extent == 1)
      return wanted == 1;
    return kind == AxisAccess::Match ||
           (extent == wanted && !ShapedType::isDynamic(extent));
  });
}
