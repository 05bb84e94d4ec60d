//===- Message.cpp - the words for errors about shapes --------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "shape/Message.h"

#include "shape/Symbols.h"

namespace broadloom {

//===----------------------------------------------------------------------===//
// How extents are written
//===----------------------------------------------------------------------===//

std::string ofAxis(int64_t axis, const std::string &owner) {
  return "axis " + std::to_string(axis) + " of " + owner;
}

Spelling::~Spelling() = default;

std::string Spelling::unranked(int32_t) { return "*"; }

std::string PlainSpelling::extent(int32_t, int32_t, Extent extent) {
  return toString(extent, symbols_);
}

std::string PlainSpelling::rank(int32_t, int32_t rank) {
  return rank < 0 ? "?" : std::to_string(rank);
}

std::string PlainSpelling::origin(int32_t operand, int32_t axis) {
  return origin_ ? origin_(operand, axis) : std::string();
}

std::string TemplateSpelling::slot(int32_t party, int32_t axis) {
  size_t k = 0;
  while (k < slots_.size() &&
         (slots_[k].party != party || slots_[k].axis != axis))
    ++k;
  if (k == slots_.size())
    slots_.push_back({party, axis});
  return "{" + std::to_string(k) + "}";
}

std::string TemplateSpelling::extent(int32_t party, int32_t axis,
                                     Extent extent) {
  return extent.isStatic() ? toString(extent) : slot(party, axis);
}

std::string TemplateSpelling::rank(int32_t party, int32_t rank) {
  return rank < 0 ? slot(party, Slot::kRank) : std::to_string(rank);
}

std::string TemplateSpelling::unranked(int32_t operand) {
  return slot(operand, Slot::kShape);
}

std::string TemplateSpelling::origin(int32_t operand, int32_t axis) {
  return origin_ ? escapeTemplate(origin_(operand, axis)) : std::string();
}

//===----------------------------------------------------------------------===//
// Sentences
//===----------------------------------------------------------------------===//

/// The text of a shape without extents.
static constexpr const char *kRankZero = "scalar";

std::string writeShape(size_t rank,
                       const std::function<std::string(size_t axis)> &write) {
  std::string text = rank == 0 ? kRankZero : "";
  for (size_t axis = 0; axis < rank; ++axis) {
    if (axis)
      text += 'x';
    text += write(axis);
  }
  return text;
}

static std::string writeShape(int32_t party, ShapeView shape,
                              Spelling &spelling) {
  if (!shape.isRanked())
    return party >= 0 ? spelling.unranked(party) : "*";
  return writeShape(shape.rank(), [&](size_t axis) {
    return spelling.extent(party, static_cast<int32_t>(axis), shape[axis]);
  });
}

std::string writeShape(ExtentSpan span) {
  return writeShape(static_cast<size_t>(span.rank), [&](size_t axis) {
    return std::to_string(span.extents[axis]);
  });
}

std::string joinWithAnd(const std::vector<std::string> &texts) {
  std::string list;
  for (size_t i = 0; i < texts.size(); ++i) {
    if (i)
      list += i + 1 == texts.size() ? " and " : ", ";
    list += texts[i];
  }
  return list;
}

/// `operand shapes 4x3 and 4x2`
static std::string writeOperandShapes(const std::vector<std::string> &shapes) {
  return (shapes.size() > 1 ? "operand shapes " : "operand shape ") +
         joinWithAnd(shapes);
}

namespace {
/// Two operands that do not broadcast, as texts.
struct Meeting {
  struct Operand {
    int32_t number;
    std::string extent;
    std::string shape;
    std::string origin;
  };
  int64_t axis;
  Operand first;
  Operand second;
  /// Whether operands are numbered. Two operands need no numbers, because their
  /// order is enough.
  bool numbered;
};
} // namespace

std::string describeExtents(int64_t axis, std::string_view first,
                            std::string_view second) {
  std::string text(kNotBroadcastable);
  text += " along axis " + std::to_string(axis);
  text.append(": extents ").append(first).append(" and ").append(second);
  return text;
}

std::string describeShapes(std::string_view shapes) {
  return std::string(kNotBroadcastable).append(": shapes ").append(shapes);
}

static std::string describe(const Meeting &meeting) {
  const Meeting::Operand &first = meeting.first, &second = meeting.second;
  std::string text =
      describeExtents(meeting.axis, first.extent, second.extent) +
      " (operand shapes " + first.shape + " and " + second.shape;
  if (meeting.numbered)
    text += " of operands " + std::to_string(first.number) + " and " +
            std::to_string(second.number);
  const char *separator = "; ";
  for (const Meeting::Operand *operand : {&first, &second}) {
    if (operand->origin.empty())
      continue;
    text += separator;
    text += "extent " + operand->extent + " is " + operand->origin;
    separator = ", ";
  }
  return text + ")";
}

static Meeting::Operand
writeOperand(const Side &side, const Situation &situation, Spelling &spelling) {
  auto number = static_cast<size_t>(side.party);
  ShapeView shape = number < situation.operands.size()
                        ? situation.operands[number]
                        : ShapeView();
  // In separate statements, because a template numbers its values in this
  // order.
  Meeting::Operand operand;
  operand.number = side.party;
  operand.extent = spelling.extent(side.party, side.axis, side.extent);
  operand.shape = writeShape(side.party, shape, spelling);
  operand.origin = spelling.origin(side.party, side.axis);
  return operand;
}

static std::string describeMeeting(const ShapeConstraint &constraint,
                                   const Situation &situation,
                                   Spelling &spelling) {
  bool inOrder = constraint.a.party <= constraint.b.party;
  Meeting meeting;
  meeting.axis = constraint.axis;
  meeting.first =
      writeOperand(inOrder ? constraint.a : constraint.b, situation, spelling);
  meeting.second =
      writeOperand(inOrder ? constraint.b : constraint.a, situation, spelling);
  meeting.numbered = situation.operands.size() > 2;
  return describe(meeting);
}

std::string describe(const Conflict &conflict, const ExtentSpan *operands,
                     size_t count, const OriginOf &origin) {
  auto operand = [&](int32_t number, int64_t extent) {
    const ExtentSpan &span = operands[number];
    int64_t own = conflict.axis - (conflict.resultRank - span.rank);
    return Meeting::Operand{number, std::to_string(extent), writeShape(span),
                            origin ? origin(number, static_cast<int32_t>(own))
                                   : std::string()};
  };
  return describe({conflict.axis, operand(conflict.first, conflict.firstExtent),
                   operand(conflict.second, conflict.secondExtent), count > 2});
}

static std::string writeOperandShapes(const Situation &situation,
                                      Spelling &spelling) {
  std::vector<std::string> shapes;
  for (ShapeView shape : situation.operands)
    shapes.push_back(
        writeShape(static_cast<int32_t>(shapes.size()), shape, spelling));
  return writeOperandShapes(shapes);
}

std::string describeOperands(const std::vector<OperandText> &operands) {
  if (operands.empty())
    return {};
  std::vector<std::string> shapes;
  std::string origins;
  for (const OperandText &operand : operands) {
    shapes.push_back(operand.shape);
    if (!operand.origin.empty())
      origins += (origins.empty() ? "; operand " : ", operand ") +
                 std::to_string(operand.number) + " is " + operand.origin;
  }
  return " (" + writeOperandShapes(shapes) + origins + ")";
}

/// `(operand shapes 4x3 and 4x2; result shape 4x5)`
static std::string writeShapes(const Situation &situation, Spelling &spelling) {
  std::string text;
  if (!situation.operands.empty())
    text = writeOperandShapes(situation, spelling);
  if (!situation.results.empty())
    text += (text.empty() ? "result shape " : "; result shape ") +
            writeShape(kResult, situation.results[0], spelling);
  return text.empty() ? text : " (" + text + ")";
}

static std::string describeResult(const ShapeConstraint &constraint,
                                  const Situation &situation,
                                  Spelling &spelling) {
  const Side &given = constraint.a, &actual = constraint.b;
  using Kind = ShapeConstraint::Kind;
  if (constraint.kind == Kind::ResultRank) {
    std::string text =
        "result has rank " + spelling.rank(actual.party, actual.axis);
    text +=
        " but the operands give rank " + spelling.rank(given.party, given.axis);
    return text + writeShapes(situation, spelling);
  }
  bool forbidden = constraint.kind == Kind::ResultStatic;
  std::string text = "result axis " + std::to_string(constraint.axis) +
                     (forbidden ? " has the static extent " : " has extent ") +
                     spelling.extent(actual.party, actual.axis, actual.extent);
  text += " but the operands give " +
          spelling.extent(given.party, given.axis, given.extent);
  text += writeShapes(situation, spelling);
  if (forbidden)
    text += "; make it ? in the result type, or allow it with "
            "dynamic-to-static=allow";
  return text;
}

static std::string partyName(int32_t party, const Situation &situation) {
  if (party >= 0)
    return "operand " + std::to_string(party);
  return situation.results.size() > 1
             ? "result " + std::to_string(kResult - party)
             : "the result";
}

static std::string describeRanks(const ShapeConstraint &constraint,
                                 const Situation &situation,
                                 Spelling &spelling) {
  const Side &a = constraint.a, &b = constraint.b;
  std::string text = "all ranks must be equal, but " +
                     partyName(a.party, situation) + " has rank " +
                     spelling.rank(a.party, a.axis);
  text += " and " + partyName(b.party, situation) + " has rank " +
          spelling.rank(b.party, b.axis);
  return text + writeShapes(situation, spelling);
}

std::string describe(const ShapeConstraint &constraint,
                     const Situation &situation, Spelling &spelling) {
  using Kind = ShapeConstraint::Kind;
  switch (constraint.kind) {
  case Kind::Compatible:
  case Kind::OneOrEqual:
  case Kind::Equal:
    return describeMeeting(constraint, situation, spelling);
  case Kind::Shapes:
    return std::string(kNotBroadcastable) + " (" +
           writeOperandShapes(situation, spelling) + ")";
  case Kind::ResultExtent:
  case Kind::ResultStatic:
  case Kind::ResultRank:
    return describeResult(constraint, situation, spelling);
  case Kind::RanksMatch:
    return describeRanks(constraint, situation, spelling);
  case Kind::HasOperands:
    return "there are no operands, but at least one is needed to broadcast";
  case Kind::HasOneResult:
    return "there are " + std::to_string(constraint.a.axis) +
           " results, but a broadcasting operation has exactly one";
  case Kind::IsShaped:
    return partyName(constraint.a.party, situation) +
           " is neither a tensor nor a vector";
  case Kind::SameContainer:
    return partyName(constraint.a.party, situation) + " and " +
           partyName(constraint.b.party, situation) +
           " are not both tensors or both vectors";
  }
  return "the shapes do not fit"; // unreachable: the switch is complete
}

std::string describeAsTemplate(const ShapeConstraint &constraint,
                               const Situation &situation,
                               std::vector<TemplateSpelling::Slot> &slots,
                               OriginOf origin) {
  TemplateSpelling spelling(std::move(origin));
  std::string text = describe(constraint, situation, spelling);
  slots = spelling.slots();
  return text;
}

std::string describeArgument(std::string_view argument, ShapeView actual,
                             ShapeView declared, const Symbols *symbols) {
  PlainSpelling spelling(symbols);
  return std::string(argument) + " has shape " +
         writeShape(kNoParty, actual, spelling) + " but the function takes " +
         writeShape(kNoParty, declared, spelling);
}

std::string describeNamedExtent(std::string_view name,
                                std::string_view firstExtent,
                                std::string_view firstOrigin,
                                std::string_view secondExtent,
                                std::string_view secondOrigin) {
  std::string text = "extent ";
  text.append(name).append(" is ").append(firstExtent);
  text.append(" (").append(firstOrigin).append(") and ");
  text.append(secondExtent).append(" (").append(secondOrigin).append(")");
  return text;
}

} // namespace broadloom
