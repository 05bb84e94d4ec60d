//===- VerifyFile.cpp - whether a file's tables lie in it -----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "read/flatbuffers/Schema.h"

using namespace broadloom::read;
using flatbuffers::Verifier;

namespace {

/// Visits all tables once. In files that tools write no two tables share a
/// list, so that all lists together have fewer elements than the file has
/// bytes. A file that exceeds this is rejected.
///
/// A field is read only after it is known to be inside the file.
class FileVerifier {
public:
  explicit FileVerifier(llvm::StringRef file)
      : start(reinterpret_cast<const uint8_t *>(file.data())),
        verifier(start, file.size(), makeOptions(file.size())),
        budget(file.size()), textBudget(kRepeats * file.size()) {}

  /// The root, or null.
  const GraphTable *verify() {
    if (!verifier.VerifyOffset(size_t(0)))
      return nullptr;
    const auto *graph = flatbuffers::GetRoot<GraphTable>(start);
    return isGraph(*graph) ? graph : nullptr;
  }

private:
  static Verifier::Options makeOptions(size_t size) {
    Verifier::Options options;
    // A table takes 4 bytes and more.
    options.max_tables = flatbuffers::uoffset_t(size / 4 + 1);
    return options;
  }

  static const uint8_t *bytes(const void *object) {
    return reinterpret_cast<const uint8_t *>(object);
  }
  bool begin(const AnyTable &table) {
    return verifier.VerifyTableStart(bytes(&table));
  }
  bool end() { return verifier.EndTable(); }

  template <typename T> bool number(const AnyTable &table, unsigned index) {
    auto offset = table.GetOptionalFieldOffset(slot(index));
    return !offset || verifier.VerifyField<T>(bytes(&table), offset, sizeof(T));
  }

  /// Whether the target of the field begins inside the file.
  bool refers(const AnyTable &table, unsigned index) {
    auto offset = table.GetOptionalFieldOffset(slot(index));
    return !offset || verifier.VerifyOffset(bytes(&table), offset);
  }

  bool text(const AnyTable &table, unsigned index) {
    return refers(table, index) && isText(table.get<Text>(index));
  }

  /// Texts may be shared, but their total length is limited.
  bool isText(const Text *text) {
    if (!verifier.VerifyString(text))
      return false;
    size_t size = text ? text->size() : 0;
    if (size > textBudget)
      return false;
    textBudget -= size;
    return true;
  }

  /// A list of numbers or offsets.
  template <typename T> bool list(const AnyTable &table, unsigned index) {
    if (!refers(table, index))
      return false;
    const auto *all = table.get<flatbuffers::Vector<T>>(index);
    if (!verifier.VerifyVector(all))
      return false;
    size_t size = all ? all->size() : 0;
    if (size > budget)
      return false;
    budget -= size;
    return true;
  }

  /// Checks a list of texts or tables, each with `check`.
  template <typename T, typename Check>
  bool elements(const AnyTable &table, unsigned index, Check check) {
    if (!list<flatbuffers::Offset<T>>(table, index))
      return false;
    const auto *all = table.get<List<T>>(index);
    for (unsigned i = 0; all && i < all->size(); ++i) {
      // The size stands before the elements.
      const uint8_t *offset = bytes(all) + 4 + size_t(i) * 4;
      if (!verifier.VerifyOffset(size_t(offset - start)))
        return false;
      const T *element = all->Get(i);
      if (size_t(bytes(element) - start) % alignof(T) != 0 || !check(*element))
        return false;
    }
    return true;
  }

  bool texts(const AnyTable &table, unsigned index) {
    return elements<Text>(
        table, index, [&](const Text &element) { return isText(&element); });
  }

  /// A table in a field, which may be absent.
  template <typename T, typename Check>
  bool table(const AnyTable &outer, unsigned index, Check check) {
    if (!refers(outer, index))
      return false;
    const T *inner = outer.get<T>(index);
    return !inner || (begin(*inner) && check(*inner) && end());
  }

