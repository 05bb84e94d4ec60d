//===- Sort.cpp - elements in order ---------------------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/sorting/Sort.h"

#include "runtime/memory/Space.h"
#include "runtime/memory/StridedCopy.h"
#include "runtime/threads/ParallelFor.h"

#include <algorithm>
#include <cstring>
#include <utility>

using namespace broadloom;

namespace {

/// The number of elements from which a radix sort is faster than comparisons.
constexpr int64_t kWorthDigits = 256;
/// If a row has so many elements for each wanted one, only the wanted ones are
/// sorted; for few wanted ones, with a heap.
constexpr int64_t kFewWanted = 8;
constexpr int64_t kHeap = 64;
/// Bytes of an element-wise operation that take as long as sorting one element.
constexpr int64_t kBytesPerElement = 64;

/// How elements are compared. Of booleans, each byte but 0 is true.
enum class Kind { Boolean, Unsigned, Signed, Float };

/// The order of elements of type `Bits`; floats whose bits, without the sign,
/// are greater than `infinity` are NaN.
template <typename Bits> struct Order {
  Kind kind;
  Bits infinity;
  bool isDescending;

  static constexpr Bits kSign = Bits(Bits(1) << (8 * sizeof(Bits) - 1));
  static constexpr Bits kAll = Bits(~Bits(0));

  Bits keyOf(Bits bits) const {
    Bits key = ascendingKeyOf(bits);
    return isDescending ? Bits(~key) : key;
  }

private:
  Bits ascendingKeyOf(Bits bits) const {
    if (kind == Kind::Boolean)
      return bits != 0;
    if (kind == Kind::Unsigned)
      return bits;
    if (kind == Kind::Signed)
      return bits ^ kSign;
    Bits size = bits & Bits(~kSign);
    if (size > infinity)
      return kAll;
    if (size == 0)
      return kSign;
    return bits & kSign ? Bits(~bits) : Bits(bits | kSign);
  }
};

/// An element: its key, and where it was.
template <typename Bits> struct Item {
  Bits key;
  Bits index;

  bool operator<(const Item &other) const {
    return key != other.key ? key < other.key : index < other.index;
  }
};

/// Sorts by the lowest `bytes` of the keys, digit by digit; equal keys keep
/// their order. Returns the array with the result, `items` or `spare`.
template <typename Bits>
Item<Bits> *sortDigits(Item<Bits> *items, Item<Bits> *spare, int64_t count,
                       int32_t bytes) {
  constexpr int32_t kDigits = 256;
  for (int32_t shift = 0; shift < 8 * bytes; shift += 8) {
    int64_t starts[kDigits] = {};
    auto digitOf = [=](const Item<Bits> &item) {
      return (item.key >> shift) % kDigits;
    };
    for (int64_t i = 0; i < count; ++i)
      ++starts[digitOf(items[i])];
    if (starts[digitOf(items[0])] == count)
      continue;
    int64_t start = 0;
    for (int64_t &digit : starts)
      start += std::exchange(digit, start);
    for (int64_t i = 0; i < count; ++i)
      spare[starts[digitOf(items[i])]++] = items[i];
    std::swap(items, spare);
  }
  return items;
}

/// The rows of one sort.
template <typename Element, typename Bits> class RowSorter {
public:
  RowSorter(const Sorting &s, Order<Element> order)
      : s(s), order(order), length(s.extents[s.axis]) {}

  int64_t itemsPerThread() const { return 2 * length; }

  /// Sorts row `row` with `items` of itemsPerThread().
  void run(int64_t row, Item<Bits> *items) const {
    int64_t source = 0, values = 0, indices = 0;
    for (int32_t axis = s.rank - 1; axis >= 0; --axis) {
      if (axis == s.axis)
        continue;
      int64_t at = row % s.extents[axis];
      row /= s.extents[axis];
      source += at * s.source.strides[axis];
      values += at * s.values.strides[axis];
      indices += at * s.indices.strides[axis];
    }
    const char *from = s.source.data + source * int64_t(sizeof(Element));
    const int64_t step = s.source.strides[s.axis] * int64_t(sizeof(Element));
    for (int64_t i = 0; i < length; ++i)
      items[i] = {order.keyOf(read(from + i * step)), Bits(i)};
    const Item<Bits> *sorted = sort(items);
    char *value = s.values.data + values * int64_t(sizeof(Element));
    char *index = s.indices.data + indices * int64_t(sizeof(int64_t));
    for (int64_t i = 0; i < s.count; ++i) {
      int64_t at = int64_t(sorted[i].index);
      std::memcpy(value +
                      i * s.values.strides[s.axis] * int64_t(sizeof(Element)),
                  from + at * step, sizeof(Element));
      std::memcpy(index +
                      i * s.indices.strides[s.axis] * int64_t(sizeof(int64_t)),
                  &at, sizeof(at));
    }
  }

private:
  static Element read(const char *from) {
    Element bits;
    std::memcpy(&bits, from, sizeof(bits));
    return bits;
  }

  const Item<Bits> *sort(Item<Bits> *items) const {
    Item<Bits> *end = items + length;
    if (length >= kWorthDigits && s.count < length / kFewWanted) {
      if (s.count <= kHeap) {
        std::partial_sort(items, items + s.count, end);
        return items;
      }
      std::nth_element(items, items + s.count, end);
      std::sort(items, items + s.count);
      return items;
    }
    if (length >= kWorthDigits)
      return sortDigits(items, end, length, int32_t(sizeof(Element)));
    std::sort(items, end);
    return items;
  }

  const Sorting &s;
  const Order<Element> order;
  const int64_t length;
};

template <typename Element, typename Bits>
bool sortRows(const Sorting &s, Order<Element> order, Arena &arena,
              int32_t threads) {
  int64_t rows = 1;
  for (int32_t axis = 0; axis < s.rank; ++axis)
    rows *= axis == s.axis ? 1 : s.extents[axis];
  int64_t work = INT64_MAX;
  if (__builtin_mul_overflow(rows, s.extents[s.axis] * kBytesPerElement, &work))
    work = INT64_MAX;
  threads = int32_t(std::min<int64_t>(threadsFor(threads, work), rows));
  RowSorter<Element, Bits> sorter(s, order);
  Item<Bits> *items = arena.array<Item<Bits>>(std::max<int32_t>(threads, 1) *
                                              sorter.itemsPerThread());
  if (!items)
    return false;
  parallelFor(threads, rows, [&](int32_t thread, int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row)
      sorter.run(row, items + thread * sorter.itemsPerThread());
  });
  return true;
}

