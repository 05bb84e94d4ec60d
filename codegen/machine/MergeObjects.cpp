//===- MergeObjects.cpp - several object files as one ---------------------===//
//
// InputObject of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/machine/MergeObjects.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Object/ELF.h"
#include "llvm/Support/MathExtras.h"

#include <map>
#include <tuple>
#include <utility>
#include <vector>

using namespace llvm;
using namespace llvm::ELF;
using ElfFile = object::ELFFile<object::ELF64LE>;
using SectionHeader = object::ELF64LE::Shdr;
using SymbolEntry = object::ELF64LE::Sym;
using RelocationEntry = object::ELF64LE::Rela;

namespace {

/// A section of the result: what the parts have of it, one after another.
struct OutputSection {
  SectionHeader header = {};
  std::string name, contents;
  std::vector<RelocationEntry> relocations;
};

/// A symbol of the result, but for the place of its name.
struct OutputSymbol {
  SymbolEntry entry = {};
  StringRef name;
};

/// Where a section of an input stands in the result; number 0 if it is left
/// out.
struct Place {
  uint32_t number = 0;
  uint64_t offset = 0;
};

/// An input, and the places and numbers of its sections and symbols.
struct InputObject {
  ElfFile file;
  ArrayRef<SectionHeader> sections;
  ArrayRef<SymbolEntry> symbols;
  StringRef names;
  std::vector<Place> places;
  std::vector<uint32_t> newSymbols;
};

class Merger {
public:
  explicit Merger(StringRef visible) : visible(visible) {}

  Error add(StringRef object);
  Expected<std::string> write();

private:
  Error addSections(InputObject &part);
  OutputSection &place(const SectionHeader &section, StringRef name,
                       Place &place);
  Error addSymbols(InputObject &part);
  Error addSymbol(const InputObject &part, const SymbolEntry &symbol,
                  uint32_t &number);
  void orderSymbols();
  Error addRelocations(const InputObject &part);
  uint32_t addTable(StringRef name, uint32_t type, std::string contents);
  std::string layOut(uint32_t nameTable);

  StringRef visible;
  std::vector<InputObject> parts;
  /// Each with an entry 0 that stands for none.
  std::vector<OutputSection> outputs{1};
  std::vector<OutputSymbol> symbols{1};
  size_t numLocal = 0;
  /// The numbers of sections by their kinds, and of symbols that are not local
  /// in their part.
  std::map<std::tuple<std::string, uint32_t, uint64_t, uint64_t>, uint32_t>
      kinds;
  StringMap<uint32_t> shared;
};

} // namespace

/// Whether the result has a table of its own instead of the section.
static bool isReplaced(const SectionHeader &section) {
  return section.sh_type == SHT_NULL || section.sh_type == SHT_SYMTAB ||
         section.sh_type == SHT_STRTAB || section.sh_type == SHT_RELA ||
         section.sh_type == SHT_LLVM_ADDRSIG;
}

static bool canBeMerged(const SectionHeader &section) {
  return !(section.sh_flags & (SHF_GROUP | SHF_LINK_ORDER)) &&
         isPowerOf2_64(std::max<uint64_t>(section.sh_addralign, 1)) &&
         is_contained({SHT_PROGBITS, SHT_NOBITS, SHT_NOTE, SHT_X86_64_UNWIND},
                      unsigned(section.sh_type));
}

static bool isDefined(const SymbolEntry &symbol) {
  return symbol.st_shndx != SHN_UNDEF;
}

template <typename T> static std::string getBytes(ArrayRef<T> entries) {
  return std::string(reinterpret_cast<const char *>(entries.data()),
                     entries.size() * sizeof(T));
}

Error Merger::add(StringRef object) {
  auto file = ElfFile::create(object);
  if (!file)
    return file.takeError();
  auto sections = file->sections();
  if (!sections)
    return sections.takeError();
  InputObject part{*file, *sections, {}, {}, {}, {}};
  for (const SectionHeader &section : *sections) {
    if (section.sh_type != SHT_SYMTAB)
      continue;
    auto symbols = file->symbols(&section);
    if (!symbols)
      return symbols.takeError();
    auto names = file->getStringTableForSymtab(section);
    if (!names)
      return names.takeError();
    part.symbols = *symbols;
    part.names = *names;
  }
  if (Error error = addSections(part))
    return error;
  if (Error error = addSymbols(part))
    return error;
  parts.push_back(std::move(part));
  return Error::success();
}

