// RUN: broadloom-opt %s --convert-loom-to-linalg | FileCheck %s

// CHECK-DAG: #[[$ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[$ROW:.*]] = affine_map<(d0, d1) -> (d1)>
// CHECK-DAG: #[[$COLUMN:.*]] = affine_map<(d0, d1) -> (d0, 0)>

// What the types decide is read through affine maps; scalars are captured.
// CHECK-LABEL: func.func @static
// CHECK-SAME: (%[[A:.*]]: tensor<4x1xf32>, %[[B:.*]]: tensor<3xf32>, %[[S:.*]]: f32)
// CHECK-NEXT: %[[E:.*]] = tensor.empty() : tensor<4x3xf32>
// CHECK-NEXT: %[[R:.*]] = linalg.generic {indexing_maps = [#[[$COLUMN]], #[[$ROW]], #[[$ID]]], iterator_types = ["parallel", "parallel"]} ins(%[[A]], %[[B]] : tensor<4x1xf32>, tensor<3xf32>) outs(%[[E]] : tensor<4x3xf32>) {
// CHECK-NEXT: ^bb0(%[[X:.*]]: f32, %[[Y:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT:   %[[XY:.*]] = arith.addf %[[X]], %[[Y]] : f32
// CHECK-NEXT:   %[[XYS:.*]] = arith.mulf %[[XY]], %[[S]] : f32
// CHECK-NEXT:   linalg.yield %[[XYS]] : f32
// CHECK-NEXT: } -> tensor<4x3xf32>
// CHECK-NEXT: return %[[R]]
func.func @static(%a: tensor<4x1xf32>, %b: tensor<3xf32>, %s: f32) -> tensor<4x3xf32> {
  %r = loom.map(%x = %a : tensor<4x1xf32>, %y = %b : tensor<3xf32>, %z = %s : f32) -> tensor<4x3xf32> {
    %0 = arith.addf %x, %y : f32
    %1 = arith.mulf %0, %z : f32
    loom.yield %1 : f32
  }
  return %r : tensor<4x3xf32>
}

// An axis decided at run time is read at 0 where its extent is 1, without a
// copy (rt-5); the result's extent is that of bcast-2.
// CHECK-LABEL: func.func @runTime
// CHECK-SAME: (%[[A:.*]]: tensor<?x3xf32>, %[[B:.*]]: tensor<?x1xf32>)
// CHECK-DAG:  %[[DA:.*]] = tensor.dim %[[A]]
// CHECK-DAG:  %[[DB:.*]] = tensor.dim %[[B]]
// CHECK:      %[[IS:.*]] = arith.cmpi eq, %[[DA]], %{{.*}}
// CHECK-NEXT: %[[D:.*]] = arith.select %[[IS]], %[[DB]], %[[DA]]
// CHECK-NEXT: %[[E:.*]] = tensor.empty(%[[D]]) : tensor<?x3xf32>
// CHECK:      %[[A1:.*]] = arith.cmpi eq
// CHECK:      %[[B1:.*]] = arith.cmpi eq
// CHECK-NOT:  scf.if
// CHECK:      linalg.generic {indexing_maps = [#[[$ID]]], iterator_types = ["parallel", "parallel"]} outs(%[[E]] : tensor<?x3xf32>) {
// CHECK:        %[[ZERO:.*]] = arith.constant 0 : index
// CHECK-NEXT:   %[[I:.*]] = linalg.index 0
// CHECK-NEXT:   %[[IA:.*]] = arith.select %[[A1]], %[[ZERO]], %[[I]]
// CHECK-NEXT:   %[[JA:.*]] = linalg.index 1
// CHECK-NEXT:   %[[X:.*]] = tensor.extract %[[A]][%[[IA]], %[[JA]]]
// CHECK:        %[[ZEROB:.*]] = arith.constant 0 : index
// CHECK:        %[[IB:.*]] = arith.select %[[B1]], %[[ZEROB]]
// CHECK-NEXT:   %[[Y:.*]] = tensor.extract %[[B]][%[[IB]], %[[ZEROB]]]
// CHECK-NEXT:   arith.addf %[[X]], %[[Y]]
func.func @runTime(%a: tensor<?x3xf32>, %b: tensor<?x1xf32>) -> tensor<?x3xf32> {
  %r = loom.map(%x = %a : tensor<?x3xf32>, %y = %b : tensor<?x1xf32>) -> tensor<?x3xf32> {
    %0 = arith.addf %x, %y : f32
    loom.yield %0 : f32
  }
  return %r : tensor<?x3xf32>
}

// The only operand that is not 1 on an axis has the result's extent there.
// CHECK-LABEL: func.func @onlyOne
// CHECK: linalg.generic {indexing_maps = [#[[$ID]], #[[$COLUMN]], #[[$ID]]], {{.*}} ins(%{{.*}}, %{{.*}} : tensor<4x?xf32>, tensor<4x1xf32>)
func.func @onlyOne(%a: tensor<4x?xf32>, %b: tensor<4x1xf32>) -> tensor<4x?xf32> {
  %r = loom.map(%x = %a : tensor<4x?xf32>, %y = %b : tensor<4x1xf32>) -> tensor<4x?xf32> {
    %0 = arith.addf %x, %y : f32
    loom.yield %0 : f32
  }
  return %r : tensor<4x?xf32>
}

// rt-6: an operand that the body does not read has its part in the shape.
// Several results are several outputs.
// CHECK-LABEL: func.func @twoResults
// CHECK-SAME: (%[[A:.*]]: tensor<2x1xf32>, %[[B:.*]]: tensor<?xi32>)
// CHECK:      %[[D:.*]] = tensor.dim %[[B]]
// CHECK:      %[[E:.*]] = tensor.empty(%[[D]]) : tensor<2x?xf32>
// CHECK:      %[[F:.*]] = tensor.empty(%[[D]]) : tensor<2x?xi1>
// CHECK:      linalg.generic {indexing_maps = [#[[$COLUMN]], #[[$ROW]], #[[$ID]], #[[$ID]]], {{.*}} outs(%[[E]], %[[F]] : tensor<2x?xf32>, tensor<2x?xi1>)
// CHECK:        linalg.yield %{{.*}}, %{{.*}} : f32, i1
func.func @twoResults(%a: tensor<2x1xf32>, %b: tensor<?xi32>) -> (tensor<2x?xf32>, tensor<2x?xi1>) {
  %r:2 = loom.map(%x = %a : tensor<2x1xf32>, %y = %b : tensor<?xi32>) -> (tensor<2x?xf32>, tensor<2x?xi1>) {
    %0 = math.exp %x : f32
    %1 = arith.cmpf ogt, %0, %x : f32
    loom.yield %0, %1 : f32, i1
  }
  return %r#0, %r#1 : tensor<2x?xf32>, tensor<2x?xi1>
}

// Of unknown rank: left for strip kernels.
// CHECK-LABEL: func.func @unranked
// CHECK: loom.map
func.func @unranked(%a: tensor<*xf32>) -> tensor<*xf32> {
  %r = loom.map(%x = %a : tensor<*xf32>) -> tensor<*xf32> {
    %0 = math.exp %x : f32
    loom.yield %0 : f32
  }
  return %r : tensor<*xf32>
}
