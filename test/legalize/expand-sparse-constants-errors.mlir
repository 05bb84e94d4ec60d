// RUN: broadloom-opt %s --mlir-very-unsafe-disable-verifier-on-parsing \
// RUN:   --broadloom-legalize --split-input-file --verify-diagnostics

// What is wrong with sparse constants of TensorFlow Lite models. SparseTensorTest
// has the rest of what can be wrong with their levels.

func.func @levels() -> tensor<2x4xf32> {
  // expected-error @+1 {{'tfl.pseudo_sparse_const' op has 2 dimensions in traversal_order and 1 in dim_metadata, but a tensor of 2 axes with 0 in block_map has 2}}
  %0 = "tfl.pseudo_sparse_const"() <{compressed_data = dense<[1.0, 2.0]> : tensor<2xf32>, s_param = #tfl.sparsity_parameter<traversal_order = [0, 1], block_map = [], dim_metadata = <format = DENSE, dense_size = 2, segments = [], indices = []>>, value = dense<0.0> : tensor<2x4xf32>}> : () -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// -----

func.func @dense_size() -> tensor<2x4xf32> {
  // expected-error @+1 {{'tfl.pseudo_sparse_const' op level 0, of axis 0, has dense_size 3, expected 2}}
  %0 = "tfl.pseudo_sparse_const"() <{compressed_data = dense<[1.0, 2.0]> : tensor<2xf32>, s_param = #tfl.sparsity_parameter<traversal_order = [0, 1], block_map = [], dim_metadata = <format = DENSE, dense_size = 3, segments = [], indices = []>, <format = SPARSE_CSR, dense_size = 0, segments = [0, 1, 2], indices = [1, 3]>>, value = dense<0.0> : tensor<2x4xf32>}> : () -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// -----

func.func @segments() -> tensor<2x4xf32> {
  // expected-error @+1 {{'tfl.pseudo_sparse_const' op level 1, of axis 1, has 2 segments, but 2 nodes before it need one more than that}}
  %0 = "tfl.pseudo_sparse_const"() <{compressed_data = dense<[1.0, 2.0]> : tensor<2xf32>, s_param = #tfl.sparsity_parameter<traversal_order = [0, 1], block_map = [], dim_metadata = <format = DENSE, dense_size = 2, segments = [], indices = []>, <format = SPARSE_CSR, dense_size = 0, segments = [0, 2], indices = [1, 3]>>, value = dense<0.0> : tensor<2x4xf32>}> : () -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// -----

func.func @index() -> tensor<2x4xf32> {
  // expected-error @+1 {{'tfl.pseudo_sparse_const' op level 1, of axis 1, has the index 4, expected one from 0 to below 4}}
  %0 = "tfl.pseudo_sparse_const"() <{compressed_data = dense<[1.0, 2.0]> : tensor<2xf32>, s_param = #tfl.sparsity_parameter<traversal_order = [0, 1], block_map = [], dim_metadata = <format = DENSE, dense_size = 2, segments = [], indices = []>, <format = SPARSE_CSR, dense_size = 0, segments = [0, 1, 2], indices = [1, 4]>>, value = dense<0.0> : tensor<2x4xf32>}> : () -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// -----

func.func @blocks() -> tensor<2x4xf32> {
  // expected-error @+1 {{'tfl.pseudo_sparse_const' op level 2, of the blocks along axis 1, has dense_size 3, and the extent 4 of axis 1 is no multiple of that}}
  %0 = "tfl.pseudo_sparse_const"() <{compressed_data = dense<[1.0, 2.0]> : tensor<2xf32>, s_param = #tfl.sparsity_parameter<traversal_order = [0, 1, 2], block_map = [1], dim_metadata = <format = DENSE, dense_size = 2, segments = [], indices = []>, <format = SPARSE_CSR, dense_size = 0, segments = [0, 1, 2], indices = [1, 3]>, <format = DENSE, dense_size = 3, segments = [], indices = []>>, value = dense<0.0> : tensor<2x4xf32>}> : () -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// -----

func.func @number_of_values() -> tensor<2x4xf32> {
  // expected-error @+1 {{'tfl.pseudo_sparse_const' op has compressed data of type 'tensor<3xf32>', but 2 values by its levels}}
  %0 = "tfl.pseudo_sparse_const"() <{compressed_data = dense<[1.0, 2.0, 3.0]> : tensor<3xf32>, s_param = #tfl.sparsity_parameter<traversal_order = [0, 1], block_map = [], dim_metadata = <format = DENSE, dense_size = 2, segments = [], indices = []>, <format = SPARSE_CSR, dense_size = 0, segments = [0, 1, 2], indices = [1, 3]>>, value = dense<0.0> : tensor<2x4xf32>}> : () -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// -----

func.func @element_types() -> tensor<2x4xf32> {
  // expected-error @+1 {{'tfl.pseudo_sparse_const' op has compressed data of type 'tensor<2xf16>', expected elements of type 'f32', as the result has}}
  %0 = "tfl.pseudo_sparse_const"() <{compressed_data = dense<[1.0, 2.0]> : tensor<2xf16>, s_param = #tfl.sparsity_parameter<traversal_order = [0, 1], block_map = [], dim_metadata = <format = DENSE, dense_size = 2, segments = [], indices = []>, <format = SPARSE_CSR, dense_size = 0, segments = [0, 1, 2], indices = [1, 3]>>, value = dense<0.0> : tensor<2x4xf32>}> : () -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// -----

func.func @bits() -> tensor<2x4xi4> {
  // expected-error @+1 {{'tfl.pseudo_sparse_const' op has elements of type 'i4', expected numbers of whole bytes}}
  %0 = "tfl.pseudo_sparse_const"() <{compressed_data = dense<[1, 2]> : tensor<2xi4>, s_param = #tfl.sparsity_parameter<traversal_order = [0, 1], block_map = [], dim_metadata = <format = DENSE, dense_size = 2, segments = [], indices = []>, <format = SPARSE_CSR, dense_size = 0, segments = [0, 1, 2], indices = [1, 3]>>, value = dense<0> : tensor<2x4xi4>}> : () -> tensor<2x4xi4>
  return %0 : tensor<2x4xi4>
}

// -----

func.func @open() -> tensor<2x?xf32> {
  // expected-error @+1 {{'tfl.pseudo_sparse_const' op has a result of type 'tensor<2x?xf32>', expected a tensor with numbers for all extents}}
  %0 = "tfl.pseudo_sparse_const"() <{compressed_data = dense<[1.0, 2.0]> : tensor<2xf32>, s_param = #tfl.sparsity_parameter<traversal_order = [0, 1], block_map = [], dim_metadata = <format = DENSE, dense_size = 2, segments = [], indices = []>, <format = SPARSE_CSR, dense_size = 0, segments = [0, 1, 2], indices = [1, 3]>>, value = dense<0.0> : tensor<2x4xf32>}> : () -> tensor<2x?xf32>
  return %0 : tensor<2x?xf32>
}

// -----

func.func @unranked() -> tensor<*xf32> {
  // expected-error @+1 {{'tfl.pseudo_sparse_const' op has a result of type 'tensor<*xf32>', expected a tensor with numbers for all extents}}
  %0 = "tfl.pseudo_sparse_const"() <{compressed_data = dense<[1.0, 2.0]> : tensor<2xf32>, s_param = #tfl.sparsity_parameter<traversal_order = [0, 1], block_map = [], dim_metadata = <format = DENSE, dense_size = 2, segments = [], indices = []>, <format = SPARSE_CSR, dense_size = 0, segments = [0, 1, 2], indices = [1, 3]>>, value = dense<0.0> : tensor<2x4xf32>}> : () -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

func.func @no_tensor() -> f32 {
  // expected-error @+1 {{'tfl.pseudo_sparse_const' op result #0 must be tensor of any type values, but got 'f32'}}
  %0 = "tfl.pseudo_sparse_const"() <{compressed_data = dense<[1.0, 2.0]> : tensor<2xf32>, s_param = #tfl.sparsity_parameter<traversal_order = [0, 1], block_map = [], dim_metadata = <format = DENSE, dense_size = 2, segments = [], indices = []>, <format = SPARSE_CSR, dense_size = 0, segments = [0, 1, 2], indices = [1, 3]>>, value = dense<0.0> : tensor<2x4xf32>}> : () -> f32
  return %0 : f32
}

// -----

func.func @large() -> tensor<30000x30000xf32> {
  // expected-error @+1 {{'tfl.pseudo_sparse_const' op is a tensor of type 'tensor<30000x30000xf32>', but the sparse constants of a program may have 1073741824 bytes, of which 1073741824 are left}}
  %0 = "tfl.pseudo_sparse_const"() <{compressed_data = dense<[1.0, 2.0]> : tensor<2xf32>, s_param = #tfl.sparsity_parameter<traversal_order = [0, 1], block_map = [], dim_metadata = <format = SPARSE_CSR, dense_size = 0, segments = [0, 1], indices = [7]>, <format = SPARSE_CSR, dense_size = 0, segments = [0, 2], indices = [1, 3]>>, value = dense<0.0> : tensor<2x4xf32>}> : () -> tensor<30000x30000xf32>
  return %0 : tensor<30000x30000xf32>
}

// -----

func.func @beyond_64_bits() -> tensor<9223372036854775807x9223372036854775807xf32> {
  // expected-error @+1 {{'tfl.pseudo_sparse_const' op is a tensor of type 'tensor<9223372036854775807x9223372036854775807xf32>', but the sparse constants}}
  %0 = "tfl.pseudo_sparse_const"() <{compressed_data = dense<[1.0, 2.0]> : tensor<2xf32>, s_param = #tfl.sparsity_parameter<traversal_order = [0, 1], block_map = [], dim_metadata = <format = SPARSE_CSR, dense_size = 0, segments = [0, 1], indices = [7]>, <format = SPARSE_CSR, dense_size = 0, segments = [0, 2], indices = [1, 3]>>, value = dense<0.0> : tensor<2x4xf32>}> : () -> tensor<9223372036854775807x9223372036854775807xf32>
  return %0 : tensor<9223372036854775807x9223372036854775807xf32>
}

// -----

func.func @left_out() -> tensor<2x4xf32> {
  // expected-error @+1 {{'tfl.pseudo_sparse_const' op has compressed data that is not in the program; print the program with it}}
  %0 = "tfl.pseudo_sparse_const"() <{compressed_data = dense_resource<absent> : tensor<2xf32>, s_param = #tfl.sparsity_parameter<traversal_order = [0, 1], block_map = [], dim_metadata = <format = DENSE, dense_size = 2, segments = [], indices = []>, <format = SPARSE_CSR, dense_size = 0, segments = [0, 1, 2], indices = [1, 3]>>, value = dense<0.0> : tensor<2x4xf32>}> : () -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// -----

func.func @missing() -> tensor<2x4xf32> {
  // expected-error @+1 {{'tfl.pseudo_sparse_const' op requires attribute 's_param'}}
  %0 = "tfl.pseudo_sparse_const"() <{compressed_data = dense<1.0> : tensor<2xf32>, value = dense<0.0> : tensor<2x4xf32>}> : () -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// -----

func.func @densify(%a: tensor<2x4xf32>) -> tensor<2x4xf32> {
  // expected-error @+1 {{'tfl.densify' op takes what is no sparse constant; give it a 'tfl.pseudo_sparse_const'}}
  %0 = "tfl.densify"(%a) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// -----

func.func @densify_constant() -> tensor<2x4xf32> {
  %c = "tosa.const"() <{values = dense<0.0> : tensor<2x4xf32>}> : () -> tensor<2x4xf32>
  // expected-error @+1 {{'tfl.densify' op takes what is no sparse constant; give it a 'tfl.pseudo_sparse_const'}}
  %0 = "tfl.densify"(%c) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// -----

func.func @densify_type() -> tensor<2x4xf16> {
  %s = "tfl.pseudo_sparse_const"() <{compressed_data = dense<[1.0, 2.0]> : tensor<2xf32>, s_param = #tfl.sparsity_parameter<traversal_order = [0, 1], block_map = [], dim_metadata = <format = DENSE, dense_size = 2, segments = [], indices = []>, <format = SPARSE_CSR, dense_size = 0, segments = [0, 1, 2], indices = [1, 3]>>, value = dense<0.0> : tensor<2x4xf32>}> : () -> tensor<2x4xf32>
  // expected-error @+1 {{'tfl.densify' op has a result of type 'tensor<2x4xf16>' of an operand of type 'tensor<2x4xf32>', expected the same type}}
  %0 = "tfl.densify"(%s) : (tensor<2x4xf32>) -> tensor<2x4xf16>
  return %0 : tensor<2x4xf16>
}

// -----

func.func @other(%a: tensor<2x4xf32>) -> tensor<2x4xf32> {
  // expected-error @+1 {{'tfl.relu' is unknown: of the dialect 'tfl', only tfl.pseudo_sparse_const and tfl.densify are known; define all that the program has of it with 'irdl.dialect' in a text, and give that with --shape-library}}
  %0 = "tfl.relu"(%a) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// -----

func.func @other_attribute(%a: tensor<2x4xf32>) -> tensor<2x4xf32> {
  // expected-error @+1 {{the dialect 'tfl' has no attribute 'nothing'}}
  %0 = "tfl.densify"(%a) {b = #tfl.nothing} : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// -----

// expected-error @+1 {{the dialect 'tfl' has no types}}
func.func @other_type(%a: !tfl.token)
