// RUN: broadloom-opt %s --mlir-very-unsafe-disable-verifier-on-parsing \
// RUN:   --broadloom-prepare --convert-tosa-to-linalg-rfc=constraints=false --split-input-file \
// RUN: | FileCheck %s

// rfc-1, rfc-2: every example of the RFC's "Lowering strategy", operation for
// operation and in its order.

// CHECK-DAG: #[[MAP0:.*]] = affine_map<(d0) -> (d0)>
// CHECK-LABEL: func.func @test_add_1d_matching_static
// CHECK-SAME: (%[[A0:[a-z0-9]+]]: tensor<3xf32>, %[[A1:[a-z0-9]+]]: tensor<3xf32>)
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = tensor.empty() : tensor<3xf32>
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = linalg.generic {indexing_maps = [#[[MAP0]], #[[MAP0]], #[[MAP0]]], iterator_types = ["parallel"]} ins(%[[A0]], %[[A1]] : tensor<3xf32>, tensor<3xf32>) outs(%[[V0]] : tensor<3xf32>) {
// CHECK-NEXT: ^bb0(%[[V2:[a-z0-9_]+]]: f32, %[[V3:[a-z0-9_]+]]: f32, %[[V4:[a-z0-9_]+]]: f32):
// CHECK-NEXT: %[[V5:[a-z0-9_]+]] = arith.addf %[[V2]], %[[V3]] : f32
// CHECK-NEXT: linalg.yield %[[V5]] : f32
// CHECK-NEXT: } -> tensor<3xf32>
// CHECK-NEXT: return %[[V1]] : tensor<3xf32>
func.func @test_add_1d_matching_static(%arg0: tensor<3xf32>, %arg1: tensor<3xf32>) -> tensor<3xf32> {
  %0 = "tosa.add"(%arg0, %arg1) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

// CHECK-DAG: #[[MAP0:.*]] = affine_map<(d0) -> (d0)>
// CHECK-LABEL: func.func @test_abs_1d_dynamic
// CHECK-SAME: (%[[A0:[a-z0-9]+]]: tensor<?xf32>)
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = arith.constant 0 : index
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = tensor.dim %[[A0]], %[[V0]] : tensor<?xf32>
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = tensor.empty(%[[V1]]) : tensor<?xf32>
// CHECK-NEXT: %[[V3:[a-z0-9_]+]] = linalg.generic {indexing_maps = [#[[MAP0]], #[[MAP0]]], iterator_types = ["parallel"]} ins(%[[A0]] : tensor<?xf32>) outs(%[[V2]] : tensor<?xf32>) {
// CHECK-NEXT: ^bb0(%[[V4:[a-z0-9_]+]]: f32, %[[V5:[a-z0-9_]+]]: f32):
// CHECK-NEXT: %[[V6:[a-z0-9_]+]] = math.absf %[[V4]] : f32
// CHECK-NEXT: linalg.yield %[[V6]] : f32
// CHECK-NEXT: } -> tensor<?xf32>
// CHECK-NEXT: return %[[V3]] : tensor<?xf32>
func.func @test_abs_1d_dynamic(%arg0: tensor<?xf32>) -> tensor<?xf32> {
  %0 = "tosa.abs"(%arg0) : (tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// CHECK-DAG: #[[MAP0:.*]] = affine_map<(d0) -> (d0)>
// CHECK-LABEL: func.func @test_abs_1d_cast_result
// CHECK-SAME: (%[[A0:[a-z0-9]+]]: tensor<5xf32>)
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = tensor.empty() : tensor<5xf32>
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = linalg.generic {indexing_maps = [#[[MAP0]], #[[MAP0]]], iterator_types = ["parallel"]} ins(%[[A0]] : tensor<5xf32>) outs(%[[V0]] : tensor<5xf32>) {
// CHECK-NEXT: ^bb0(%[[V2:[a-z0-9_]+]]: f32, %[[V3:[a-z0-9_]+]]: f32):
// CHECK-NEXT: %[[V4:[a-z0-9_]+]] = math.absf %[[V2]] : f32
// CHECK-NEXT: linalg.yield %[[V4]] : f32
// CHECK-NEXT: } -> tensor<5xf32>
// CHECK-NEXT: %[[V5:[a-z0-9_]+]] = tensor.cast %[[V1]] : tensor<5xf32> to tensor<?xf32>
// CHECK-NEXT: return %[[V5]] : tensor<?xf32>
func.func @test_abs_1d_cast_result(%arg0: tensor<5xf32>) -> tensor<?xf32> {
  %0 = "tosa.abs"(%arg0) : (tensor<5xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// CHECK-DAG: #[[MAP0:.*]] = affine_map<(d0) -> (0)>
// CHECK-DAG: #[[MAP1:.*]] = affine_map<(d0) -> (d0)>
// CHECK-LABEL: func.func @test_add_1d_broadcast_static_to_static
// CHECK-SAME: (%[[A0:[a-z0-9]+]]: tensor<1xf32>, %[[A1:[a-z0-9]+]]: tensor<3xf32>)
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = tensor.empty() : tensor<3xf32>
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = linalg.generic {indexing_maps = [#[[MAP0]], #[[MAP1]], #[[MAP1]]], iterator_types = ["parallel"]} ins(%[[A0]], %[[A1]] : tensor<1xf32>, tensor<3xf32>) outs(%[[V0]] : tensor<3xf32>) {
// CHECK-NEXT: ^bb0(%[[V2:[a-z0-9_]+]]: f32, %[[V3:[a-z0-9_]+]]: f32, %[[V4:[a-z0-9_]+]]: f32):
// CHECK-NEXT: %[[V5:[a-z0-9_]+]] = arith.addf %[[V2]], %[[V3]] : f32
// CHECK-NEXT: linalg.yield %[[V5]] : f32
// CHECK-NEXT: } -> tensor<3xf32>
// CHECK-NEXT: return %[[V1]] : tensor<3xf32>
func.func @test_add_1d_broadcast_static_to_static(%arg0: tensor<1xf32>, %arg1: tensor<3xf32>) -> tensor<3xf32> {
  %0 = "tosa.add"(%arg0, %arg1) : (tensor<1xf32>, tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

// CHECK-DAG: #[[MAP0:.*]] = affine_map<(d0) -> (0)>
// CHECK-DAG: #[[MAP1:.*]] = affine_map<(d0) -> (d0)>
// CHECK-LABEL: func.func @test_add_1d_broadcast_dynamic_to_static
// CHECK-SAME: (%[[A0:[a-z0-9]+]]: tensor<5xf32>, %[[A1:[a-z0-9]+]]: tensor<?xf32>)
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = arith.constant 1 : index
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = arith.constant 0 : index
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = tensor.dim %[[A1]], %[[V1]] : tensor<?xf32>
// CHECK-NEXT: %[[V3:[a-z0-9_]+]] = arith.cmpi eq, %[[V2]], %[[V0]] : index
// CHECK-NEXT: %[[V4:[a-z0-9_]+]] = scf.if %[[V3]] -> (tensor<?xf32>) {
// CHECK-NEXT: %[[V5:[a-z0-9_]+]] = tensor.empty() : tensor<5xf32>
// CHECK-NEXT: %[[V6:[a-z0-9_]+]] = linalg.generic {indexing_maps = [#[[MAP0]], #[[MAP1]]], iterator_types = ["parallel"]} ins(%[[A1]] : tensor<?xf32>) outs(%[[V5]] : tensor<5xf32>) {
// CHECK-NEXT: ^bb0(%[[V7:[a-z0-9_]+]]: f32, %[[V8:[a-z0-9_]+]]: f32):
// CHECK-NEXT: linalg.yield %[[V7]] : f32
// CHECK-NEXT: } -> tensor<5xf32>
// CHECK-NEXT: %[[V9:[a-z0-9_]+]] = tensor.cast %[[V6]] : tensor<5xf32> to tensor<?xf32>
// CHECK-NEXT: scf.yield %[[V9]] : tensor<?xf32>
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield %[[A1]] : tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: %[[V10:[a-z0-9_]+]] = tensor.empty() : tensor<5xf32>
// CHECK-NEXT: %[[V11:[a-z0-9_]+]] = linalg.generic {indexing_maps = [#[[MAP1]], #[[MAP1]], #[[MAP1]]], iterator_types = ["parallel"]} ins(%[[A0]], %[[V4]] : tensor<5xf32>, tensor<?xf32>) outs(%[[V10]] : tensor<5xf32>) {
// CHECK-NEXT: ^bb0(%[[V12:[a-z0-9_]+]]: f32, %[[V13:[a-z0-9_]+]]: f32, %[[V14:[a-z0-9_]+]]: f32):
// CHECK-NEXT: %[[V15:[a-z0-9_]+]] = arith.addf %[[V12]], %[[V13]] : f32
// CHECK-NEXT: linalg.yield %[[V15]] : f32
// CHECK-NEXT: } -> tensor<5xf32>
// CHECK-NEXT: return %[[V11]] : tensor<5xf32>
func.func @test_add_1d_broadcast_dynamic_to_static(%arg0: tensor<5xf32>, %arg1: tensor<?xf32>) -> tensor<5xf32> {
  %0 = "tosa.add"(%arg0, %arg1) : (tensor<5xf32>, tensor<?xf32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

// -----

// CHECK-DAG: #[[MAP0:.*]] = affine_map<(d0) -> (0)>
// CHECK-DAG: #[[MAP1:.*]] = affine_map<(d0) -> (d0)>
// CHECK-LABEL: func.func @test_add_1d_broadcast_static_to_dynamic
// CHECK-SAME: (%[[A0:[a-z0-9]+]]: tensor<1xf32>, %[[A1:[a-z0-9]+]]: tensor<?xf32>)
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = arith.constant 0 : index
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = tensor.dim %[[A1]], %[[V0]] : tensor<?xf32>
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = tensor.empty(%[[V1]]) : tensor<?xf32>
// CHECK-NEXT: %[[V3:[a-z0-9_]+]] = linalg.generic {indexing_maps = [#[[MAP0]], #[[MAP1]], #[[MAP1]]], iterator_types = ["parallel"]} ins(%[[A0]], %[[A1]] : tensor<1xf32>, tensor<?xf32>) outs(%[[V2]] : tensor<?xf32>) {
// CHECK-NEXT: ^bb0(%[[V4:[a-z0-9_]+]]: f32, %[[V5:[a-z0-9_]+]]: f32, %[[V6:[a-z0-9_]+]]: f32):
// CHECK-NEXT: %[[V7:[a-z0-9_]+]] = arith.addf %[[V4]], %[[V5]] : f32
// CHECK-NEXT: linalg.yield %[[V7]] : f32
// CHECK-NEXT: } -> tensor<?xf32>
// CHECK-NEXT: return %[[V3]] : tensor<?xf32>
func.func @test_add_1d_broadcast_static_to_dynamic(%arg0: tensor<1xf32>, %arg1: tensor<?xf32>) -> tensor<?xf32> {
  %0 = "tosa.add"(%arg0, %arg1) : (tensor<1xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// CHECK-DAG: #[[MAP0:.*]] = affine_map<(d0) -> (0)>
// CHECK-DAG: #[[MAP1:.*]] = affine_map<(d0) -> (d0)>
// CHECK-LABEL: func.func @test_add_1d_all_dynamic
// CHECK-SAME: (%[[A0:[a-z0-9]+]]: tensor<?xf32>, %[[A1:[a-z0-9]+]]: tensor<?xf32>)
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = arith.constant 0 : index
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = tensor.dim %[[A0]], %[[V0]] : tensor<?xf32>
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = tensor.dim %[[A1]], %[[V0]] : tensor<?xf32>
// CHECK-NEXT: %[[V3:[a-z0-9_]+]] = arith.maxui %[[V1]], %[[V2]] : index
// CHECK-NEXT: %[[V4:[a-z0-9_]+]] = arith.constant 1 : index
// CHECK-NEXT: %[[V5:[a-z0-9_]+]] = tensor.dim %[[A0]], %[[V0]] : tensor<?xf32>
// CHECK-NEXT: %[[V6:[a-z0-9_]+]] = arith.cmpi eq, %[[V5]], %[[V4]] : index
// CHECK-NEXT: %[[V7:[a-z0-9_]+]] = scf.if %[[V6]] -> (tensor<?xf32>) {
// CHECK-NEXT: %[[V8:[a-z0-9_]+]] = tensor.empty(%[[V3]]) : tensor<?xf32>
// CHECK-NEXT: %[[V9:[a-z0-9_]+]] = linalg.generic {indexing_maps = [#[[MAP0]], #[[MAP1]]], iterator_types = ["parallel"]} ins(%[[A0]] : tensor<?xf32>) outs(%[[V8]] : tensor<?xf32>) {
// CHECK-NEXT: ^bb0(%[[V10:[a-z0-9_]+]]: f32, %[[V11:[a-z0-9_]+]]: f32):
// CHECK-NEXT: linalg.yield %[[V10]] : f32
// CHECK-NEXT: } -> tensor<?xf32>
// CHECK-NEXT: scf.yield %[[V9]] : tensor<?xf32>
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield %[[A0]] : tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: %[[V12:[a-z0-9_]+]] = tensor.dim %[[A1]], %[[V0]] : tensor<?xf32>
// CHECK-NEXT: %[[V13:[a-z0-9_]+]] = arith.cmpi eq, %[[V12]], %[[V4]] : index
// CHECK-NEXT: %[[V14:[a-z0-9_]+]] = scf.if %[[V13]] -> (tensor<?xf32>) {
// CHECK-NEXT: %[[V15:[a-z0-9_]+]] = tensor.empty(%[[V3]]) : tensor<?xf32>
// CHECK-NEXT: %[[V16:[a-z0-9_]+]] = linalg.generic {indexing_maps = [#[[MAP0]], #[[MAP1]]], iterator_types = ["parallel"]} ins(%[[A1]] : tensor<?xf32>) outs(%[[V15]] : tensor<?xf32>) {
// CHECK-NEXT: ^bb0(%[[V17:[a-z0-9_]+]]: f32, %[[V18:[a-z0-9_]+]]: f32):
// CHECK-NEXT: linalg.yield %[[V17]] : f32
// CHECK-NEXT: } -> tensor<?xf32>
// CHECK-NEXT: scf.yield %[[V16]] : tensor<?xf32>
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield %[[A1]] : tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: %[[V19:[a-z0-9_]+]] = tensor.empty(%[[V3]]) : tensor<?xf32>
// CHECK-NEXT: %[[V20:[a-z0-9_]+]] = linalg.generic {indexing_maps = [#[[MAP1]], #[[MAP1]], #[[MAP1]]], iterator_types = ["parallel"]} ins(%[[V7]], %[[V14]] : tensor<?xf32>, tensor<?xf32>) outs(%[[V19]] : tensor<?xf32>) {
// CHECK-NEXT: ^bb0(%[[V21:[a-z0-9_]+]]: f32, %[[V22:[a-z0-9_]+]]: f32, %[[V23:[a-z0-9_]+]]: f32):
// CHECK-NEXT: %[[V24:[a-z0-9_]+]] = arith.addf %[[V21]], %[[V22]] : f32
// CHECK-NEXT: linalg.yield %[[V24]] : f32
// CHECK-NEXT: } -> tensor<?xf32>
// CHECK-NEXT: return %[[V20]] : tensor<?xf32>
func.func @test_add_1d_all_dynamic(%arg0: tensor<?xf32>, %arg1: tensor<?xf32>) -> tensor<?xf32> {
  %0 = "tosa.add"(%arg0, %arg1) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// CHECK-DAG: #[[MAP0:.*]] = affine_map<(d0, d1) -> (0, d1)>
// CHECK-DAG: #[[MAP1:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[MAP2:.*]] = affine_map<(d0, d1) -> (d0, 0)>
// CHECK-LABEL: func.func @test_add_2d_all_dynamic
// CHECK-SAME: (%[[A0:[a-z0-9]+]]: tensor<?x?xf32>, %[[A1:[a-z0-9]+]]: tensor<?x?xf32>)
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = arith.constant 0 : index
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = tensor.dim %[[A0]], %[[V0]] : tensor<?x?xf32>
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = tensor.dim %[[A1]], %[[V0]] : tensor<?x?xf32>
// CHECK-NEXT: %[[V3:[a-z0-9_]+]] = arith.maxui %[[V1]], %[[V2]] : index
// CHECK-NEXT: %[[V4:[a-z0-9_]+]] = arith.constant 1 : index
// CHECK-NEXT: %[[V5:[a-z0-9_]+]] = tensor.dim %[[A0]], %[[V4]] : tensor<?x?xf32>
// CHECK-NEXT: %[[V6:[a-z0-9_]+]] = tensor.dim %[[A1]], %[[V4]] : tensor<?x?xf32>
// CHECK-NEXT: %[[V7:[a-z0-9_]+]] = arith.maxui %[[V5]], %[[V6]] : index
// CHECK-NEXT: %[[V8:[a-z0-9_]+]] = tensor.dim %[[A0]], %[[V0]] : tensor<?x?xf32>
// CHECK-NEXT: %[[V9:[a-z0-9_]+]] = arith.cmpi eq, %[[V8]], %[[V4]] : index
// CHECK-NEXT: %[[V10:[a-z0-9_]+]] = scf.if %[[V9]] -> (tensor<?x?xf32>) {
// CHECK-NEXT: %[[V11:[a-z0-9_]+]] = tensor.dim %[[A0]], %[[V4]] : tensor<?x?xf32>
// CHECK-NEXT: %[[V12:[a-z0-9_]+]] = tensor.empty(%[[V3]], %[[V11]]) : tensor<?x?xf32>
// CHECK-NEXT: %[[V13:[a-z0-9_]+]] = linalg.generic {indexing_maps = [#[[MAP0]], #[[MAP1]]], iterator_types = ["parallel", "parallel"]} ins(%[[A0]] : tensor<?x?xf32>) outs(%[[V12]] : tensor<?x?xf32>) {
// CHECK-NEXT: ^bb0(%[[V14:[a-z0-9_]+]]: f32, %[[V15:[a-z0-9_]+]]: f32):
// CHECK-NEXT: linalg.yield %[[V14]] : f32
// CHECK-NEXT: } -> tensor<?x?xf32>
// CHECK-NEXT: scf.yield %[[V13]] : tensor<?x?xf32>
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield %[[A0]] : tensor<?x?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: %[[V16:[a-z0-9_]+]] = tensor.dim %[[V10]], %[[V4]] : tensor<?x?xf32>
// CHECK-NEXT: %[[V17:[a-z0-9_]+]] = arith.cmpi eq, %[[V16]], %[[V4]] : index
// CHECK-NEXT: %[[V18:[a-z0-9_]+]] = scf.if %[[V17]] -> (tensor<?x?xf32>) {
// CHECK-NEXT: %[[V19:[a-z0-9_]+]] = tensor.dim %[[V10]], %[[V0]] : tensor<?x?xf32>
// CHECK-NEXT: %[[V20:[a-z0-9_]+]] = tensor.empty(%[[V19]], %[[V7]]) : tensor<?x?xf32>
// CHECK-NEXT: %[[V21:[a-z0-9_]+]] = linalg.generic {indexing_maps = [#[[MAP2]], #[[MAP1]]], iterator_types = ["parallel", "parallel"]} ins(%[[V10]] : tensor<?x?xf32>) outs(%[[V20]] : tensor<?x?xf32>) {
// CHECK-NEXT: ^bb0(%[[V22:[a-z0-9_]+]]: f32, %[[V23:[a-z0-9_]+]]: f32):
// CHECK-NEXT: linalg.yield %[[V22]] : f32
// CHECK-NEXT: } -> tensor<?x?xf32>
// CHECK-NEXT: scf.yield %[[V21]] : tensor<?x?xf32>
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield %[[V10]] : tensor<?x?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: %[[V24:[a-z0-9_]+]] = tensor.dim %[[A1]], %[[V0]] : tensor<?x?xf32>
// CHECK-NEXT: %[[V25:[a-z0-9_]+]] = arith.cmpi eq, %[[V24]], %[[V4]] : index
// CHECK-NEXT: %[[V26:[a-z0-9_]+]] = scf.if %[[V25]] -> (tensor<?x?xf32>) {
// CHECK-NEXT: %[[V27:[a-z0-9_]+]] = tensor.dim %[[A1]], %[[V4]] : tensor<?x?xf32>
// CHECK-NEXT: %[[V28:[a-z0-9_]+]] = tensor.empty(%[[V3]], %[[V27]]) : tensor<?x?xf32>
// CHECK-NEXT: %[[V29:[a-z0-9_]+]] = linalg.generic {indexing_maps = [#[[MAP0]], #[[MAP1]]], iterator_types = ["parallel", "parallel"]} ins(%[[A1]] : tensor<?x?xf32>) outs(%[[V28]] : tensor<?x?xf32>) {
// CHECK-NEXT: ^bb0(%[[V30:[a-z0-9_]+]]: f32, %[[V31:[a-z0-9_]+]]: f32):
// CHECK-NEXT: linalg.yield %[[V30]] : f32
// CHECK-NEXT: } -> tensor<?x?xf32>
// CHECK-NEXT: scf.yield %[[V29]] : tensor<?x?xf32>
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield %[[A1]] : tensor<?x?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: %[[V32:[a-z0-9_]+]] = tensor.dim %[[V26]], %[[V4]] : tensor<?x?xf32>
// CHECK-NEXT: %[[V33:[a-z0-9_]+]] = arith.cmpi eq, %[[V32]], %[[V4]] : index
// CHECK-NEXT: %[[V34:[a-z0-9_]+]] = scf.if %[[V33]] -> (tensor<?x?xf32>) {
// CHECK-NEXT: %[[V35:[a-z0-9_]+]] = tensor.dim %[[V26]], %[[V0]] : tensor<?x?xf32>
// CHECK-NEXT: %[[V36:[a-z0-9_]+]] = tensor.empty(%[[V35]], %[[V7]]) : tensor<?x?xf32>
// CHECK-NEXT: %[[V37:[a-z0-9_]+]] = linalg.generic {indexing_maps = [#[[MAP2]], #[[MAP1]]], iterator_types = ["parallel", "parallel"]} ins(%[[V26]] : tensor<?x?xf32>) outs(%[[V36]] : tensor<?x?xf32>) {
// CHECK-NEXT: ^bb0(%[[V38:[a-z0-9_]+]]: f32, %[[V39:[a-z0-9_]+]]: f32):
// CHECK-NEXT: linalg.yield %[[V38]] : f32
// CHECK-NEXT: } -> tensor<?x?xf32>
// CHECK-NEXT: scf.yield %[[V37]] : tensor<?x?xf32>
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield %[[V26]] : tensor<?x?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: %[[V40:[a-z0-9_]+]] = tensor.empty(%[[V3]], %[[V7]]) : tensor<?x?xf32>
// CHECK-NEXT: %[[V41:[a-z0-9_]+]] = linalg.generic {indexing_maps = [#[[MAP1]], #[[MAP1]], #[[MAP1]]], iterator_types = ["parallel", "parallel"]} ins(%[[V18]], %[[V34]] : tensor<?x?xf32>, tensor<?x?xf32>) outs(%[[V40]] : tensor<?x?xf32>) {
// CHECK-NEXT: ^bb0(%[[V42:[a-z0-9_]+]]: f32, %[[V43:[a-z0-9_]+]]: f32, %[[V44:[a-z0-9_]+]]: f32):
// CHECK-NEXT: %[[V45:[a-z0-9_]+]] = arith.addf %[[V42]], %[[V43]] : f32
// CHECK-NEXT: linalg.yield %[[V45]] : f32
// CHECK-NEXT: } -> tensor<?x?xf32>
// CHECK-NEXT: return %[[V41]] : tensor<?x?xf32>
func.func @test_add_2d_all_dynamic(%arg0: tensor<?x?xf32>, %arg1: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = "tosa.add"(%arg0, %arg1) : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

// CHECK-DAG: #[[MAP0:.*]] = affine_map<() -> ()>
// CHECK-LABEL: func.func @test_add_0d
// CHECK-SAME: (%[[A0:[a-z0-9]+]]: tensor<f32>, %[[A1:[a-z0-9]+]]: tensor<f32>)
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = tensor.empty() : tensor<f32>
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = linalg.generic {indexing_maps = [#[[MAP0]], #[[MAP0]], #[[MAP0]]], iterator_types = []} ins(%[[A0]], %[[A1]] : tensor<f32>, tensor<f32>) outs(%[[V0]] : tensor<f32>) {
// CHECK-NEXT: ^bb0(%[[V2:[a-z0-9_]+]]: f32, %[[V3:[a-z0-9_]+]]: f32, %[[V4:[a-z0-9_]+]]: f32):
// CHECK-NEXT: %[[V5:[a-z0-9_]+]] = arith.addf %[[V2]], %[[V3]] : f32
// CHECK-NEXT: linalg.yield %[[V5]] : f32
// CHECK-NEXT: } -> tensor<f32>
// CHECK-NEXT: return %[[V1]] : tensor<f32>
func.func @test_add_0d(%arg0: tensor<f32>, %arg1: tensor<f32>) -> tensor<f32> {
  %0 = "tosa.add"(%arg0, %arg1) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// CHECK-DAG: #[[MAP0:.*]] = affine_map<(d0, d1, d2) -> (0, d1, d2)>
// CHECK-DAG: #[[MAP1:.*]] = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// CHECK-LABEL: func.func @test_add_2d_different_ranks
// CHECK-SAME: (%[[A0:[a-z0-9]+]]: tensor<3x4xf32>, %[[A1:[a-z0-9]+]]: tensor<2x3x4xf32>)
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = tensor.expand_shape %[[A0]] {{\[\[}}0, 1], [2]] output_shape [1, 3, 4] : tensor<3x4xf32> into tensor<1x3x4xf32>
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = tensor.empty() : tensor<2x3x4xf32>
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = linalg.generic {indexing_maps = [#[[MAP0]], #[[MAP1]], #[[MAP1]]], iterator_types = ["parallel", "parallel", "parallel"]} ins(%[[V0]], %[[A1]] : tensor<1x3x4xf32>, tensor<2x3x4xf32>) outs(%[[V1]] : tensor<2x3x4xf32>) {
// CHECK-NEXT: ^bb0(%[[V3:[a-z0-9_]+]]: f32, %[[V4:[a-z0-9_]+]]: f32, %[[V5:[a-z0-9_]+]]: f32):
// CHECK-NEXT: %[[V6:[a-z0-9_]+]] = arith.addf %[[V3]], %[[V4]] : f32
// CHECK-NEXT: linalg.yield %[[V6]] : f32
// CHECK-NEXT: } -> tensor<2x3x4xf32>
// CHECK-NEXT: return %[[V2]] : tensor<2x3x4xf32>
func.func @test_add_2d_different_ranks(%arg0: tensor<3x4xf32>, %arg1: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %0 = "tosa.add"(%arg0, %arg1) : (tensor<3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return %0 : tensor<2x3x4xf32>
}

// -----

// CHECK-DAG: #[[MAP0:.*]] = affine_map<(d0, d1) -> (d0, 0)>
// CHECK-DAG: #[[MAP1:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-LABEL: func.func @test_select_2d_one_dynamic
// CHECK-SAME: (%[[A0:[a-z0-9]+]]: tensor<2x?xi1>, %[[A1:[a-z0-9]+]]: tensor<2x?xf32>, %[[A2:[a-z0-9]+]]: tensor<2x?xf32>)
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = arith.constant 1 : index
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = tensor.dim %[[A0]], %[[V0]] : tensor<2x?xi1>
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = tensor.dim %[[A1]], %[[V0]] : tensor<2x?xf32>
// CHECK-NEXT: %[[V3:[a-z0-9_]+]] = arith.maxui %[[V1]], %[[V2]] : index
// CHECK-NEXT: %[[V4:[a-z0-9_]+]] = tensor.dim %[[A2]], %[[V0]] : tensor<2x?xf32>
// CHECK-NEXT: %[[V5:[a-z0-9_]+]] = arith.maxui %[[V3]], %[[V4]] : index
// CHECK-NEXT: %[[V6:[a-z0-9_]+]] = tensor.dim %[[A0]], %[[V0]] : tensor<2x?xi1>
// CHECK-NEXT: %[[V7:[a-z0-9_]+]] = arith.cmpi eq, %[[V6]], %[[V0]] : index
// CHECK-NEXT: %[[V8:[a-z0-9_]+]] = scf.if %[[V7]] -> (tensor<2x?xi1>) {
// CHECK-NEXT: %[[V9:[a-z0-9_]+]] = tensor.empty(%[[V5]]) : tensor<2x?xi1>
// CHECK-NEXT: %[[V10:[a-z0-9_]+]] = linalg.generic {indexing_maps = [#[[MAP0]], #[[MAP1]]], iterator_types = ["parallel", "parallel"]} ins(%[[A0]] : tensor<2x?xi1>) outs(%[[V9]] : tensor<2x?xi1>) {
// CHECK-NEXT: ^bb0(%[[V11:[a-z0-9_]+]]: i1, %[[V12:[a-z0-9_]+]]: i1):
// CHECK-NEXT: linalg.yield %[[V11]] : i1
// CHECK-NEXT: } -> tensor<2x?xi1>
// CHECK-NEXT: scf.yield %[[V10]] : tensor<2x?xi1>
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield %[[A0]] : tensor<2x?xi1>
// CHECK-NEXT: }
// CHECK-NEXT: %[[V13:[a-z0-9_]+]] = tensor.dim %[[A1]], %[[V0]] : tensor<2x?xf32>
// CHECK-NEXT: %[[V14:[a-z0-9_]+]] = arith.cmpi eq, %[[V13]], %[[V0]] : index
// CHECK-NEXT: %[[V15:[a-z0-9_]+]] = scf.if %[[V14]] -> (tensor<2x?xf32>) {
// CHECK-NEXT: %[[V16:[a-z0-9_]+]] = tensor.empty(%[[V5]]) : tensor<2x?xf32>
// CHECK-NEXT: %[[V17:[a-z0-9_]+]] = linalg.generic {indexing_maps = [#[[MAP0]], #[[MAP1]]], iterator_types = ["parallel", "parallel"]} ins(%[[A1]] : tensor<2x?xf32>) outs(%[[V16]] : tensor<2x?xf32>) {
// CHECK-NEXT: ^bb0(%[[V18:[a-z0-9_]+]]: f32, %[[V19:[a-z0-9_]+]]: f32):
// CHECK-NEXT: linalg.yield %[[V18]] : f32
// CHECK-NEXT: } -> tensor<2x?xf32>
// CHECK-NEXT: scf.yield %[[V17]] : tensor<2x?xf32>
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield %[[A1]] : tensor<2x?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: %[[V20:[a-z0-9_]+]] = tensor.dim %[[A2]], %[[V0]] : tensor<2x?xf32>
// CHECK-NEXT: %[[V21:[a-z0-9_]+]] = arith.cmpi eq, %[[V20]], %[[V0]] : index
// CHECK-NEXT: %[[V22:[a-z0-9_]+]] = scf.if %[[V21]] -> (tensor<2x?xf32>) {
// CHECK-NEXT: %[[V23:[a-z0-9_]+]] = tensor.empty(%[[V5]]) : tensor<2x?xf32>
// CHECK-NEXT: %[[V24:[a-z0-9_]+]] = linalg.generic {indexing_maps = [#[[MAP0]], #[[MAP1]]], iterator_types = ["parallel", "parallel"]} ins(%[[A2]] : tensor<2x?xf32>) outs(%[[V23]] : tensor<2x?xf32>) {
// CHECK-NEXT: ^bb0(%[[V25:[a-z0-9_]+]]: f32, %[[V26:[a-z0-9_]+]]: f32):
// CHECK-NEXT: linalg.yield %[[V25]] : f32
// CHECK-NEXT: } -> tensor<2x?xf32>
// CHECK-NEXT: scf.yield %[[V24]] : tensor<2x?xf32>
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield %[[A2]] : tensor<2x?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: %[[V27:[a-z0-9_]+]] = tensor.empty(%[[V5]]) : tensor<2x?xf32>
// CHECK-NEXT: %[[V28:[a-z0-9_]+]] = linalg.generic {indexing_maps = [#[[MAP1]], #[[MAP1]], #[[MAP1]], #[[MAP1]]], iterator_types = ["parallel", "parallel"]} ins(%[[V8]], %[[V15]], %[[V22]] : tensor<2x?xi1>, tensor<2x?xf32>, tensor<2x?xf32>) outs(%[[V27]] : tensor<2x?xf32>) {
// CHECK-NEXT: ^bb0(%[[V29:[a-z0-9_]+]]: i1, %[[V30:[a-z0-9_]+]]: f32, %[[V31:[a-z0-9_]+]]: f32, %[[V32:[a-z0-9_]+]]: f32):
// CHECK-NEXT: %[[V33:[a-z0-9_]+]] = arith.select %[[V29]], %[[V30]], %[[V31]] : f32
// CHECK-NEXT: linalg.yield %[[V33]] : f32
// CHECK-NEXT: } -> tensor<2x?xf32>
// CHECK-NEXT: return %[[V28]] : tensor<2x?xf32>
func.func @test_select_2d_one_dynamic(%arg0: tensor<2x?xi1>, %arg1: tensor<2x?xf32>, %arg2: tensor<2x?xf32>) -> tensor<2x?xf32> {
  %0 = "tosa.select"(%arg0, %arg1, %arg2) : (tensor<2x?xi1>, tensor<2x?xf32>, tensor<2x?xf32>) -> tensor<2x?xf32>
  return %0 : tensor<2x?xf32>
}
