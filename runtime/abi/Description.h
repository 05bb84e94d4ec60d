//===- Description.h - the interface as constants ---------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// runtime/abi/Abi.def as constants, and the checks of the C declarations
// against it. abi::GuardSite::axis is the number of a field,
// abi::broadloomEnter is a function of the runtime with its signature.
//
// Invariant: this header compiles only if each struct of runtime/abi/Structs.h
// has the fields of the description, in that order, at their natural offsets
// and no others, and if each function has its signature.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_RUNTIME_ABI_DESCRIPTION_H
#define BROADLOOM_RUNTIME_ABI_DESCRIPTION_H

#include "runtime/Rounding.h"
#include "runtime/abi/Abi.h"

#include <cstddef>
#include <iterator>
#include <type_traits>
#include <utility>

namespace broadloom::abi {

/// The types of fields, parameters and results.
enum Type : uint8_t {
  Void,
  /// Integers, of either sign.
  I32,
  I64,
  /// Any address.
  Pointer,
  /// BROADLOOM_MAX_RANK numbers of 64 bits.
  Extents,
  /// Two numbers of 64 bits for each axis of a descriptor.
  Dims,
};

/// A field of a struct, as C lays it out.
struct FieldInfo {
  const char *name;
  Type type;
  size_t offset;
};

/// A function that compiled code calls or defines.
struct Call {
  static constexpr size_t kMaxParameters = 8;

  const char *name = nullptr;
  Type result = Void;
  size_t numParameters = 0;
  Type parameters[kMaxParameters] = {};

  constexpr bool hasSignatureOf(const Call &other) const {
    bool same = result == other.result && numParameters == other.numParameters;
    for (size_t i = 0; same && i < numParameters; ++i)
      same = parameters[i] == other.parameters[i];
    return same;
  }
};

template <typename... Parameters>
constexpr Call makeCall(const char *name, Type result,
                        Parameters... parameters) {
  static_assert(sizeof...(Parameters) <= Call::kMaxParameters);
  return {name, result, sizeof...(Parameters), {parameters...}};
}

/// The description of C's type `T`.
template <typename T> constexpr Type typeOf() {
  if constexpr (std::is_same_v<T, int64_t[]>)
    return Dims;
  else if constexpr (std::is_same_v<T, int64_t[BROADLOOM_MAX_RANK]>)
    return Extents;
  else if constexpr (std::is_pointer_v<T>)
    return Pointer;
  else if constexpr (std::is_integral_v<T>) {
    static_assert(sizeof(T) == 4 || sizeof(T) == 8, "has no description");
    return sizeof(T) == 4 ? I32 : I64;
  } else {
    static_assert(std::is_void_v<T>, "has no description");
  }
  return Void;
}

/// The signature of a function of C.
template <typename Result, typename... Parameters>
constexpr Call signatureOf(Result (*)(Parameters...)) {
  return makeCall("", typeOf<Result>(), typeOf<Parameters>()...);
}

constexpr size_t alignmentOf(Type type) { return type == I32 ? 4 : 8; }

constexpr size_t bytesOf(Type type) {
  if (type == Void || type == Dims)
    return 0;
  return type == Extents ? 8 * BROADLOOM_MAX_RANK : alignmentOf(type);
}

/// Whether consecutive fields at their natural alignment have C's offsets, and
/// end where the struct does.
template <size_t count>
constexpr bool isLaidOut(const FieldInfo (&fields)[count], size_t bytes) {
  size_t end = 0, alignment = 1;
  for (const FieldInfo &field : fields) {
    size_t own = alignmentOf(field.type);
    alignment = own > alignment ? own : alignment;
    end = roundUp(end, own);
    if (field.offset != end)
      return false;
    end += bytesOf(field.type);
  }
  return roundUp(end, alignment) == bytes;
}

/// A value that converts to any field.
struct AnyValue {
  template <typename T> operator T() const;
};

template <typename Struct, size_t... index>
auto takes(std::index_sequence<index...>, int)
    -> decltype(Struct{(void(index), AnyValue())...}, std::true_type());
template <typename Struct, size_t... index>
std::false_type takes(std::index_sequence<index...>, long);

/// Whether C's struct has no more fields than `Described`. A further field
/// could be in padding, where it would change no offset and no size. A struct
/// that ends with an array has no padding.
template <typename Described> constexpr bool hasNoMoreFields() {
  using Struct = typename Described::Struct;
  constexpr size_t count = Described::kNumFields;
  if constexpr (constexpr Type last = Described::kFields[count - 1].type;
                last == Dims || last == Extents)
    return true;
  else
    return !decltype(takes<Struct>(std::make_index_sequence<count + 1>(),
                                   0))::value;
}

// A table of the fields of each struct.
#define BROADLOOM_STRUCT(NAME) inline constexpr FieldInfo k##NAME##Fields[] = {
#define BROADLOOM_FIELD(NAME, FIELD, TYPE)                                     \
  {#FIELD, TYPE, offsetof(Broadloom##NAME, FIELD)},
#define BROADLOOM_STRUCT_END(NAME)                                             \
  }                                                                            \
  ;
#include "runtime/abi/Abi.def"

// Each struct as a type, with the numbers of its fields.
#define BROADLOOM_STRUCT(NAME)                                                 \
  struct NAME {                                                                \
    using Struct = Broadloom##NAME;                                            \
    static constexpr auto &kFields = k##NAME##Fields;                          \
    static constexpr size_t kNumFields = std::size(k##NAME##Fields);           \
    enum Field : int32_t {
#define BROADLOOM_FIELD(NAME, FIELD, TYPE) FIELD,
#define BROADLOOM_STRUCT_END(NAME)                                             \
  }                                                                            \
  ;                                                                            \
  }                                                                            \
  ;
#include "runtime/abi/Abi.def"

#define BROADLOOM_FIELD(NAME, FIELD, TYPE)                                     \
  static_assert(typeOf<decltype(Broadloom##NAME::FIELD)>() == TYPE);           \
  static_assert(TYPE != Dims || std::is_same_v<NAME, Descriptor>,              \
                "the size of Dims depends on a rank, which compiled code "     \
                "knows of a Descriptor alone");
#define BROADLOOM_STRUCT_END(NAME)                                             \
  static_assert(isLaidOut(NAME::kFields, sizeof(Broadloom##NAME)) &&           \
                hasNoMoreFields<NAME>());
#include "runtime/abi/Abi.def"

// The functions that compiled code defines.
#define BROADLOOM_CODE(NAME, ...)                                              \
  inline constexpr Call NAME = makeCall(#NAME, __VA_ARGS__);                   \
  static_assert(NAME.hasSignatureOf(signatureOf(Broadloom##NAME{})));
#include "runtime/abi/Abi.def"

// The functions of the runtime.
#define BROADLOOM_CALL(SYMBOL, ...)                                            \
  inline constexpr Call SYMBOL = makeCall(#SYMBOL, __VA_ARGS__);               \
  static_assert(SYMBOL.hasSignatureOf(signatureOf(&::SYMBOL)));
#include "runtime/abi/Abi.def"

#define BROADLOOM_TEXT_EXPANDED(NAME) #NAME
#define BROADLOOM_TEXT(NAME) BROADLOOM_TEXT_EXPANDED(NAME)
/// The name of the runtime's symbol for its version.
inline constexpr const char *kVersionSymbol =
    BROADLOOM_TEXT(BROADLOOM_ABI_SYMBOL);
#undef BROADLOOM_TEXT
#undef BROADLOOM_TEXT_EXPANDED

} // namespace broadloom::abi

#endif // BROADLOOM_RUNTIME_ABI_DESCRIPTION_H
