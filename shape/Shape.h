//===- Shape.h - shapes, ranked or not, and their text ----------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A shape is a list of extents, or unranked. `Shape` owns its extents,
// `ShapeView` borrows them and is what functions take.
//
// Invariant: an unranked shape has no extents; rank 0 is a ranked shape with
// no extents, and is not the same.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_SHAPE_SHAPE_H
#define BROADLOOM_SHAPE_SHAPE_H

#include "shape/Extent.h"

#include <array>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace broadloom {

class Symbols;

/// A borrowed shape: valid as long as its source.
class ShapeView {
public:
  /// Unranked.
  constexpr ShapeView() = default;
  constexpr ShapeView(const Extent *extents, size_t rank)
      : extents_(extents), rank_(rank), ranked_(true) {}

  constexpr bool isRanked() const { return ranked_; }
  /// 0 if unranked.
  constexpr size_t rank() const { return rank_; }
  constexpr Extent operator[](size_t axis) const { return extents_[axis]; }
  constexpr const Extent *begin() const { return extents_; }
  constexpr const Extent *end() const { return extents_ + rank_; }
  /// Whether all extents are static.
  bool isStatic() const;

  /// The extent that this ranked shape has on `axis` of a shape of rank
  /// `resultRank` >= rank(): an added axis is 1 (bcast-1).
  constexpr Extent alignedTo(size_t resultRank, size_t axis) const {
    size_t added = resultRank - rank_;
    return axis < added ? Extent::fixed(1) : extents_[axis - added];
  }

private:
  const Extent *extents_ = nullptr;
  size_t rank_ = 0;
  bool ranked_ = false;
};

/// A shape that owns its extents, up to six of them in place.
class Shape {
public:
  /// Rank 0.
  Shape() = default;
  Shape(std::initializer_list<Extent> extents)
      : Shape(extents.begin(), extents.size()) {}
  Shape(const Extent *extents, size_t rank);
  explicit Shape(ShapeView view);

  static Shape unranked();
  /// A negative number is `?`; an extent is scalable if its entry in `scalable`
  /// is true.
  static Shape fromIntegers(const int64_t *extents, size_t rank,
                            const bool *scalable = nullptr);
  static Shape fromIntegers(std::initializer_list<int64_t> extents) {
    return fromIntegers(extents.begin(), extents.size());
  }

  bool isRanked() const { return ranked_; }
  size_t rank() const { return large_.empty() ? count_ : large_.size(); }
  Extent operator[](size_t axis) const { return data()[axis]; }
  Extent &operator[](size_t axis) { return data()[axis]; }
  Extent *data() { return large_.empty() ? small_.data() : large_.data(); }
  const Extent *data() const {
    return large_.empty() ? small_.data() : large_.data();
  }
  const Extent *begin() const { return data(); }
  const Extent *end() const { return data() + rank(); }
  void push_back(Extent extent);

  ShapeView view() const {
    return ranked_ ? ShapeView(data(), rank()) : ShapeView();
  }
  operator ShapeView() const { return view(); }

private:
  static constexpr size_t kInline = 6;
  std::array<Extent, kInline> small_;
  // Holds all extents as soon as there are more than kInline; count_ is then 0.
  std::vector<Extent> large_;
  uint32_t count_ = 0;
  bool ranked_ = true;
};

/// Whether two shapes have the same form (see Extent's operator==).
bool operator==(ShapeView a, ShapeView b);
inline bool operator!=(ShapeView a, ShapeView b) { return !(a == b); }
inline bool operator==(const Shape &a, const Shape &b) {
  return a.view() == b.view();
}
inline bool operator!=(const Shape &a, const Shape &b) { return !(a == b); }

/// A borrowed list of borrowed shapes: the operands of an operation.
class ShapeList {
public:
  constexpr ShapeList() = default;
  constexpr ShapeList(const ShapeView *shapes, size_t size)
      : shapes_(shapes), size_(size) {}
  ShapeList(const std::vector<ShapeView> &shapes)
      : shapes_(shapes.data()), size_(shapes.size()) {}
  /// For arguments only: the list lives until the end of the full expression.
  constexpr ShapeList(const std::initializer_list<ShapeView> &shapes) {
    shapes_ = shapes.begin();
    size_ = shapes.size();
  }

  constexpr size_t size() const { return size_; }
  constexpr bool empty() const { return size_ == 0; }
  constexpr ShapeView operator[](size_t i) const { return shapes_[i]; }
  constexpr const ShapeView *begin() const { return shapes_; }
  constexpr const ShapeView *end() const { return shapes_ + size_; }

private:
  const ShapeView *shapes_ = nullptr;
  size_t size_ = 0;
};

/// `4`, `?`, `[4]`, or a symbol's name (`s` and its number without a table).
std::string toString(Extent extent, const Symbols *symbols = nullptr);

/// `4x?x3`, `s0xs0`, `*` if unranked, and nothing for rank 0.
std::string toString(ShapeView shape, const Symbols *symbols = nullptr);

/// Reads what toString writes. A name is a letter or `_` and then letters
/// (with an `x` only if `symbols` has it), digits and `_`; it is looked up in,
/// or added to, `symbols`; without `symbols` a name is an error. Nothing on an
/// error, or if an extent does not fit 63 bits.
std::optional<Shape> parseShape(std::string_view text,
                                Symbols *symbols = nullptr);

} // namespace broadloom

#endif // BROADLOOM_SHAPE_SHAPE_H
