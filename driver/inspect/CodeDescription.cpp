//===- CodeDescription.cpp - what machine code says of itself -------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/inspect/CodeDescription.h"

#include "codegen/machine/MachineCode.h"
#include "codegen/target/CodeTarget.h"
#include "driver/inspect/InspectJson.h"
#include "driver/inspect/ModuleDescription.h"
#include "runtime/abi/Abi.h"
#include "runtime/abi/Processor.h"

#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Object/ELFObjectFile.h"

using namespace broadloom;
using llvm::StringRef;

std::string broadloom::describeCode(mlir::ModuleOp module, StringRef symbol,
                                    const codegen::CodeTarget &target) {
  CompiledProgram program;
  program.symbol = symbol.str();
  program.abiVersion = BROADLOOM_ABI_VERSION;
  program.instructionSets =
      describeInstructionSets(target.getInstructionSets());
  program.functions = inspectInterface(module);
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::json::OStream json(stream);
  writeJson(program, json);
  return text;
}

bool broadloom::isCode(StringRef contents) {
  return contents.starts_with(llvm::ELF::ElfMagic);
}

/// The contents of the section; empty where there is none.
static llvm::Expected<StringRef>
findDescription(const llvm::object::ObjectFile &object) {
  for (const llvm::object::SectionRef &section : object.sections()) {
    llvm::Expected<StringRef> name = section.getName();
    if (!name)
      return name.takeError();
    if (*name == codegen::kDescriptionSection)
      return section.getContents();
  }
  return StringRef();
}

llvm::Error broadloom::inspectCode(llvm::MemoryBufferRef bytes,
                                   InspectedFile &file) {
  auto object = llvm::object::ObjectFile::createELFObjectFile(bytes);
  if (!object)
    return object.takeError();
  auto *elf = llvm::cast<llvm::object::ELFObjectFileBase>(object->get());
  file.form = elf->getEType() == llvm::ELF::ET_REL
                  ? InspectedFile::Form::Object
                  : InspectedFile::Form::SharedLibrary;
  llvm::Expected<StringRef> text = findDescription(**object);
  if (!text)
    return text.takeError();
  for (StringRef rest = *text; !rest.empty();) {
    auto [one, after] = rest.split('\0');
    rest = after;
    // A linker may pad the section with zeros.
    if (one.empty())
      continue;
    std::optional<CompiledProgram> program = parseCompiledProgram(one);
    if (!program)
      return llvm::createStringError(
          "the description of the program in section "
          "%s is damaged; compile it again",
          codegen::kDescriptionSection.data());
    file.compiled.push_back(std::move(*program));
  }
  if (file.compiled.empty())
    return llvm::createStringError(
        "it has no section %s, which 'broadloom compile' writes to say what "
        "program a file was compiled from: it has another origin, or is of a "
        "version of broadloom without 'inspect'",
        codegen::kDescriptionSection.data());
  return llvm::Error::success();
}
