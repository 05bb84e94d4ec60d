//===- ConvertModel.h - models that other programs read ---------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to this library.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DRIVER_SOURCES_CONVERTMODEL_H
#define BROADLOOM_DRIVER_SOURCES_CONVERTMODEL_H

#include "driver/sources/ConvertedFile.h"
#include "driver/sources/SourceForm.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

#include <memory>

namespace broadloom {

/// The program that the converter of `form` makes of a model. An environment
/// variable may name the converter; otherwise it is the one beside this
/// program, or that in PATH (docs/program-formats.md). `isFile` says that the
/// model was read from a file, whose path is its name.
llvm::Expected<ConvertedModel> convertModel(const SourceForm &form,
                                            const llvm::MemoryBuffer &model,
                                            bool isFile);

} // namespace broadloom

#endif // BROADLOOM_DRIVER_SOURCES_CONVERTMODEL_H