  bool isGraph(const GraphTable &graph) {
    return begin(graph) &&
           table<AnyTable>(graph, 0,
                           [&](const AnyTable &version) {
                             return number<int32_t>(version, 0) &&
                                    number<int32_t>(version, 1);
                           }) &&
           graph.version() &&
           elements<RegionTable>(
               graph, 1,
               [&](const auto &region) { return isRegion(region); }) &&
           table<AnyTable>(graph, 3,
                           [&](const AnyTable &compatibility) {
                             return number<uint64_t>(compatibility, 1);
                           }) &&
           end();
  }

  bool isRegion(const RegionTable &region) {
    return begin(region) && text(region, 0) &&
           elements<BlockTable>(
               region, 1, [&](const auto &block) { return isBlock(block); }) &&
           end();
  }

  bool isBlock(const BlockTable &block) {
    return begin(block) && text(block, 0) &&
           elements<OperatorTable>(
               block, 1, [&](const auto &op) { return isOperator(op); }) &&
           elements<TensorTable>(
               block, 2,
               [&](const auto &tensor) { return isTensor(tensor); }) &&
           texts(block, 3) && texts(block, 4) &&
           elements<ShapeTable>(
               block, 5, [&](const auto &shape) { return isShape(shape); }) &&
           end();
  }

  bool isTensor(const TensorTable &tensor) {
    return begin(tensor) && text(tensor, 0) && list<int32_t>(tensor, 1) &&
           number<uint32_t>(tensor, 2) && list<uint8_t>(tensor, 3) &&
           number<uint8_t>(tensor, 4) && number<uint8_t>(tensor, 5) &&
           text(tensor, 6) && number<uint64_t>(tensor, 7) &&
           number<uint64_t>(tensor, 8) && end();
  }

  bool isShape(const ShapeTable &shape) {
    return begin(shape) && text(shape, 0) && number<uint32_t>(shape, 1) &&
           list<uint8_t>(shape, 2) && end();
  }

  bool isOperator(const OperatorTable &op) {
    return begin(op) && number<uint32_t>(op, 0) && number<uint8_t>(op, 1) &&
           table<AnyTable>(op, 2,
                           [&](const AnyTable &attribute) {
                             return isAttribute(op.op(), attribute);
                           }) &&
           texts(op, 3) && texts(op, 4) &&
           table<AnyTable>(
               op, 5,
               [&](const AnyTable &location) { return text(location, 0); }) &&
           end();
  }

  bool isAttribute(uint32_t op, const AnyTable &attribute) {
    if (op >= getOperationForms().size())
      return true;
    for (unsigned i = 0; i < kMaxFields; ++i) {
      const Field &form = getOperationForms()[op].fields[i];
      if (form.name && !isField(attribute, i, form.kind))
        return false;
    }
    return true;
  }

  bool isField(const AnyTable &table, unsigned index, FieldKind kind) {
    switch (kind) {
    case FieldKind::Bool:
      return number<uint8_t>(table, index);
    case FieldKind::Ints:
    case FieldKind::NarrowInts:
      return list<int32_t>(table, index);
    case FieldKind::Element:
    case FieldKind::Bytes:
      return list<uint8_t>(table, index);
    case FieldKind::Text:
    case FieldKind::Graph:
      return text(table, index);
    case FieldKind::Int:
    case FieldKind::Type:
    case FieldKind::NanMode:
    case FieldKind::Rounding:
    case FieldKind::Resize:
    case FieldKind::BlockSize:
      return number<uint32_t>(table, index);
    }
    return false;
  }

  const uint8_t *start;
  Verifier verifier;
  /// How many elements of lists may still be visited.
  size_t budget;
  /// How many bytes of texts may still be visited.
  size_t textBudget;
};

} // namespace

const GraphTable *GraphTable::verify(llvm::StringRef file) {
  // Offsets have 31 bits.
  file = file.take_front(FLATBUFFERS_MAX_BUFFER_SIZE - 1);
  if (file.size() < 8)
    return nullptr;
  return FileVerifier(file).verify();
}