template <typename Element>
bool sortElements(const Sorting &s, Kind kind, Element infinity, Arena &arena,
                  int32_t threads) {
  Order<Element> order{kind, infinity, s.isDescending};
  // Uses half of the memory if indices fit in 32 bits.
  if constexpr (sizeof(Element) <= 4)
    if (s.extents[s.axis] <= int64_t(UINT32_MAX))
      return sortRows<Element, uint32_t>(s, order, arena, threads);
  return sortRows<Element, uint64_t>(s, order, arena, threads);
}

} // namespace

bool broadloom::sortAlong(const Sorting &s, Arena &arena,
                          int32_t threads) noexcept {
  if (s.count == 0 || countElements(s.extents, s.rank) == 0)
    return true;
  auto sort = [&](Kind kind, auto infinity) {
    return sortElements(s, kind, infinity, arena, threads);
  };
  switch (s.elementType) {
  case BROADLOOM_I1:
    return sort(Kind::Boolean, uint8_t());
  case BROADLOOM_U8:
    return sort(Kind::Unsigned, uint8_t());
  case BROADLOOM_U16:
    return sort(Kind::Unsigned, uint16_t());
  case BROADLOOM_U32:
    return sort(Kind::Unsigned, uint32_t());
  case BROADLOOM_U64:
    return sort(Kind::Unsigned, uint64_t());
  case BROADLOOM_I8:
    return sort(Kind::Signed, uint8_t());
  case BROADLOOM_I16:
    return sort(Kind::Signed, uint16_t());
  case BROADLOOM_I32:
    return sort(Kind::Signed, uint32_t());
  case BROADLOOM_I64:
    return sort(Kind::Signed, uint64_t());
  case BROADLOOM_F8E4M3FN:
    // The format has no infinity; this is the largest number.
    return sort(Kind::Float, uint8_t(0x7E));
  case BROADLOOM_F8E5M2:
    return sort(Kind::Float, uint8_t(0x7C));
  case BROADLOOM_F16:
    return sort(Kind::Float, uint16_t(0x7C00));
  case BROADLOOM_BF16:
    return sort(Kind::Float, uint16_t(0x7F80));
  case BROADLOOM_F32:
    return sort(Kind::Float, uint32_t(0x7F800000));
  case BROADLOOM_F64:
    return sort(Kind::Float, uint64_t(0x7FF0000000000000));
  }
  return true;
}
