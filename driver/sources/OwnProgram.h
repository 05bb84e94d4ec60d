//===- OwnProgram.h - programs that come with Broadloom ---------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to this library.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DRIVER_SOURCES_OWNPROGRAM_H
#define BROADLOOM_DRIVER_SOURCES_OWNPROGRAM_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace broadloom {

/// The path of the program `name` of the build or installation that contains
/// this code: in the folder of the program or library, or in the folder `bin`
/// beside the library's own. Empty if it is not there.
std::string findOwnProgram(llvm::StringRef name);

} // namespace broadloom

#endif // BROADLOOM_DRIVER_SOURCES_OWNPROGRAM_H
