//===- SignatureJson.h - signatures of functions as JSON --------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to this library. How saved programs hold the signatures of their
// functions (abi-7).
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DRIVER_SAVED_SIGNATUREJSON_H
#define BROADLOOM_DRIVER_SAVED_SIGNATUREJSON_H

#include "driver/FunctionSignature.h"

#include "llvm/Support/JSON.h"

#include <vector>

namespace broadloom {

llvm::json::Array toJson(const std::vector<FunctionSignature> &list);

/// Appends to `list` what toJson made; false if `array` is null or holds
/// anything else, such as a negative extent or values of another size.
bool fromJson(const llvm::json::Array *array,
              std::vector<FunctionSignature> &list);

} // namespace broadloom

#endif // BROADLOOM_DRIVER_SAVED_SIGNATUREJSON_H
