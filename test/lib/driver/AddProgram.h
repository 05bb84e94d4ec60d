//===- AddProgram.h - a program that adds, for tests ------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_TEST_LIB_DRIVER_ADDPROGRAM_H
#define BROADLOOM_TEST_LIB_DRIVER_ADDPROGRAM_H

namespace broadloom {

/// One operation, whose operands have to be broadcast-compatible.
inline constexpr const char *kAdd = R"(
func.func @main(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = tosa.add %a, %b : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
)";

} // namespace broadloom

#endif // BROADLOOM_TEST_LIB_DRIVER_ADDPROGRAM_H
