// RUN: broadloom run %s --strategy=rfc --input="2x2xf32=inf inf 1 2" --input=1x4096xf16=1 | FileCheck %s
// RUN: broadloom run %s --input="2x2xf32=inf inf 1 2" --input=1x4096xf16=1 | FileCheck %s
// RUN: broadloom run %s --strategy=rfc --input=2x0xf32= --input=1x0xf16= | FileCheck %s --check-prefix=EMPTY
// RUN: broadloom run %s --input=2x0xf32= --input=1x0xf16= | FileCheck %s --check-prefix=EMPTY
// RUN: broadloom run %s --strategy=rfc --input="2x2xf32=-inf -inf nan 2" --input=1x1xf16=1 | FileCheck %s --check-prefix=LEAST

// red-2: extrema begin with an infinity. red-3: f16 is added in f32.

// CHECK: {{^}}[{{\[}}inf]
// CHECK-NEXT: [ 1.]]
// CHECK-NEXT: {{^}}[{{\[}}inf]
// CHECK-NEXT: [ 2.]]
// CHECK-NEXT: 4.096e+03

// EMPTY: {{^}}[{{\[}}inf]
// EMPTY-NEXT: [inf]]
// EMPTY-NEXT: {{^}}[{{\[}}-inf]
// EMPTY-NEXT: [-inf]]
// EMPTY-NEXT: 0.

// LEAST: {{^}}[{{\[}}-inf]
// LEAST-NEXT: [ nan]]
// LEAST-NEXT: {{^}}[{{\[}}-inf]
// LEAST-NEXT: [ nan]]
// LEAST-NEXT: 1.
func.func @main(%y: tensor<?x?xf32>, %h: tensor<?x?xf16>) -> (tensor<?x1xf32>, tensor<?x1xf32>, tensor<?x1xf16>) {
  %p = tosa.reduce_min %y {axis = 1 : i32} : (tensor<?x?xf32>) -> tensor<?x1xf32>
  %q = tosa.reduce_max %y {axis = 1 : i32} : (tensor<?x?xf32>) -> tensor<?x1xf32>
  %s = tosa.reduce_sum %h {axis = 1 : i32} : (tensor<?x?xf16>) -> tensor<?x1xf16>
  return %p, %q, %s : tensor<?x1xf32>, tensor<?x1xf32>, tensor<?x1xf16>
}