/// Finds the section of the result for one of a part, and makes room for it.
OutputSection &Merger::place(const SectionHeader &section, StringRef name,
                             Place &place) {
  auto [known, isNew] = kinds.try_emplace(
      {name.str(), section.sh_type, section.sh_flags, section.sh_entsize},
      outputs.size());
  place.number = known->second;
  if (isNew) {
    outputs.emplace_back();
    outputs.back().header = section;
    outputs.back().header.sh_size = 0;
    outputs.back().name = name.str();
  }
  OutputSection &output = outputs[place.number];
  uint64_t alignment = std::max<uint64_t>(section.sh_addralign, 1);
  output.header.sh_addralign =
      std::max<uint64_t>(output.header.sh_addralign, alignment);
  place.offset = alignTo(output.header.sh_size, alignment);
  output.header.sh_size = place.offset + section.sh_size;
  return output;
}

Error Merger::addSections(InputObject &part) {
  part.places.resize(part.sections.size());
  for (auto [section, where] : zip(part.sections, part.places)) {
    auto name = part.file.getSectionName(section);
    if (!name)
      return name.takeError();
    if (isReplaced(section))
      continue;
    if (!canBeMerged(section))
      return createStringError("section '" + *name +
                               "' cannot be merged with others");
    OutputSection &output = place(section, *name, where);
    if (section.sh_type == SHT_NOBITS)
      continue;
    auto contents = part.file.getSectionContents(section);
    if (!contents)
      return contents.takeError();
    output.contents.resize(where.offset);
    output.contents += toStringRef(*contents);
  }
  return Error::success();
}

Error Merger::addSymbols(InputObject &part) {
  for (const SymbolEntry &symbol : part.symbols) {
    uint32_t &number = part.newSymbols.emplace_back(0);
    if (&symbol != part.symbols.data())
      if (Error error = addSymbol(part, symbol, number))
        return error;
  }
  return Error::success();
}

Error Merger::addSymbol(const InputObject &part, const SymbolEntry &symbol,
                        uint32_t &number) {
  auto name = symbol.getName(part.names);
  if (!name)
    return name.takeError();
  SymbolEntry entry = symbol;
  if (isDefined(symbol) && symbol.st_shndx < SHN_LORESERVE) {
    if (symbol.st_shndx >= part.places.size())
      return createStringError("symbol '" + *name + "' is in no section");
    Place place = part.places[symbol.st_shndx];
    entry.st_shndx = uint16_t(place.number);
    // A symbol of a section stays one: linkers read its place in a section with
    // constants from the addend. addRelocations adds where the part's begins.
    entry.st_value = symbol.getType() == STT_SECTION
                         ? uint64_t(symbol.st_value)
                         : symbol.st_value + place.offset;
  }
  number = symbols.size();
  if (symbol.getBinding() != STB_LOCAL) {
    auto [known, isNew] = shared.try_emplace(*name, number);
    number = known->second;
    if (!isNew) {
      if (!isDefined(symbol))
        return Error::success();
      if (isDefined(symbols[number].entry))
        return createStringError("two parts define '" + *name + "'");
    }
    if (isDefined(symbol) && *name != visible) {
      entry.setBinding(STB_LOCAL);
      entry.setVisibility(STV_DEFAULT);
    }
    if (!isNew) {
      symbols[number].entry = entry;
      return Error::success();
    }
  }
  symbols.push_back({entry, *name});
  return Error::success();
}

/// Local symbols come first in an ELF file.
void Merger::orderSymbols() {
  std::vector<uint32_t> numbers(symbols.size());
  std::vector<OutputSymbol> ordered;
  for (bool local : {true, false}) {
    for (auto [number, symbol] : enumerate(symbols))
      if ((symbol.entry.getBinding() == STB_LOCAL) == local) {
        numbers[number] = ordered.size();
        ordered.push_back(symbol);
      }
    numLocal = local ? ordered.size() : numLocal;
  }
  symbols = std::move(ordered);
  for (InputObject &part : parts)
    for (uint32_t &number : part.newSymbols)
      number = numbers[number];
}

