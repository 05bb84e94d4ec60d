//===- NameValues.cpp - the names that a program's text has ---------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/inspect/NameValues.h"

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

/// The lines of a text, which are counted when the first one is asked for.
class Lines {
public:
  explicit Lines(StringRef text) : text(text) {}

  /// The line before and from the column on; empty where there is none.
  std::pair<StringRef, StringRef> split(unsigned line, unsigned column) {
    if (lines.empty())
      text.split(lines, '\n');
    if (line == 0 || line > lines.size() || column == 0)
      return {};
    StringRef whole = lines[line - 1];
    size_t before = std::min<size_t>(column - 1, whole.size());
    return {whole.take_front(before), whole.drop_front(before)};
  }

private:
  StringRef text;
  SmallVector<StringRef> lines;
};

bool isInName(char c) {
  return llvm::isAlnum(c) || StringRef("_$.-").contains(c);
}

class ValueNames {
public:
  explicit ValueNames(const llvm::MemoryBuffer &source)
      : file(source.getBufferIdentifier()), lines(source.getBuffer()) {}

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
    function->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (op != function)
        addInside(op);
      for (Region &region : op->getRegions())
        for (Block &block : region)
          if (op != function || !block.isEntryBlock())
            for (BlockArgument argument : block.getArguments())
              if (StringRef name = findInText(argument.getLoc());
                  isPrintable(name))
                loom::setArgumentName(argument, name);
    });
  }

private:
  void addInside(Operation *op) {
    if (op->getNumResults() != 1 ||
        !(op->getResult(0).getType().isIntOrIndex() ||
          isa<BaseMemRefType>(op->getResult(0).getType())))
      return;
    StringRef before = split(op->getLoc()).first.rtrim();
    if (!before.consume_back("="))
      return;
    StringRef name = before.rtrim();
    size_t sign = name.rfind('%');
    if (sign == StringRef::npos)
      return;
    name = name.drop_front(sign + 1);
    if (llvm::all_of(name, isInName) && isPrintable(name))
      loom::setResultName(op, name);
  }

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
    StringRef name = findInText(location), number = name;
    number.consume_front("arg");
    return llvm::all_of(number, llvm::isDigit) ? "" : name.str();
  }

  /// The line before and from the place on that the location points to.
  std::pair<StringRef, StringRef> split(Location location) {
    auto at = dyn_cast<FileLineColLoc>(location);
    if (!at || at.getFilename().getValue() != file)
      return {};
    return lines.split(at.getLine(), at.getColumn());
  }

  /// `img` of `%img`.
  StringRef findInText(Location location) {
    StringRef name = split(location).second;
    return name.consume_front("%") ? name.take_while(isInName) : StringRef();
  }

  StringRef file;
  Lines lines;
};

} // namespace

void broadloom::nameValues(ModuleOp module, const llvm::MemoryBuffer &source) {
  ValueNames names(source);
  for (auto function : module.getOps<FunctionOpInterface>())
    if (!function.isExternal())
      names.add(function);
}
