// RUN: broadloom-opt %s | broadloom-opt | FileCheck %s
// RUN: broadloom-opt %s --emit-bytecode | broadloom-opt | FileCheck %s

// Relations are printed in one form.

// CHECK: func private @two_elements() attributes {test.relation = #loom.relation<"(d0) -> (r0) : (d0 <= r0 <= d0 + 1)">}
func.func private @two_elements() attributes {
  test.relation = #loom.relation<"(d0) -> (r0) : (r0 - d0 >= 0, d0 - r0 + 1 >= 0)">}

// CHECK: @matrix() attributes {test.relation = #loom.relation<"()[s0] -> (r0, r1) : (0 <= r0 <= 1023, 0 <= r1 <= s0 - 1)">}
func.func private @matrix() attributes {
  test.relation = #loom.relation<"( ) [s0] -> (r0, r1) : (0 <= r0 <= 1023, 0 <= r1 <= s0 - 1)">}

// CHECK: @triangle() attributes {test.relation = #loom.relation<"()[n] -> (i, j) : (0 <= i, i <= j <= n - 1)">}
func.func private @triangle() attributes {
  test.relation = #loom.relation<"()[n] -> (i, j) : (0 <= i <= j < n)">}

// CHECK: @tiles() attributes {test.relation = #loom.relation<"(i) -> (b, l) : (b == i floordiv 8, l == i mod 8)">}
func.func private @tiles() attributes {
  test.relation = #loom.relation<"(i) -> (b, l) : (8*b <= i < 8*(b + 1), l == i - 8*b)">}

// CHECK: @exists() attributes {test.relation = #loom.relation<"() -> (i) : (0 <= i <= 9, (i + 2) mod 3 == 0)">}
func.func private @exists() attributes {
  test.relation = #loom.relation<"() -> (i) : exists (e) : (i == 3*e + 1, 0 <= i < 10)">}

// CHECK: @parts() attributes {test.relation = #loom.relation<"(i32)[f32] -> (j) : (f32 <= j) or (j <= i32 - 1)">}
func.func private @parts() attributes {
  test.relation = #loom.relation<"(i32)[f32] -> (j) : (j < i32) or (j >= f32)">}

// CHECK: @all() attributes {test.relation = #loom.relation<"() -> (i) : ()">}
func.func private @all() attributes {test.relation = #loom.relation<"() -> (i) : ()">}

// CHECK: @none() attributes {test.relation = #loom.relation<"() -> (i) : (false)">}
func.func private @none() attributes {test.relation = #loom.relation<"() -> (i) : (false)">}
