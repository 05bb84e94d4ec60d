//===- LocationText.cpp - where an operation is, for a reader -------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/LocationText.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace broadloom;

/// `text` as UTF-8 without control characters, on which a terminal would act:
/// those, and each of `others`, become a backslash and two digits.
static std::string escape(StringRef text, StringRef others = {}) {
  std::string escaped;
  for (char c : llvm::json::fixUTF8(text)) {
    auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f || others.contains(c))
      escaped += {'\\', llvm::hexdigit(byte >> 4), llvm::hexdigit(byte & 15)};
    else
      escaped += c;
  }
  return escaped;
}

/// The first file location in `loc`; null if it has none.
static FileLineColLoc findFile(Location loc) {
  FileLineColLoc found;
  loc->walk([&](Location part) {
    found = dyn_cast<FileLineColLoc>(part);
    return found ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found;
}

std::string broadloom::getFileLocationText(Location loc) {
  FileLineColLoc file = findFile(loc);
  if (!file)
    return "";
  std::string text = escape(file.getFilename());
  // A module that was not parsed has no line.
  if (file.getLine() != 0)
    text += ":" + std::to_string(file.getLine()) + ":" +
            std::to_string(file.getColumn());
  return text;
}

bool broadloom::hasFileWithoutLine(Location location) {
  FileLineColLoc file = findFile(location);
  return file && file.getLine() == 0;
}

/// Metadata of a location that makeNumberedLocation made.
static constexpr llvm::StringLiteral kNumbered = "loom.numbered";

Location broadloom::makeNumberedLocation(Location location, StringRef text) {
  MLIRContext *context = location.getContext();
  SmallVector<Location, 2> parts{FileLineColLoc::get(context, text, 0, 0)};
  if (!isa<UnknownLoc>(location))
    parts.push_back(location);
  return FusedLoc::get(context, parts, StringAttr::get(context, kNumbered));
}

bool broadloom::isNumberedLocation(Location location) {
  bool found = false;
  location->walk([&](Location part) {
    auto fused = dyn_cast<FusedLoc>(part);
    auto metadata =
        fused ? dyn_cast_or_null<StringAttr>(fused.getMetadata()) : nullptr;
    found |= metadata && metadata.getValue() == kNumbered;
    return found ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found;
}

/// Collects names in the order of the text, and the first call site; the rest
/// of a call site is about the caller.
static void collect(Location loc, llvm::SetVector<StringRef> &names,
                    std::optional<Location> &caller) {
  if (auto name = dyn_cast<NameLoc>(loc)) {
    if (!name.getName().empty())
      names.insert(name.getName());
    collect(name.getChildLoc(), names, caller);
  } else if (auto fused = dyn_cast<FusedLoc>(loc)) {
    for (Location part : fused.getLocations())
      collect(part, names, caller);
  } else if (auto call = dyn_cast<CallSiteLoc>(loc)) {
    collect(call.getCallee(), names, caller);
    if (!caller)
      caller = call.getCaller();
  }
}

std::string broadloom::getNamesText(Location loc) {
  constexpr size_t maxNames = 3;
  llvm::SetVector<StringRef> names;
  std::optional<Location> caller;
  collect(loc, names, caller);
  std::string text;
  llvm::raw_string_ostream stream(text);
  for (auto [i, name] :
       llvm::enumerate(names.getArrayRef().take_front(maxNames))) {
    stream << (i == 0 ? "\"" : ", \"") << escape(name, "\"\\") << '"';
  }
  if (names.size() > maxNames)
    stream << " and " << names.size() - maxNames << " more";
  if (caller)
    if (std::string from = getLocationText(*caller); !from.empty())
      stream << (text.empty() ? "" : " ") << "called from " << from;
  return text;
}

std::string broadloom::getLocationText(Location loc) {
  std::string file = getFileLocationText(loc), names = getNamesText(loc);
  return file + (file.empty() || names.empty() ? "" : ": ") + names;
}

Location broadloom::getLocationAt(const llvm::MemoryBuffer &text, size_t offset,
                                  MLIRContext *context) {
  StringRef before = text.getBuffer().take_front(offset);
  unsigned line = before.count('\n') + 1;
  unsigned column = before.size() - (before.rfind('\n') + 1) + 1;
  return FileLineColLoc::get(context, text.getBufferIdentifier(), line, column);
}
