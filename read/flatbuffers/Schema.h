//===- Schema.h - the tables of a TOSA file ---------------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// TOSA 1.0 and 1.1 as FlatBuffers: the positions of fields in the tables of a
// file, and their values. Private to this library.
//
// Invariant: after GraphTable::verify, these classes return only data inside
// the file. The values still have to be checked.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_READ_FLATBUFFERS_SCHEMA_H
#define BROADLOOM_READ_FLATBUFFERS_SCHEMA_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <flatbuffers/flatbuffers.h>

namespace broadloom::read {

inline constexpr char kIdentifier[] = "TOSA";

/// Types of elements, as files number them.
enum class DType : uint32_t {
  Unknown,
  Bool,
  Int4,
  Int8,
  Int16,
  Int32,
  Int48,
  FP32,
  FP16,
  BF16,
  Shape,
  FP8E4M3,
  FP8E5M2,
  FP6E2M3,
  FP6E3M2,
  FP4E2M1,
  FP8UE8M0,
  Int64,
  MXInt8,
};

/// The kind of a field of an operation's attribute.
enum class FieldKind {
  Int,
  Bool,
  /// A list of 32-bit integers, which has 64 or 32 bits in MLIR.
  Ints,
  NarrowInts,
  /// A DType.
  Type,
  NanMode,
  Rounding,
  Resize,
  BlockSize,
  /// An element of the operation's first operand, as bytes.
  Element,
  Text,
  Bytes,
  /// The name of a region.
  Graph,
};

struct Field {
  const char *name = nullptr;
  FieldKind kind = FieldKind::Int;
};

/// The most fields that an attribute has.
inline constexpr unsigned kMaxFields = 5;

/// An operation: its name in MLIR, and the fields of its attribute in their
/// order.
struct OperationForm {
  const char *name = nullptr;
  Field fields[kMaxFields];
};

/// The forms, indexed by the numbers of operations in files; an unknown number
/// has an empty form.
llvm::ArrayRef<OperationForm> getOperationForms();

/// The average number of times that the contents of a file may be read.
inline constexpr uint64_t kRepeats = 16;

/// The offset of the entry for field `index` in a table's directory.
constexpr flatbuffers::voffset_t slot(unsigned index) { return 4 + 2 * index; }

using Text = flatbuffers::String;
template <typename T> using List = flatbuffers::Vector<flatbuffers::Offset<T>>;
using Bytes = flatbuffers::Vector<uint8_t>;
using Integers = flatbuffers::Vector<int32_t>;

inline llvm::StringRef toRef(const Text *text) {
  return text ? llvm::StringRef(text->c_str(), text->size())
              : llvm::StringRef();
}

/// A table of unknown kind.
struct AnyTable : flatbuffers::Table {
  template <typename T> const T *get(unsigned index) const {
    return GetPointer<const T *>(slot(index));
  }
  template <typename T> T get(unsigned index, T otherwise) const {
    return GetField<T>(slot(index), otherwise);
  }
};

struct VersionTable : AnyTable {
  int32_t major() const { return get<int32_t>(0, -1); }
  int32_t minor() const { return get<int32_t>(1, -1); }
};

/// Compatibility requirements beside the version.
struct CompatibilityTable : AnyTable {
  uint64_t features() const { return get<uint64_t>(1, 0); }
};

struct TensorTable : AnyTable {
  const Text *name() const { return get<Text>(0); }
  const Integers *shape() const { return get<Integers>(1); }
  DType type() const { return DType(get<uint32_t>(2, 0)); }
  const Bytes *data() const { return get<Bytes>(3); }
  bool isVariable() const { return get<uint8_t>(4, 0); }
  bool isUnranked() const { return get<uint8_t>(5, 0); }
  const Text *variableName() const { return get<Text>(6); }
  /// The offset of data that follows the tables.
  uint64_t offset() const { return get<uint64_t>(7, 0); }
  uint64_t size() const { return get<uint64_t>(8, 0); }
};

struct ShapeTable : AnyTable {
  const Text *name() const { return get<Text>(0); }
  uint32_t rank() const { return get<uint32_t>(1, 0); }
  const Bytes *data() const { return get<Bytes>(2); }
};

struct LocationTable : AnyTable {
  const Text *text() const { return get<Text>(0); }
};

struct OperatorTable : AnyTable {
  uint32_t op() const { return get<uint32_t>(0, 0); }
  uint8_t attributeType() const { return get<uint8_t>(1, 0); }
  const AnyTable *attribute() const { return get<AnyTable>(2); }
  const List<Text> *inputs() const { return get<List<Text>>(3); }
  const List<Text> *outputs() const { return get<List<Text>>(4); }
  const LocationTable *location() const { return get<LocationTable>(5); }
};

struct BlockTable : AnyTable {
  const Text *name() const { return get<Text>(0); }
  const List<OperatorTable> *operators() const {
    return get<List<OperatorTable>>(1);
  }
  const List<TensorTable> *tensors() const { return get<List<TensorTable>>(2); }
  const List<Text> *inputs() const { return get<List<Text>>(3); }
  const List<Text> *outputs() const { return get<List<Text>>(4); }
  const List<ShapeTable> *shapes() const { return get<List<ShapeTable>>(5); }
};

struct RegionTable : AnyTable {
  const Text *name() const { return get<Text>(0); }
  const List<BlockTable> *blocks() const { return get<List<BlockTable>>(1); }
};

struct GraphTable : AnyTable {
  const VersionTable *version() const { return get<VersionTable>(0); }
  const List<RegionTable> *regions() const { return get<List<RegionTable>>(1); }
  const CompatibilityTable *compatibility() const {
    return get<CompatibilityTable>(3);
  }

  /// The graph in `file`, whose first 2 GB contain the tables; null if a table,
  /// list or text is not inside the file, or if there is no version.
  static const GraphTable *verify(llvm::StringRef file);
};

} // namespace broadloom::read

#endif // BROADLOOM_READ_FLATBUFFERS_SCHEMA_H
