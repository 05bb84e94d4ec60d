//===- Shape.cpp - shapes and their text ----------------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "shape/Shape.h"

#include "shape/Symbols.h"

#include <algorithm>
#include <limits>

namespace broadloom {

bool ShapeView::isStatic() const {
  return ranked_ && std::all_of(begin(), end(), [](Extent extent) {
           return extent.isStatic();
         });
}

Shape::Shape(const Extent *extents, size_t rank) {
  if (rank > kInline) {
    large_.assign(extents, extents + rank);
    return;
  }
  std::copy(extents, extents + rank, small_.begin());
  count_ = static_cast<uint32_t>(rank);
}

Shape::Shape(ShapeView view) : Shape(view.begin(), view.rank()) {
  ranked_ = view.isRanked();
}

Shape Shape::unranked() {
  Shape shape;
  shape.ranked_ = false;
  return shape;
}

Shape Shape::fromIntegers(const int64_t *extents, size_t rank,
                          const bool *scalable) {
  Shape shape;
  for (size_t axis = 0; axis < rank; ++axis)
    shape.push_back(scalable && scalable[axis] ? Extent::scalable(extents[axis])
                                               : Extent::fixed(extents[axis]));
  return shape;
}

void Shape::push_back(Extent extent) {
  ranked_ = true;
  if (large_.empty() && count_ < kInline) {
    small_[count_++] = extent;
    return;
  }
  if (large_.empty()) {
    large_.assign(small_.begin(), small_.end());
    count_ = 0;
  }
  large_.push_back(extent);
}

bool operator==(ShapeView a, ShapeView b) {
  return a.isRanked() == b.isRanked() &&
         std::equal(a.begin(), a.end(), b.begin(), b.end());
}

std::string toString(Extent extent, const Symbols *symbols) {
  switch (extent.kind()) {
  case Extent::Kind::Dynamic:
    return "?";
  case Extent::Kind::Fixed:
    return std::to_string(extent.value());
  case Extent::Kind::Scalable:
    return "[" + std::to_string(extent.value()) + "]";
  case Extent::Kind::Symbol:
    break;
  }
  if (symbols && extent.symbolId() < symbols->size())
    return symbols->name(extent.symbolId());
  return "s" + std::to_string(extent.symbolId());
}

std::string toString(ShapeView shape, const Symbols *symbols) {
  if (!shape.isRanked())
    return "*";
  std::string text;
  for (size_t axis = 0; axis < shape.rank(); ++axis) {
    if (axis)
      text += 'x';
    text += toString(shape[axis], symbols);
  }
  return text;
}

/// A decimal number that fits 63 bits; -1 otherwise.
static int64_t parseNumber(std::string_view text) {
  if (text.empty())
    return -1;
  int64_t number = 0;
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  for (char c : text) {
    if (c < '0' || c > '9')
      return -1;
    int64_t digit = c - '0';
    if (number > (kMax - digit) / 10)
      return -1;
    number = number * 10 + digit;
  }
  return number;
}

static bool isLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool isName(std::string_view text) {
  return !text.empty() && isLetter(text.front()) &&
         std::all_of(text.begin(), text.end(), [](char c) {
           return isLetter(c) || (c >= '0' && c <= '9');
         });
}

static std::optional<Extent> parseExtent(std::string_view text,
                                         Symbols *symbols) {
  if (text == "?")
    return Extent::dynamic();
  if (symbols && isName(text))
    return symbols->named(text);
  bool scalable = text.size() > 2 && text.front() == '[' && text.back() == ']';
  int64_t n = parseNumber(scalable ? text.substr(1, text.size() - 2) : text);
  if (n < 0)
    return std::nullopt;
  return scalable ? Extent::scalable(n) : Extent::fixed(n);
}

/// The length of the longest name with an `x` in `symbols` with which `text`
/// begins; 0 for none.
static size_t findKnownName(std::string_view text, const Symbols &symbols) {
  size_t longest = 0;
  for (SymbolId id = 0; id < symbols.size(); ++id) {
    std::string name = symbols.name(id);
    size_t length = name.size();
    if (length > longest && name.find('x') != std::string::npos &&
        text.substr(0, length) == name &&
        (length == text.size() || text[length] == 'x'))
      longest = length;
  }
  return longest;
}

std::optional<Shape> parseShape(std::string_view text, Symbols *symbols) {
  if (text == "*")
    return Shape::unranked();
  Shape shape;
  while (!text.empty()) {
    size_t end = symbols ? findKnownName(text, *symbols) : 0;
    if (end == 0)
      end = std::min(text.find('x'), text.size());
    std::optional<Extent> extent = parseExtent(text.substr(0, end), symbols);
    // A trailing `x` would be followed by an empty extent.
    if (!extent || end + 1 == text.size())
      return std::nullopt;
    shape.push_back(*extent);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return shape;
}

} // namespace broadloom
