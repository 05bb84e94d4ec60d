// RUN: broadloom-opt %s --broadloom-legalize | FileCheck %s
// RUN: broadloom-opt %s --loom-expand-sparse-constants --mlir-print-op-generic | FileCheck %s --check-prefix=ALONE

// Sparse constants of TensorFlow Lite models become those of TOSA, which
// legalization brings to `arith`, whoever uses them.

// ALONE-LABEL: sym_name = "rows"
// ALONE: %[[C:.*]] = "tosa.const"() <{values = dense<{{\[\[}}0.000000e+00, 1.500000e+00,
// ALONE-NEXT: "func.return"(%[[C]], %[[C]])
// CHECK-LABEL: @rows
// CHECK: %[[C:.*]] = arith.constant dense<{{\[\[}}0.000000e+00, 1.500000e+00, 0.000000e+00, -2.000000e+00], [0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00], [3.000000e+00, 0.000000e+00, 0.000000e+00, 4.000000e+00]]> : tensor<3x4xf16>
// CHECK-NOT: tfl
// CHECK: return %[[C]], %[[C]]
func.func @rows() -> (tensor<3x4xf16>, tensor<3x4xf16>) {
  %0 = "tfl.pseudo_sparse_const"() <{compressed_data = dense<[1.5, -2.0, 3.0, 4.0]> : tensor<4xf16>, s_param = #tfl.sparsity_parameter<traversal_order = [0, 1], block_map = [], dim_metadata = <format = DENSE, dense_size = 3, segments = [], indices = []>, <format = SPARSE_CSR, dense_size = 0, segments = [0, 2, 2, 4], indices = [1, 3, 0, 3]>>, value = dense<0.0> : tensor<3x4xf16>}> : () -> tensor<3x4xf16>
  %1 = "tfl.densify"(%0) : (tensor<3x4xf16>) -> tensor<3x4xf16>
  return %1, %0 : tensor<3x4xf16>, tensor<3x4xf16>
}

// Blocks of 2 x 2, by columns; all values are one number.
// CHECK-LABEL: @blocks
// CHECK: arith.constant dense<{{\[\[}}0, 0, 7, 7], [0, 0, 7, 7], [7, 7, 0, 0], [7, 7, 0, 0]]> : tensor<4x4xi8>
func.func @blocks() -> tensor<4x4xi8> {
  %0 = "tfl.pseudo_sparse_const"() <{compressed_data = dense<7> : tensor<8xi8>, s_param = #tfl.sparsity_parameter<traversal_order = [1, 0, 3, 2], block_map = [0, 1], dim_metadata = <format = DENSE, dense_size = 2, segments = [], indices = []>, <format = SPARSE_CSR, dense_size = 0, segments = [0, 1, 2], indices = [1, 0]>, <format = DENSE, dense_size = 2, segments = [], indices = []>, <format = DENSE, dense_size = 2, segments = [], indices = []>>, value = dense<0> : tensor<4x4xi8>}> : () -> tensor<4x4xi8>
  %1 = "tfl.densify"(%0) : (tensor<4x4xi8>) -> tensor<4x4xi8>
  return %1 : tensor<4x4xi8>
}

// Without values, with one, and without elements.
// CHECK-LABEL: @few
// CHECK-DAG: arith.constant dense<0.000000e+00> : tensor<2x3xf32>
// CHECK-DAG: arith.constant dense<5.000000e-01> : tensor<1xf32>
// CHECK-DAG: arith.constant dense<> : tensor<0x3xf32>
func.func @few() -> (tensor<2x3xf32>, tensor<1xf32>, tensor<0x3xf32>) {
  %0 = "tfl.pseudo_sparse_const"() <{compressed_data = dense<> : tensor<0xf32>, s_param = #tfl.sparsity_parameter<traversal_order = [0, 1], block_map = [], dim_metadata = <format = DENSE, dense_size = 2, segments = [], indices = []>, <format = SPARSE_CSR, dense_size = 0, segments = [0, 0, 0], indices = []>>, value = dense<0.0> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
  %1 = "tfl.pseudo_sparse_const"() <{compressed_data = dense<0.5> : tensor<1xf32>, s_param = #tfl.sparsity_parameter<traversal_order = [0], block_map = [], dim_metadata = <format = SPARSE_CSR, dense_size = 0, segments = [0, 1], indices = [0]>>, value = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %2 = "tfl.pseudo_sparse_const"() <{compressed_data = dense<> : tensor<0xf32>, s_param = #tfl.sparsity_parameter<traversal_order = [0, 1], block_map = [], dim_metadata = <format = DENSE, dense_size = 0, segments = [], indices = []>, <format = DENSE, dense_size = 3, segments = [], indices = []>>, value = dense<> : tensor<0x3xf32>}> : () -> tensor<0x3xf32>
  return %0, %1, %2 : tensor<2x3xf32>, tensor<1xf32>, tensor<0x3xf32>
}

// Dense constants, and other operations, stay.
// ALONE-LABEL: sym_name = "others"
// ALONE: "tosa.const"() <{values = dense<1.000000e+00> : tensor<1xf32>}>
// ALONE-NEXT: "tosa.add"
func.func @others(%a: tensor<?xf32>) -> tensor<?xf32> {
  %0 = "tosa.const"() <{values = dense<1.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %1 = tosa.add %a, %0 : (tensor<?xf32>, tensor<1xf32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}
