//===- InspectJson.h - what is in a file, as JSON ---------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The machine-readable form of InspectedFile.h. Compiled code carries its
// functions in the same form (driver/inspect/CodeDescription.h).
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DRIVER_INSPECT_INSPECTJSON_H
#define BROADLOOM_DRIVER_INSPECT_INSPECTJSON_H

#include "driver/InspectedFile.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"

#include <optional>

namespace broadloom {

/// One object. `name` is the file's.
void writeJson(const InspectedFile &file, llvm::StringRef name,
               llvm::json::OStream &json);

void writeJson(const CompiledProgram &program, llvm::json::OStream &json);
/// Reads what writeJson wrote for a compiled program; nothing if `text` is
/// something else.
std::optional<CompiledProgram> parseCompiledProgram(llvm::StringRef text);

} // namespace broadloom

#endif // BROADLOOM_DRIVER_INSPECT_INSPECTJSON_H
