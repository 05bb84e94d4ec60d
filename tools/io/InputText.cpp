//===- InputText.cpp - the values of --input ------------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/io/InputText.h"
#include "runtime/calls/ElementTypes.h"
#include "shape/TakesText.h"
#include "tools/io/Decimal.h"
#include "tools/io/FloatFormat.h"
#include "tools/io/Npy.h"
#include "tools/io/RawFile.h"
#include "tools/io/StandardInput.h"

#include <charconv>
#include <cstring>
#include <string_view>
#include <sys/stat.h>

using namespace broadloom;
using namespace broadloom::io;

namespace {
/// The parts of a typed text, not checked.
struct TypedText {
  std::vector<std::string_view> extents;
  std::string_view type;
  /// The text after "=", if there is one.
  std::optional<std::string_view> values;
};
} // namespace

/// Splits "2x3xf32=..."; nothing if the part before "=" does not look like a
/// type.
static std::optional<TypedText> splitTyped(std::string_view text) {
  TypedText typed;
  size_t equals = text.find('=');
  std::string_view rest = text.substr(0, equals);
  if (equals != std::string_view::npos)
    typed.values = text.substr(equals + 1);
  for (size_t x; (x = rest.find('x')) != std::string_view::npos;) {
    std::string_view extent = rest.substr(0, x);
    if (extent.empty() ||
        extent.find_first_not_of("0123456789?-") != std::string_view::npos)
      return std::nullopt;
    typed.extents.push_back(extent);
    rest.remove_prefix(x + 1);
  }
  typed.type = rest;
  return typed;
}

/// The values of a text, one after the other.
namespace {
class Values {
public:
  explicit Values(std::string_view text) : rest(text) {}
  /// The next value; empty at the end.
  std::string_view next() {
    size_t begin = rest.find_first_not_of(separators);
    rest.remove_prefix(std::min(begin, rest.size()));
    std::string_view value = rest.substr(0, rest.find_first_of(separators));
    rest.remove_prefix(value.size());
    return value;
  }

private:
  static constexpr const char *separators = " \t\r\n,;[]";
  std::string_view rest;
};
} // namespace

static bool bracketsPair(std::string_view text) {
  int64_t depth = 0;
  for (char c : text) {
    depth += c == '[' ? 1 : c == ']' ? -1 : 0;
    if (depth < 0)
      return false;
  }
  return depth == 0;
}

static std::string quoted(std::string_view text, size_t limit) {
  if (text.size() <= limit)
    return "'" + std::string(text) + "'";
  return "'" + std::string(text.substr(0, limit)) + "...'";
}

/// Reads an integer as the low bits of its two's complement.
static Result<uint64_t> parseInteger(std::string_view text,
                                     BroadloomElementType type) {
  std::string name = broadloomElementTypeName(type);
  bool isSigned = name[0] == 'i';
  int bits = static_cast<int>(8 * broadloomElementBytes(type));
  uint64_t mask = ~0ull >> (64 - bits);

  std::string_view digits = text;
  bool negative = digits[0] == '-';
  if (negative || digits[0] == '+')
    digits.remove_prefix(1);
  int base = 10;
  if (digits.size() > 1 && digits[0] == '0' &&
      (digits[1] == 'x' || digits[1] == 'X' || digits[1] == 'b' ||
       digits[1] == 'B')) {
    base = digits[1] == 'x' || digits[1] == 'X' ? 16 : 2;
    digits.remove_prefix(2);
  }
  uint64_t magnitude = 0;
  auto [end, error] = std::from_chars(
      digits.data(), digits.data() + digits.size(), magnitude, base);
  if (end != digits.data() + digits.size() ||
      error == std::errc::invalid_argument || digits.empty())
    return Failure{quoted(text, 40) + " is not an integer of type " + name};

  uint64_t most = isSigned ? mask >> 1 : mask;
  uint64_t least = isSigned ? most + 1 : 0; // of a negative number
  // A pattern without a sign may use all bits.
  uint64_t limit = negative ? least : base == 10 ? most : mask;
  if (error == std::errc::result_out_of_range || magnitude > limit)
    return Failure{quoted(text, 40) + " is out of the range of " + name + ", " +
                   (isSigned ? "-" + std::to_string(least) : "0") + " to " +
                   std::to_string(most)};
  return (negative ? 0 - magnitude : magnitude) & mask;
}

static Result<uint64_t> parseBool(std::string_view text) {
  if (text == "1" || text == "true" || text == "True")
    return uint64_t(1);
  if (text == "0" || text == "false" || text == "False")
    return uint64_t(0);
  return Failure{quoted(text, 40) +
                 " is not a value of type i1 (true, false, 1 or 0)"};
}

static Result<uint64_t> parseValue(std::string_view text,
                                   BroadloomElementType type) {
  if (isFloatType(type))
    return parseFloat(text, type);
  return type == BROADLOOM_I1 ? parseBool(text) : parseInteger(text, type);
}

/// Reads the extents of a typed text.
static Error parseExtents(const TypedText &typed,
                          std::vector<int64_t> &extents) {
  for (std::string_view text : typed.extents) {
    int64_t extent = 0;
    auto [end, error] =
        std::from_chars(text.data(), text.data() + text.size(), extent);
    std::string where = " of axis " + std::to_string(extents.size());
    if (error == std::errc::result_out_of_range)
      return "the extent " + std::string(text) + where + " overflows 63 bits";
    if (error != std::errc() || end != text.data() + text.size())
      return "the extent " + quoted(text, 40) + where +
             " is not a number; inputs have static shapes";
    if (extent < 0)
      return "the extent " + std::string(text) + where + " is negative";
    extents.push_back(extent);
  }
  return {};
}

