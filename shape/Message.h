//===- Message.h - the words for errors about shapes ------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All messages about shapes, so that the compiler, its guards and the runtime
// use the same text (verify-1, rt-2). An error found at compile time, a guard's
// template with {0}, {1}, ... for values that are known at run time, and the
// runtime's own text differ only in how an extent is written: that is a
// Spelling.
//
// Invariant: lower case, no full stop, never empty.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_SHAPE_MESSAGE_H
#define BROADLOOM_SHAPE_MESSAGE_H

#include "shape/Formula.h"
#include "shape/Shape.h"
#include "shape/ShapeConstraint.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace broadloom {

/// The shapes that a message is about. `inferred` is the broadcast of the
/// operands, `results` usually one shape. All borrowed.
struct Situation {
  ShapeList operands;
  ShapeView inferred;
  ShapeList results;
};

/// The origin of the extent of an operand's axis, e.g. `axis 1 of argument 0`;
/// empty if unknown.
using OriginOf = std::function<std::string(int32_t operand, int32_t axis)>;

/// `axis 1 of argument 0`, for the owner `argument 0`
std::string ofAxis(int64_t axis, const std::string &owner);

/// How extents, ranks and origins are written.
class Spelling {
public:
  virtual ~Spelling();
  /// The extent that `party` (see Party) has on its own axis `axis`.
  virtual std::string extent(int32_t party, int32_t axis, Extent extent) = 0;
  /// The rank of `party`; -1 if it is not known.
  virtual std::string rank(int32_t party, int32_t rank) = 0;
  /// The shape of `operand`, whose rank is not known: `*`.
  virtual std::string unranked(int32_t operand);
  virtual std::string origin(int32_t operand, int32_t axis) = 0;
};

/// The spelling of types: `4`, `?`, a symbol's name.
class PlainSpelling final : public Spelling {
public:
  explicit PlainSpelling(const Symbols *symbols = nullptr, OriginOf origin = {})
      : symbols_(symbols), origin_(std::move(origin)) {}
  std::string extent(int32_t party, int32_t axis, Extent extent) override;
  std::string rank(int32_t party, int32_t rank) override;
  std::string origin(int32_t operand, int32_t axis) override;

private:
  const Symbols *symbols_;
  OriginOf origin_;
};

/// The spelling of a guard's template: static extents as numbers, and {k} for
/// the others, one k per party and axis, or for a whole shape of unknown rank.
class TemplateSpelling final : public Spelling {
public:
  /// The value of {k}: the extent of `axis` of `party`, or the party's rank if
  /// `axis` is kRank, or its shape if it is kShape.
  struct Slot {
    static constexpr int32_t kRank = -1, kShape = -2;
    int32_t party;
    int32_t axis;
  };

  explicit TemplateSpelling(OriginOf origin = {})
      : origin_(std::move(origin)) {}
  std::string extent(int32_t party, int32_t axis, Extent extent) override;
  std::string rank(int32_t party, int32_t rank) override;
  std::string unranked(int32_t operand) override;
  std::string origin(int32_t operand, int32_t axis) override;
  /// The values that substitute() needs, in order.
  const std::vector<Slot> &slots() const { return slots_; }

private:
  std::string slot(int32_t party, int32_t axis);

  OriginOf origin_;
  std::vector<Slot> slots_;
};

/// The message that `constraint` does not hold. For example:
///   operands are not broadcast-compatible along axis 1: extents 3 and 2
///   (operand shapes 4x3 and 4x2; extent 3 is axis 1 of argument 0, extent 2 is
///   axis 1 of argument 1)
/// on one line. Shapes of more than two operands are numbered:
///   (operand shapes 4x3 and 4x2 of operands 0 and 2)
std::string describe(const ShapeConstraint &constraint,
                     const Situation &situation, Spelling &spelling);

/// The same message for concrete extents: the conflict that broadcastSpans of
/// Formula.h found among `count` operands.
std::string describe(const Conflict &conflict, const ExtentSpan *operands,
                     size_t count, const OriginOf &origin = {});

/// The beginning of every message about operands that do not broadcast.
constexpr std::string_view kNotBroadcastable =
    "operands are not broadcast-compatible";

/// The message without operands:
///   operands are not broadcast-compatible along axis 1: extents 3 and 2
std::string describeExtents(int64_t axis, std::string_view first,
                            std::string_view second);

/// The message without an axis, for shapes as text:
///   operands are not broadcast-compatible: shapes 4x3 and 4x2
std::string describeShapes(std::string_view shapes);

/// The same sentence as describe() for a constraint, as a guard's template;
/// `slots` gets its values.
std::string describeAsTemplate(const ShapeConstraint &constraint,
                               const Situation &situation,
                               std::vector<TemplateSpelling::Slot> &slots,
                               OriginOf origin = {});

/// An operand as text: its number, its shape such as `4x3`, and its origin such
/// as `argument 0`; empty if that has no name.
struct OperandText {
  int64_t number;
  std::string shape;
  std::string origin;
};

/// ` (operand shapes 4x3 and 2; operand 0 is argument 0)`: the text that
/// follows the message of a shape function's author. Empty without operands.
std::string describeOperands(const std::vector<OperandText> &operands);

/// The text of a shape in a message; `write` returns the extent of an axis.
std::string writeShape(size_t rank,
                       const std::function<std::string(size_t axis)> &write);
std::string writeShape(ExtentSpan shape);

/// `4x3`, `4x3 and 4x2`, `4x3, 4x2 and 1`
std::string joinWithAnd(const std::vector<std::string> &texts);

/// Replaces {0}, {1}, ... in `text` by `values`; {{ becomes {. Other braces
/// stay. With {0+}, the largest value means a number that does not fit.
std::string substitute(std::string_view text, const int64_t *values,
                       size_t count);

/// The same for values that `spell` writes: the k-th of `count`. With
/// `keepEscapes`, the written texts and the result are templates.
std::string substitute(std::string_view text, size_t count,
                       const std::function<std::string(size_t k)> &spell,
                       bool keepEscapes = false);

/// Escapes text so that substitute() restores it: doubles every {.
std::string escapeTemplate(std::string_view text);

/// `model.mlir:12:8: 'tosa.add': text`, without empty parts.
std::string withSite(std::string_view location, std::string_view operation,
                     std::string_view text);

/// `argument 0 has shape 4x5 but the function takes 4x?` (abi-1). `argument` is
/// an argumentText (shape/TakesText.h).
std::string describeArgument(std::string_view argument, ShapeView actual,
                             ShapeView declared,
                             const Symbols *symbols = nullptr);

/// `extent n is 3 (axis 0 of argument 0) and 4 (axis 1 of argument 1)`: two
/// different extents of one name (abi-1). The extents are texts.
std::string describeNamedExtent(std::string_view name,
                                std::string_view firstExtent,
                                std::string_view firstOrigin,
                                std::string_view secondExtent,
                                std::string_view secondOrigin);

} // namespace broadloom

#endif // BROADLOOM_SHAPE_MESSAGE_H
