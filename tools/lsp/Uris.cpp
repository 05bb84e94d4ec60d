//===- Uris.cpp - documents that are no files -----------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/lsp/Uris.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace broadloom;
using llvm::StringRef;
namespace json = llvm::json;

static constexpr llvm::StringLiteral kUnsaved = "file://unsaved/";

/// Whether it is a URI such as `untitled:Untitled-1`, of a scheme that
/// upstream's server does not support.
static bool isNoFile(StringRef uri) {
  auto [scheme, rest] = uri.split(':');
  return !scheme.empty() && !rest.empty() && scheme != "file" &&
         scheme != "mlir.bytecode-mlir";
}

static bool isPlain(char c) {
  return llvm::isAlnum(c) || StringRef("-_.~/:").contains(c);
}

/// A file URI in the form in which upstream's server writes it.
static std::string makeFile(StringRef uri) {
  std::string made = kUnsaved.str();
  for (char c : uri)
    made +=
        isPlain(c) ? std::string(1, c) : "%" + llvm::toHex(StringRef(&c, 1));
  return made;
}

static std::string unmakeFile(StringRef text) {
  if (!text.consume_front(kUnsaved))
    return text.str();
  std::string uri;
  for (unsigned byte; !text.empty();) {
    if (text.front() == '%' && !text.substr(1, 2).getAsInteger(16, byte)) {
      uri += char(byte);
      text = text.drop_front(std::min<size_t>(text.size(), 3));
      continue;
    }
    uri += text.front();
    text = text.drop_front();
  }
  return uri;
}

/// Calls `map(key, text)` for each text in `value`, which the result replaces;
/// `mapKey` for the names in objects.
template <typename Map, typename MapKey>
static json::Value mapTexts(const json::Value &value, StringRef key, Map map,
                            MapKey mapKey) {
  if (auto text = value.getAsString())
    return map(key, *text);
  if (const json::Array *array = value.getAsArray()) {
    json::Array mapped;
    for (const json::Value &element : *array)
      mapped.push_back(mapTexts(element, key, map, mapKey));
    return mapped;
  }
  const json::Object *object = value.getAsObject();
  if (!object)
    return value;
  json::Object mapped;
  for (const auto &[name, element] : *object)
    mapped[mapKey(name)] = mapTexts(element, name, map, mapKey);
  return mapped;
}

std::optional<json::Value> lsp::makeFiles(const json::Value &message) {
  const json::Object *object = message.getAsObject();
  const json::Object *parameters =
      object ? object->getObject("params") : nullptr;
  const json::Object *document =
      parameters ? parameters->getObject("textDocument") : nullptr;
  if (!document || !isNoFile(document->getString("uri").value_or("")))
    return std::nullopt;
  return mapTexts(
      message, "",
      [](StringRef key, StringRef text) {
        return key == "uri" && isNoFile(text) ? makeFile(text) : text.str();
      },
      [](StringRef name) { return name.str(); });
}

std::string lsp::unmakeFiles(StringRef text) {
  if (!text.contains(kUnsaved))
    return text.str();
  auto message = json::parse(text);
  if (!message) {
    llvm::consumeError(message.takeError());
    return text.str();
  }
  std::string result;
  // An edit has the URIs of documents as keys.
  llvm::raw_string_ostream(result) << mapTexts(
      *message, "", [](StringRef, StringRef text) { return unmakeFile(text); },
      [](StringRef name) { return unmakeFile(name); });
  return result;
}
