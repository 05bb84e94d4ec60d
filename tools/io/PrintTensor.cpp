//===- PrintTensor.cpp - tensors as NumPy prints them ---------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/io/PrintTensor.h"
#include "tools/io/ElementText.h"
#include "tools/io/OwnedTensor.h"

#include <vector>

using namespace broadloom::io;

/// Columns of a line.
static constexpr size_t lineWidth = 75;
/// Elements above which an array is abridged.
static constexpr int64_t threshold = 1000;
/// The elements that are shown at either end of an axis then.
static constexpr int64_t edgeItems = 3;

namespace {

/// Prints an array of rank 1 or more, with elements.
class ArrayPrinter {
public:
  ArrayPrinter(const BroadloomTensor &tensor, const TextSink &sink)
      : tensor(tensor), sink(sink), elements(tensor.elementType),
        abridged(broadloomTensorCount(&tensor) > threshold),
        index(tensor.rank, 0) {}

  void print() {
    see(0);
    printAxis(0);
  }

private:
  /// Calls `visit` with each shown index along `axis`, and with -1 in place of
  /// omitted ones.
  template <typename Visit> void forEachShown(int32_t axis, Visit visit) {
    int64_t extent = tensor.dims[axis];
    bool gap = abridged && extent > 2 * edgeItems;
    for (int64_t i = 0; i < extent; ++i) {
      if (gap && i == edgeItems) {
        visit(-1);
        i = extent - edgeItems;
      }
      visit(i);
    }
  }

  /// Passes all shown elements to `elements`.
  void see(int32_t axis) {
    if (axis == tensor.rank)
      return elements.see(elementAddress(tensor, index.data()));
    forEachShown(axis, [&](int64_t i) {
      if (i < 0)
        return;
      index[axis] = i;
      see(axis + 1);
    });
  }

  void printAxis(int32_t axis) {
    sink("[");
    if (axis + 1 == tensor.rank)
      printRow(axis);
    else
      printParts(axis);
    sink("]");
  }

  /// Arrays of rank r are separated by r line breaks, and aligned.
  void printParts(int32_t axis) {
    std::string indent(axis + 1, ' ');
    std::string breaks(tensor.rank - axis - 1, '\n');
    bool first = true;
    forEachShown(axis, [&](int64_t i) {
      if (!first)
        sink(breaks + indent);
      first = false;
      if (i < 0)
        return sink("...");
      index[axis] = i;
      printAxis(axis + 1);
    });
  }

  /// The last axis: as many elements in a line as fit. The line begins with as
  /// many spaces, or brackets, as there are axes; one column for each of their
  /// closing brackets stays free.
  void printRow(int32_t axis) {
    std::string indent(axis + 1, ' ');
    size_t limit = lineWidth > indent.size() ? lineWidth - indent.size() : 0;
    // The line so far, without the indent, which is already printed.
    std::string line;
    forEachShown(axis, [&](int64_t i) {
      index[axis] = i;
      std::string word =
          i < 0 ? "..." : elements.text(elementAddress(tensor, index.data()));
      bool first = line.empty();
      if (!first && indent.size() + line.size() + 1 + word.size() > limit) {
        // Only here are spaces at the end of a line dropped.
        line.erase(line.find_last_not_of(' ') + 1);
        sink(line + "\n" + indent);
        line.clear();
      } else if (!first) {
        line += ' ';
      }
      line += word;
    });
    sink(line);
  }

  const BroadloomTensor &tensor;
  const TextSink &sink;
  ElementText elements;
  bool abridged;
  std::vector<int64_t> index;
};

} // namespace

void broadloom::io::printTensor(const BroadloomTensor &tensor,
                                const TextSink &sink) {
  if (broadloomTensorCount(&tensor) <= 0)
    return sink("[]");
  if (tensor.rank == 0)
    return sink(
        scalarText(tensor.elementType, elementAddress(tensor, nullptr)));
  ArrayPrinter(tensor, sink).print();
}

std::string broadloom::io::tensorToString(const BroadloomTensor &tensor) {
  std::string text;
  printTensor(tensor, [&](std::string_view piece) { text += piece; });
  return text;
}