Error Merger::addRelocations(const InputObject &part) {
  for (const SectionHeader &section : part.sections) {
    if (section.sh_type != SHT_RELA)
      continue;
    auto entries = part.file.relas(section);
    if (!entries)
      return entries.takeError();
    if (section.sh_info >= part.places.size() ||
        part.places[section.sh_info].number == 0)
      return createStringError("relocations are for no section");
    Place place = part.places[section.sh_info];
    for (RelocationEntry entry : *entries) {
      uint32_t symbol = entry.getSymbol(/*isMips64EL=*/false);
      if (symbol >= part.newSymbols.size())
        return createStringError("a relocation is for no symbol");
      entry.setSymbol(part.newSymbols[symbol], /*IsMips64EL=*/false);
      entry.r_offset = entry.r_offset + place.offset;
      const SymbolEntry &of = part.symbols[symbol];
      if (of.getType() == STT_SECTION)
        entry.r_addend = entry.r_addend + part.places[of.st_shndx].offset;
      outputs[place.number].relocations.push_back(entry);
    }
  }
  return Error::success();
}

uint32_t Merger::addTable(StringRef name, uint32_t type, std::string contents) {
  OutputSection &output = outputs.emplace_back();
  output.header.sh_type = type;
  output.header.sh_addralign = 1;
  output.name = name.str();
  output.contents = std::move(contents);
  return outputs.size() - 1;
}

/// Adds a name to a table of names; 0 is the empty one.
static uint32_t addName(std::string &names, StringRef name) {
  if (name.empty())
    return 0;
  size_t place = names.size();
  names.append(name.data(), name.size()).push_back('\0');
  return place;
}

Expected<std::string> Merger::write() {
  orderSymbols();
  for (const InputObject &part : parts)
    if (Error error = addRelocations(part))
      return std::move(error);
  std::string names(1, '\0');
  std::vector<SymbolEntry> entries;
  for (auto &[entry, name] : symbols) {
    entry.st_name = addName(names, name);
    entries.push_back(entry);
  }
  uint32_t numSections = outputs.size();
  uint32_t strings = addTable(".strtab", SHT_STRTAB, std::move(names));
  uint32_t table =
      addTable(".symtab", SHT_SYMTAB, getBytes<SymbolEntry>(entries));
  outputs[table].header.sh_link = strings;
  outputs[table].header.sh_info = numLocal;
  outputs[table].header.sh_entsize = sizeof(SymbolEntry);
  outputs[table].header.sh_addralign = alignof(uint64_t);
  for (uint32_t number = 1; number < numSections; ++number) {
    if (outputs[number].relocations.empty())
      continue;
    uint32_t added =
        addTable(".rela" + outputs[number].name, SHT_RELA,
                 getBytes<RelocationEntry>(outputs[number].relocations));
    SectionHeader &header = outputs[added].header;
    header.sh_flags = SHF_INFO_LINK;
    header.sh_link = table;
    header.sh_info = number;
    header.sh_entsize = sizeof(RelocationEntry);
    header.sh_addralign = alignof(uint64_t);
  }
  uint32_t nameTable = addTable(".shstrtab", SHT_STRTAB, "");
  if (outputs.size() >= SHN_LORESERVE)
    return createStringError(Twine(outputs.size()) +
                             " sections are too many for one file");
  std::string sectionNames(1, '\0');
  for (OutputSection &output : outputs)
    output.header.sh_name = addName(sectionNames, output.name);
  outputs[nameTable].contents = std::move(sectionNames);
  return layOut(nameTable);
}

/// The bytes of the file: its header, the contents of the sections, and the
/// table of sections.
std::string Merger::layOut(uint32_t nameTable) {
  object::ELF64LE::Ehdr header = parts.front().file.getHeader();
  std::string bytes(sizeof(header), '\0');
  for (OutputSection &output : drop_begin(outputs)) {
    uint64_t alignment = output.header.sh_addralign;
    bytes.resize(alignTo(bytes.size(), alignment));
    output.header.sh_offset = bytes.size();
    if (output.header.sh_type == SHT_NOBITS)
      continue;
    output.header.sh_size = output.contents.size();
    bytes += output.contents;
  }
  bytes.resize(alignTo(bytes.size(), alignof(uint64_t)));
  header.e_shoff = bytes.size();
  header.e_shnum = outputs.size();
  header.e_shstrndx = nameTable;
  for (const OutputSection &output : outputs)
    bytes.append(reinterpret_cast<const char *>(&output.header),
                 sizeof(SectionHeader));
  std::memcpy(bytes.data(), &header, sizeof(header));
  return bytes;
}

Expected<std::string>
broadloom::codegen::mergeObjects(ArrayRef<std::string> objects,
                                 StringRef visible) {
  Merger merger(visible);
  for (StringRef object : objects)
    if (Error error = merger.add(object))
      return std::move(error);
  return merger.write();
}
