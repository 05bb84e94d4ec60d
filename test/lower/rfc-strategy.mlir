// RUN: broadloom-opt %s --mlir-very-unsafe-disable-verifier-on-parsing \
// RUN:   --broadloom-prepare --convert-tosa-to-linalg-rfc=constraints=false --split-input-file \
// RUN: | FileCheck %s
// RUN: broadloom-opt %s --mlir-very-unsafe-disable-verifier-on-parsing \
// RUN:   --broadloom-prepare --convert-tosa-to-linalg-rfc --split-input-file \
// RUN: | FileCheck %s --check-prefix=CONSTRAINT

// rfc-3: the combinations that the RFC finds lowered wrongly. Both operands
// reach the element-wise operation with all their axes, at the result's
// extents.

// Combination <2x?>, <?x?>: axis 0 of the second operand and axis 1 of both
// are decided at run time.
// CHECK-LABEL: func.func @incorrect1
// CHECK-SAME: (%[[A:[a-z0-9]+]]: tensor<2x?xf32>, %[[B:[a-z0-9]+]]: tensor<?x?xf32>)
// CHECK-NOT:  collapse_shape
// CHECK:      %[[MAX:.*]] = arith.maxui
// CHECK-NOT:  arith.maxui
// CHECK:      %[[A1:.*]] = scf.if %{{.*}} -> (tensor<2x?xf32>) {
// CHECK-NEXT:   tensor.empty(%[[MAX]]) : tensor<2x?xf32>
// CHECK:      %[[B0:.*]] = scf.if %{{.*}} -> (tensor<?x?xf32>) {
// CHECK-NEXT:   %[[D:.*]] = tensor.dim %[[B]], %{{.*}} : tensor<?x?xf32>
// CHECK-NEXT:   tensor.empty(%[[D]]) : tensor<2x?xf32>
// CHECK:      %[[B1:.*]] = scf.if %{{.*}} -> (tensor<?x?xf32>) {
// CHECK:      } else {
// CHECK-NEXT:   scf.yield %[[B0]]
// CHECK-NOT:  scf.if
// CHECK:      tensor.empty(%[[MAX]]) : tensor<2x?xf32>
// CHECK-NEXT: linalg.generic {{.*}} ins(%[[A1]], %[[B1]] : tensor<2x?xf32>, tensor<?x?xf32>)
// CHECK:      tensor.cast %{{.*}} : tensor<2x?xf32> to tensor<?x?xf32>
// CONSTRAINT-LABEL: func.func @incorrect1
func.func @incorrect1(%arg0: tensor<2x?xf32>, %arg1: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = "tosa.add"(%arg0, %arg1) : (tensor<2x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

// Combination <2x2>, <?x?>: only the second operand is broadcast.
// CHECK-LABEL: func.func @incorrect2
// CHECK-SAME: (%[[A:[a-z0-9]+]]: tensor<2x2xf32>, %[[B:[a-z0-9]+]]: tensor<?x?xf32>)
// CHECK-NOT:  arith.maxui
// CHECK:      %[[B0:.*]] = scf.if
// CHECK:      %[[B1:.*]] = scf.if
// CHECK-NOT:  scf.if
// CHECK:      linalg.generic {{.*}} ins(%[[A]], %[[B1]] : tensor<2x2xf32>, tensor<?x?xf32>) outs(%{{.*}} : tensor<2x2xf32>)
// CHECK:      tensor.cast %{{.*}} : tensor<2x2xf32> to tensor<?x?xf32>
// CONSTRAINT-LABEL: func.func @incorrect2
func.func @incorrect2(%arg0: tensor<2x2xf32>, %arg1: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = "tosa.add"(%arg0, %arg1) : (tensor<2x2xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

// Combination <?x2>, <2x?>: one axis of each.
// CHECK-LABEL: func.func @incorrect3
// CHECK-SAME: (%[[A:[a-z0-9]+]]: tensor<?x2xf32>, %[[B:[a-z0-9]+]]: tensor<2x?xf32>)
// CHECK-NOT:  arith.maxui
// CHECK:      tensor.dim %[[A]]
// CHECK:      %[[A0:.*]] = scf.if %{{.*}} -> (tensor<?x2xf32>) {
// CHECK:      tensor.dim %[[B]]
// CHECK:      %[[B1:.*]] = scf.if %{{.*}} -> (tensor<2x?xf32>) {
// CHECK-NOT:  scf.if
// CHECK:      linalg.generic {{.*}} ins(%[[A0]], %[[B1]] : tensor<?x2xf32>, tensor<2x?xf32>) outs(%{{.*}} : tensor<2x2xf32>)
// CONSTRAINT-LABEL: func.func @incorrect3
func.func @incorrect3(%arg0: tensor<?x2xf32>, %arg1: tensor<2x?xf32>) -> tensor<?x?xf32> {
  %0 = "tosa.add"(%arg0, %arg1) : (tensor<?x2xf32>, tensor<2x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

// rfc-2 with extents that are known at run time only. Index constants that a
// branch needs stand before it.
// CHECK-LABEL: func.func @rank
// CHECK-SAME: (%[[A:[a-z0-9]+]]: tensor<?x?xf32>, %[[B:[a-z0-9]+]]: tensor<2x?x3xf32>)
// CHECK:      %[[D0:.*]] = tensor.dim %[[A]]
// CHECK:      %[[D1:.*]] = tensor.dim %[[A]]
// CHECK-NEXT: %[[E:.*]] = tensor.expand_shape %[[A]] {{\[\[}}0, 1], [2]] output_shape [1, %[[D0]], %[[D1]]] : tensor<?x?xf32> into tensor<1x?x?xf32>
// CHECK:      tensor.dim %[[E]]
// CHECK:      scf.if
// CHECK-NOT:    arith.constant
// CHECK:      scf.if
// CONSTRAINT-LABEL: func.func @rank
func.func @rank(%a: tensor<?x?xf32>, %b: tensor<2x?x3xf32>) -> tensor<2x?x3xf32> {
  %0 = tosa.add %a, %b : (tensor<?x?xf32>, tensor<2x?x3xf32>) -> tensor<2x?x3xf32>
  return %0 : tensor<2x?x3xf32>
}

// -----

// Rank 0 against rank 2.
// CHECK-LABEL: func.func @rank0
// CHECK: tensor.expand_shape %{{.*}} [] output_shape [1, 1] : tensor<f32> into tensor<1x1xf32>
// CONSTRAINT-LABEL: func.func @rank0
func.func @rank0(%a: tensor<f32>, %b: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = tosa.add %a, %b : (tensor<f32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// Scalar operands do not broadcast: the shift is read before the loops.
// CHECK-LABEL: func.func @scalar
// CHECK-SAME: (%[[A:[a-z0-9]+]]: tensor<3xi32>, %[[S:[a-z0-9]+]]: tensor<1xi8>)
// CHECK-NOT:  loom.
// CHECK:      %[[E:.*]] = tensor.extract %[[S]]
// CHECK:      linalg.generic {{.*}} ins(%[[A]], %[[A]] : tensor<3xi32>, tensor<3xi32>)
// CHECK:        arith.extui %[[E]] : i8 to i64
// CONSTRAINT-LABEL: func.func @scalar
// CONSTRAINT: loom.constrain "tosa.mul", %{{.*}}, "shift {0} is outside [0, 63]"
func.func @scalar(%a: tensor<3xi32>, %s: tensor<1xi8>) -> tensor<3xi32> {
  %0 = tosa.mul %a, %a, %s : (tensor<3xi32>, tensor<3xi32>, tensor<1xi8>) -> tensor<3xi32>
  return %0 : tensor<3xi32>
}

// -----

// rfc-4: the constraints of the other strategy, and one for the extents 0 and
// 1, of which R's maximum is 1.
// CHECK-LABEL: func.func @guards
// CHECK-NOT: loom.
// CONSTRAINT-LABEL: func.func @guards
// CONSTRAINT-SAME: (%[[A:[a-z0-9]+]]: tensor<?xf32>, %[[B:[a-z0-9]+]]: tensor<3x?xf32>)
// CONSTRAINT-NEXT: %[[SA:.*]] = loom.shape_of %[[A]] : tensor<?xf32> -> <[?]>
// CONSTRAINT-NEXT: %[[SB:.*]] = loom.shape_of %[[B]] : tensor<3x?xf32> -> <[3, ?]>
// CONSTRAINT-NEXT: loom.constrain_broadcast "tosa.add", %[[SA]], %[[SB]]
// CONSTRAINT-NEXT: %[[S:.*]] = loom.broadcast %[[SA]], %[[SB]]
// CONSTRAINT-NEXT: loom.constrain_result "tosa.add", %[[S]] is tensor<3x5xf32> : <[3, ?]>
// CONSTRAINT:      %[[EA:.*]] = loom.extent %[[SA]][0]
// CONSTRAINT-NEXT: %[[EB:.*]] = loom.extent %[[SB]][1]
// CONSTRAINT-NEXT: %[[MIN:.*]] = arith.minui %[[EA]], %[[EB]]
// CONSTRAINT-NEXT: %[[MAX:.*]] = arith.maxui %[[EA]], %[[EB]]
// CONSTRAINT-DAG:  %[[NZ:.*]] = arith.cmpi ne, %[[MIN]], %{{.*}}
// CONSTRAINT-DAG:  %[[NO:.*]] = arith.cmpi ne, %[[MAX]], %{{.*}}
// CONSTRAINT:      %[[OK:.*]] = arith.ori
// CONSTRAINT-NEXT: loom.constrain "tosa.add", %[[OK]], "the strategy rfc does not broadcast an extent 0 with an extent 1: extents {0} and {1} along axis 1"(%[[MIN]], %[[MAX]] : index, index)
func.func @guards(%a: tensor<?xf32>, %b: tensor<3x?xf32>) -> tensor<3x5xf32> {
  %0 = tosa.add %a, %b : (tensor<?xf32>, tensor<3x?xf32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}

// -----

// Each operation is lowered by its own types, and a static 1 against a run-time
// extent needs neither maximum nor branch.
// CHECK-LABEL: func.func @chain
// CHECK:      %[[C:.*]] = tensor.cast %{{.*}} : tensor<1x4xf32> to tensor<?x4xf32>
// CHECK-NOT:  arith.maxui
// CHECK:      linalg.generic {{.*}} ins(%[[C]], %{{.*}} : tensor<?x4xf32>, tensor<1x1xf32>)
// CONSTRAINT-LABEL: func.func @chain
// CONSTRAINT-NOT: loom.constrain
func.func @chain(%a: tensor<1x4xf32>, %b: tensor<1x1xf32>) -> tensor<?x4xf32> {
  %0 = tosa.exp %a : (tensor<1x4xf32>) -> tensor<?x4xf32>
  %1 = tosa.sub %0, %b : (tensor<?x4xf32>, tensor<1x1xf32>) -> tensor<?x4xf32>
  return %1 : tensor<?x4xf32>
}