/// Checks that there are as many values as elements, or one.
static Error checkCount(std::string_view text, const std::string &shape,
                        int64_t elements, int64_t &given) {
  if (!bracketsPair(text))
    return "the brackets do not pair up";
  given = 0;
  for (Values values(text); !values.next().empty();)
    ++given;
  if (given == elements || given == 1)
    return {};
  return shape + " has " + std::to_string(elements) +
         (elements == 1 ? " element but " : " elements but ") +
         std::to_string(given) + (given == 1 ? " value is" : " values are") +
         " given";
}

/// Fills a tensor of memory `data` with the values of a text.
static Error fill(char *data, int64_t elements, BroadloomElementType type,
                  std::string_view text, int64_t given) {
  size_t bytes = broadloomElementBytes(type);
  Values values(text);
  uint64_t bits = 0;
  for (int64_t i = 0; i < given; ++i) {
    std::string_view value = values.next();
    auto parsed = parseValue(value, type);
    if (!parsed)
      return given == 1 ? parsed.error()
                        : "value " + std::to_string(i) + ": " + parsed.error();
    bits = *parsed;
    if (i < elements)
      std::memcpy(data + i * bytes, &bits, bytes); // little-endian, as Npy.cpp
  }
  if (given == 1)
    for (int64_t i = 1; i < elements; ++i)
      std::memcpy(data + i * bytes, &bits, bytes);
  return {};
}

static Result<OwnedTensor>
readTyped(const TypedText &typed, BroadloomElementType type,
          std::optional<BroadloomElementType> expected) {
  if (expected && type != *expected) {
    std::string unsignedName =
        "u" + std::string(broadloomElementTypeName(*expected));
    if (unsignedName != broadloomElementTypeName(type))
      return Failure{std::string("the element type is ") +
                     broadloomElementTypeName(type) + ", but " +
                     broadloomElementTypeName(*expected) + " is expected"};
  }
  std::vector<int64_t> extents;
  if (Error error = parseExtents(typed, extents); !error.empty())
    return Failure{error};
  std::string shape = shapeText(type, extents);
  int64_t elements = 1;
  bool empty = false;
  for (int64_t extent : extents)
    empty |= extent == 0;
  for (int64_t extent : extents)
    if (__builtin_mul_overflow(elements, empty ? 0 : extent, &elements))
      return Failure{"the size of " + shape + " overflows 63 bits"};
  if (!typed.values && elements > 0)
    return Failure{"no values are given; write " + shape +
                   "=0 for zeros, or name a .npy file"};
  std::string_view values = typed.values.value_or("");
  int64_t given = 0;
  if (Error error = checkCount(values, shape, elements, given); !error.empty())
    return Failure{error};

  auto tensor = createTensor(type, extents);
  if (!tensor)
    return tensor;
  char *data = static_cast<char *>((*tensor)->data);
  if (Error error = fill(data, elements, type, values, given); !error.empty())
    return Failure{error};
  if (expected)
    (*tensor)->elementType = *expected;
  return tensor;
}

static bool exists(const std::string &path) {
  struct stat status;
  return stat(path.c_str(), &status) == 0;
}

/// Reads inputs without a special prefix (readInput).
static Result<OwnedTensor>
readTextOrPath(const std::string &text,
               std::optional<BroadloomElementType> expected) {
  std::optional<TypedText> typed = splitTyped(text);
  if (typed) {
    if (auto type = elementTypeFromName(typed->type))
      return readTyped(*typed, *type, expected);
  }
  if (exists(text))
    return readNpy(text, expected);
  if (typed && !typed->extents.empty())
    return Failure{"the element type " + quoted(typed->type, 40) +
                   " is not known (one of i1, i8 to i64, ui8 to ui64, "
                   "f8E4M3FN, f8E5M2, f16, bf16, f32 and f64 is expected)"};
  return Failure{"there is no such file, and it is not a text such as "
                 "2x3xf32=1 2 3 4 5 6"};
}

/// Standard input contains a tensor, not the path of one.
static Result<OwnedTensor>
readOnlyText(const std::string &text,
             std::optional<BroadloomElementType> expected) {
  if (std::optional<TypedText> typed = splitTyped(text))
    if (auto type = elementTypeFromName(typed->type))
      return readTyped(*typed, *type, expected);
  return Failure{"standard input has neither a .npy file nor a text such as "
                 "2x3xf32=1 2 3 4 5 6"};
}

static Result<OwnedTensor>
readTextOrFile(const std::string &text,
               std::optional<BroadloomElementType> expected) {
  if (text.empty())
    return Failure{"a .npy file, or a text such as 2x3xf32=1 2 3 4 5 6, is "
                   "expected"};
  if (text == "-")
    return readStandardInput(expected, [&](const std::string &read) {
      return readOnlyText(read, expected);
    });
  if (text[0] == '@')
    return readNpy(text.substr(1), expected);
  constexpr std::string_view bytes = "bytes:";
  if (text.compare(0, bytes.size(), bytes) == 0)
    return readBytes(text.substr(bytes.size()), expected);
  return readTextOrPath(text, expected);
}

Result<OwnedTensor>
broadloom::io::readInput(const std::string &text, int index,
                         std::optional<BroadloomElementType> expected,
                         std::string_view name) {
  auto tensor = readTextOrFile(text, expected);
  if (!tensor)
    return Failure{argumentText(index, name) + " (" + quoted(text, 60) +
                   "): " + tensor.error()};
  return tensor;
}
