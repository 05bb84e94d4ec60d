//===- NameArguments.cpp - the names that a program's text has ------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/inspect/NameArguments.h"

#include "dialect/ArgumentName.h"

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace broadloom;

/// Whether messages can have the name: it is short and has no characters on
/// which a terminal would act.
static bool isPrintable(StringRef name) {
  constexpr size_t longest = 80;
  return !name.empty() && name.size() <= longest && llvm::json::isUTF8(name) &&
         llvm::none_of(name,
                       [](unsigned char c) { return c < 0x20 || c == 0x7f; });
}

namespace {

/// The texts at lines and columns, which must be asked for in their order.
class TextAt {
public:
  explicit TextAt(StringRef text) : rest(text) {}

  /// The text from there on; empty where there is none.
  StringRef get(unsigned newLine, unsigned column) {
    for (; line < newLine && !rest.empty(); ++line)
      rest = rest.drop_front(std::min(rest.find('\n'), rest.size() - 1) + 1);
    return line == newLine && column > 0
               ? rest.drop_front(std::min<size_t>(column - 1, rest.size()))
               : StringRef();
  }

private:
  StringRef rest;
  unsigned line = 1;
};

class ArgumentNames {
public:
  explicit ArgumentNames(const llvm::MemoryBuffer &source)
      : file(source.getBufferIdentifier()), text(source.getBuffer()) {}

  void add(FunctionOpInterface function) {
    std::vector<std::string> names;
    llvm::StringMap<unsigned> counts;
    SmallVector<StringRef> entries = getEntryNames(function);
    for (auto [i, argument] : llvm::enumerate(function.getArguments())) {
      std::string name = findName(function, argument);
      if (name.empty() && i < entries.size())
        name = entries[i];
      if (name.empty())
        name = findInLocation(argument.getLoc());
      names.push_back(isPrintable(name) ? name : "");
      ++counts[names.back()];
    }
    for (auto [argument, name] : llvm::zip(function.getArguments(), names))
      if (!name.empty() && counts[name] == 1) {
        // Messages have the name once.
        if (auto named = dyn_cast<NameLoc>(argument.getLoc()))
          argument.setLoc(named.getChildLoc());
        loom::setArgumentName(argument, name);
      }
  }

private:
  /// The name in the argument's own attributes.
  static std::string findName(FunctionOpInterface function,
                              BlockArgument argument) {
    unsigned index = argument.getArgNumber();
    if (auto name = function.getArgAttrOfType<StringAttr>(
            index, "ml_program.identifier"))
      return name.str();
    auto path = function.getArgAttrOfType<ArrayAttr>(
        index, "tf_saved_model.index_path");
    auto last = path && !path.empty()
                    ? dyn_cast<StringAttr>(path.getValue().back())
                    : nullptr;
    return last ? last.str() : "";
  }

  /// The names that TensorFlow's converters list for a whole function; none
  /// where their number is another one.
  static SmallVector<StringRef> getEntryNames(FunctionOpInterface function) {
    auto entry = function->getAttrOfType<DictionaryAttr>("tf.entry_function");
    auto inputs = entry ? entry.getAs<StringAttr>("inputs") : nullptr;
    SmallVector<StringRef> names;
    if (inputs)
      inputs.getValue().split(names, ',');
    if (names.size() != function.getNumArguments())
      names.clear();
    return names;
  }

  /// The name of a location, or what the text has where it points to.
  std::string findInLocation(Location location) {
    if (auto named = dyn_cast<NameLoc>(location))
      return named.getName().str();
    auto at = dyn_cast<FileLineColLoc>(location);
    if (!at || at.getFilename().getValue() != file)
      return "";
    StringRef name = text.get(at.getLine(), at.getColumn());
    if (!name.consume_front("%"))
      return "";
    name = name.take_while([](char c) {
      return llvm::isAlnum(c) || StringRef("_$.-").contains(c);
    });
    StringRef number = name;
    number.consume_front("arg");
    return llvm::all_of(number, llvm::isDigit) ? "" : name.str();
  }

  StringRef file;
  TextAt text;
};

} // namespace

void broadloom::nameArguments(ModuleOp module,
                              const llvm::MemoryBuffer &source) {
  ArgumentNames names(source);
  for (auto function : module.getOps<FunctionOpInterface>())
    if (!function.isExternal())
      names.add(function);
}
