//===- MergeObjects.h - several object files as one -------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The parts of a program are compiled apart (SplitModule.h), and a user gets
// one file. Sections of one name are appended to each other, and symbols that
// one part defines and another one uses become one.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_MACHINE_MERGEOBJECTS_H
#define BROADLOOM_CODEGEN_MACHINE_MERGEOBJECTS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace broadloom::codegen {

/// One relocatable file of ELF (64 bits, little-endian) with the contents of
/// `objects`, which are such files for one machine, in their order. Its only
/// visible definition is `visible`; other symbols that parts define become
/// local. Fails where two parts define a symbol, or where a file has what LLVM
/// writes for none of our programs, such as groups of sections.
llvm::Expected<std::string> mergeObjects(llvm::ArrayRef<std::string> objects,
                                         llvm::StringRef visible);

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_MACHINE_MERGEOBJECTS_H
