// RUN: broadloom-opt %s --mlir-very-unsafe-disable-verifier-on-parsing \
// RUN:   --broadloom-prepare --convert-tosa-to-loom | FileCheck %s

// What the types prove leaves no trace (ext-2).
// CHECK-LABEL: func.func @static
// CHECK-SAME: (%[[A:.*]]: tensor<2x1xf32>, %[[B:.*]]: tensor<1x3xf32>)
// CHECK-NEXT: %[[R:.*]] = loom.map(%[[X:.*]] = %[[A]] : tensor<2x1xf32>, %[[Y:.*]] = %[[B]] : tensor<1x3xf32>) -> tensor<2x3xf32> {
// CHECK-NEXT:   %[[S:.*]] = arith.addf %[[X]], %[[Y]] : f32
// CHECK-NEXT:   loom.yield %[[S]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: return %[[R]] : tensor<2x3xf32>
func.func @static(%a: tensor<2x1xf32>, %b: tensor<1x3xf32>) -> tensor<2x3xf32> {
  %0 = tosa.add %a, %b : (tensor<2x1xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// What they leave open is a constraint over the shapes (sf-11).
// CHECK-LABEL: func.func @dynamic
// CHECK-SAME: (%[[A:.*]]: tensor<?x4xf32>, %[[B:.*]]: tensor<?x1xf32>)
// CHECK-NEXT: %[[SA:.*]] = loom.shape_of %[[A]] : tensor<?x4xf32> -> <[?, 4]>
// CHECK-NEXT: %[[SB:.*]] = loom.shape_of %[[B]] : tensor<?x1xf32> -> <[?, 1]>
// CHECK-NEXT: loom.constrain_broadcast "tosa.sub", %[[SA]], %[[SB]] : !loom.shape<[?, 4]>, !loom.shape<[?, 1]>
// CHECK-NEXT: loom.map({{.*}}) -> tensor<?x4xf32> {
func.func @dynamic(%a: tensor<?x4xf32>, %b: tensor<?x1xf32>) -> tensor<?x4xf32> {
  %0 = tosa.sub %a, %b : (tensor<?x4xf32>, tensor<?x1xf32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// (?,1): nothing is left to check.
// CHECK-LABEL: func.func @staticToDynamic
// CHECK-NEXT: loom.map
func.func @staticToDynamic(%a: tensor<1xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0 = tosa.pow %a, %b : (tensor<1xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// One value is one operand, and one shape.
// CHECK-LABEL: func.func @sameOperand
// CHECK-SAME: (%[[A:.*]]: tensor<?xf32>)
// CHECK-NEXT: loom.map(%[[X:.*]] = %[[A]] : tensor<?xf32>) -> tensor<?xf32> {
// CHECK-NEXT:   arith.addf %[[X]], %[[X]]
func.func @sameOperand(%a: tensor<?xf32>) -> tensor<?xf32> {
  %0 = tosa.add %a, %a : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// ext-3, bcast-1: TOSA's own verifier refuses extents of 0 and mixed ranks.
// CHECK-LABEL: func.func @zeroAndRanks
// CHECK-NEXT: loom.map({{.*}} : tensor<0x3xf32>, {{.*}} : tensor<3xf32>) -> tensor<0x3xf32> {
func.func @zeroAndRanks(%a: tensor<0x3xf32>, %b: tensor<3xf32>) -> tensor<0x3xf32> {
  %0 = tosa.add %a, %b : (tensor<0x3xf32>, tensor<3xf32>) -> tensor<0x3xf32>
  return %0 : tensor<0x3xf32>
}

// CHECK-LABEL: func.func @zeroConstant
// CHECK-NEXT: arith.constant dense<> : tensor<0xf32>
func.func @zeroConstant() -> tensor<0xf32> {
  %0 = "tosa.const"() {values = dense<> : tensor<0xf32>} : () -> tensor<0xf32>
  return %0 : tensor<0xf32>
}

// Unranked operands make an unranked result (bcast-6) and one constraint.
// CHECK-LABEL: func.func @unranked
// CHECK-SAME: (%[[A:.*]]: tensor<*xf32>, %[[B:.*]]: tensor<3xf32>)
// CHECK-NEXT: %[[SA:.*]] = loom.shape_of %[[A]] : tensor<*xf32> -> <*>
// CHECK-NEXT: %[[SB:.*]] = loom.shape_of %[[B]] : tensor<3xf32> -> <[3]>
// CHECK-NEXT: loom.constrain_broadcast "tosa.mul", %[[SA]], %[[SB]] : !loom.shape<*>, !loom.shape<[3]>
// CHECK-NEXT: loom.map({{.*}}) -> tensor<*xf32> {
func.func @unranked(%a: tensor<*xf32>, %b: tensor<3xf32>) -> tensor<*xf32> {
  %s = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %0 = tosa.mul %a, %b, %s : (tensor<*xf32>, tensor<3xf32>, tensor<1xi8>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// An unranked result of ranked operands has their rank.
// CHECK-LABEL: func.func @unrankedResult
// CHECK-NEXT: %[[M:.*]] = loom.map({{.*}}) -> tensor<?xf32> {
// CHECK:      %[[C:.*]] = tensor.cast %[[M]] : tensor<?xf32> to tensor<*xf32>
// CHECK-NEXT: return %[[C]]
func.func @unrankedResult(%a: tensor<?xf32>) -> tensor<*xf32> {
  %0 = tosa.exp %a : (tensor<?xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// rt-4: a result that says more than its operands is a constraint; what is
// compared is the shape that the operands give.
// CHECK-LABEL: func.func @declaredResult
// CHECK-SAME: (%[[A:.*]]: tensor<?x?xf32>, %[[B:.*]]: tensor<?xf32>)
// CHECK-NEXT: %[[SA:.*]] = loom.shape_of %[[A]]
// CHECK-NEXT: %[[SB:.*]] = loom.shape_of %[[B]]
// CHECK-NEXT: loom.constrain_broadcast "tosa.add", %[[SA]], %[[SB]]
// CHECK-NEXT: %[[S:.*]] = loom.broadcast %[[SA]], %[[SB]] : (!loom.shape<[?, ?]>, !loom.shape<[?]>) -> !loom.shape<[?, ?]>
// CHECK-NEXT: loom.constrain_result "tosa.add", %[[S]] is tensor<?x5xf32> : <[?, ?]>
// CHECK-NEXT: loom.map({{.*}}) -> tensor<?x5xf32> {
func.func @declaredResult(%a: tensor<?x?xf32>, %b: tensor<?xf32>) -> tensor<?x5xf32> {
  %0 = tosa.add %a, %b : (tensor<?x?xf32>, tensor<?xf32>) -> tensor<?x5xf32>
  return %0 : tensor<?x5xf32>
}

// Maps read what is known, not what is declared, and shapes are never those of
// a map's result.
// CHECK-LABEL: func.func @chain
// CHECK-SAME: (%[[A:.*]]: tensor<?x4xf32>, %[[B:.*]]: tensor<?x4xf32>)
// CHECK-NEXT: %[[SA:.*]] = loom.shape_of %[[A]]
// CHECK-NEXT: %[[SB:.*]] = loom.shape_of %[[B]]
// CHECK-NEXT: loom.constrain_broadcast "tosa.add", %[[SA]], %[[SB]]
// CHECK-NEXT: %[[S:.*]] = loom.broadcast %[[SA]], %[[SB]]
// CHECK-NEXT: %[[M:.*]] = loom.map({{.*}}) -> tensor<?x4xf32> {
// CHECK:      %[[E:.*]] = loom.map({{.*}} = %[[M]] : tensor<?x4xf32>) -> tensor<?x4xf32> {
// CHECK:      loom.constrain_broadcast "tosa.maximum", %[[S]], %[[SA]]
// CHECK-NEXT: %[[R:.*]] = loom.map({{.*}} = %[[E]] : tensor<?x4xf32>, {{.*}} = %[[A]] : tensor<?x4xf32>) -> tensor<?x4xf32> {
// CHECK:      %[[C:.*]] = tensor.cast %[[R]] : tensor<?x4xf32> to tensor<?x?xf32>
// CHECK-NEXT: return %[[C]]
func.func @chain(%a: tensor<?x4xf32>, %b: tensor<?x4xf32>) -> tensor<?x?xf32> {
  %0 = tosa.add %a, %b : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x?xf32>
  %1 = tosa.floor %0 : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %2 = tosa.maximum %1, %a : (tensor<?x?xf32>, tensor<?x4xf32>) -> tensor<?x?xf32>
  return %2 : tensor<?x?xf32>
}

// A constant that adds nothing to the shape is a number in the body.
// CHECK-LABEL: func.func @splat
// CHECK-NEXT: loom.map(%[[X:.*]] = %{{.*}} : tensor<?x4xf32>) -> tensor<?x4xf32> {
// CHECK-NEXT:   %[[C:.*]] = arith.constant 5.000000e-01 : f32
// CHECK-NEXT:   arith.mulf %[[X]], %[[C]] : f32
func.func @splat(%a: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %half = "tosa.const"() {values = dense<0.5> : tensor<1x4xf32>} : () -> tensor<1x4xf32>
  %s = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %0 = tosa.mul %a, %half, %s : (tensor<?x4xf32>, tensor<1x4xf32>, tensor<1xi8>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// rt-6: this one gives the result an extent, and that one a rank.
// CHECK-LABEL: func.func @splatWithExtent
// CHECK: loom.map({{.*}} : tensor<?xf32>, {{.*}} : tensor<4xf32>) -> tensor<4xf32> {
// CHECK: loom.map({{.*}} : tensor<?xf32>, {{.*}} : tensor<1x1xf32>) -> tensor<1x?xf32> {
func.func @splatWithExtent(%a: tensor<?xf32>) -> (tensor<4xf32>, tensor<1x?xf32>) {
  %c = "tosa.const"() {values = dense<0.5> : tensor<4xf32>} : () -> tensor<4xf32>
  %d = "tosa.const"() {values = dense<0.5> : tensor<1x1xf32>} : () -> tensor<1x1xf32>
  %0 = tosa.add %a, %c : (tensor<?xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = tosa.add %a, %d : (tensor<?xf32>, tensor<1x1xf32>) -> tensor<1x?xf32>
  return %0, %1 : tensor<4xf32>, tensor<1x?xf32>
}

// Of an operand of unknown rank nobody knows that it has the constant's.
// CHECK-LABEL: func.func @splatWithUnranked
// CHECK: loom.map({{.*}} : tensor<*xf32>, {{.*}} : tensor<1xf32>) -> tensor<*xf32> {
func.func @splatWithUnranked(%a: tensor<*xf32>) -> tensor<*xf32> {
  %c = "tosa.const"() {values = dense<0.5> : tensor<1xf32>} : () -> tensor<1xf32>
  %0 = tosa.add %a, %c : (tensor<*xf32>, tensor<1xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// A constant that is no splat, and one in a resource, stay what they are.
// CHECK-LABEL: func.func @constants
// CHECK-DAG: %[[C:.*]] = arith.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// CHECK-DAG: %[[D:.*]] = arith.constant dense_resource<two> : tensor<2xf32>
// CHECK: loom.map({{.*}} = %[[C]] : tensor<2xf32>, {{.*}} = %[[D]] : tensor<2xf32>)
func.func @constants() -> tensor<2xf32> {
  %c = "tosa.const"() {values = dense<[1.0, 2.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %d = "tosa.const"() {values = dense_resource<two> : tensor<2xf32>} : () -> tensor<2xf32>
  %0 = tosa.add %c, %d : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// el-1: a shift that is data is read once, checked once, and broadcasts nothing.
// CHECK-LABEL: func.func @shiftArgument
// CHECK-SAME: (%[[A:.*]]: tensor<2xi32>, %[[S:.*]]: tensor<1xi8>)
// CHECK:      %[[E:.*]] = tensor.extract %[[S]][%{{.*}}] : tensor<1xi8>
// CHECK:      loom.constrain "tosa.mul", %{{.*}}, "shift {0} is outside [0, 63]"(%{{.*}} : i64)
// CHECK:      loom.map({{.*}} = %[[A]] : tensor<2xi32>, {{.*}} = %[[E]] : i8) -> tensor<2xi32> {
func.func @shiftArgument(%a: tensor<2xi32>, %s: tensor<1xi8>) -> tensor<2xi32> {
  %0 = tosa.mul %a, %a, %s : (tensor<2xi32>, tensor<2xi32>, tensor<1xi8>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}

// CHECK-LABEL: func.func @shiftOfOpenShape
// CHECK: loom.constrain "tosa.mul", %{{.*}}, "operand 2 has shape {0}, expected one element"(%{{.*}} : index)
// CHECK: tensor.cast %{{.*}} : tensor<?xi8> to tensor<1xi8>
// CHECK: loom.constrain "tosa.mul", %{{.*}}, "operand 2 has rank {0} and last extent {1}, expected rank 1 and extent 1"(%{{.*}}, %{{.*}} : index, index)
// CHECK: tensor.cast %{{.*}} : tensor<*xi8> to tensor<1xi8>
func.func @shiftOfOpenShape(%a: tensor<2xi32>, %s: tensor<?xi8>, %t: tensor<*xi8>) -> tensor<2xi32> {
  %0 = tosa.mul %a, %a, %s : (tensor<2xi32>, tensor<2xi32>, tensor<?xi8>) -> tensor<2xi32>
  %1 = tosa.mul %0, %0, %t : (tensor<2xi32>, tensor<2xi32>, tensor<*xi8>) -> tensor<2xi32>
  return %1 : tensor<2xi32>
}

// el-4: zero-points, one constant and one not.
// CHECK-LABEL: func.func @zeroPoints
// CHECK-SAME: (%[[A:.*]]: tensor<?xi8>, %[[Z:.*]]: tensor<1xi8>)
// CHECK:      %[[E:.*]] = tensor.extract %[[Z]]
// CHECK-NOT:  loom.constrain
// CHECK:      loom.map({{.*}} = %[[A]] : tensor<?xi8>, {{.*}} = %[[E]] : i8) -> tensor<?xi8> {
func.func @zeroPoints(%a: tensor<?xi8>, %z: tensor<1xi8>) -> tensor<?xi8> {
  %c = "tosa.const"() {values = dense<3> : tensor<1xi8>} : () -> tensor<1xi8>
  %0 = tosa.negate %a, %c, %z : (tensor<?xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<?xi8>
  return %0 : tensor<?xi8>
}

// Scalars are signless; elements need not be.
// CHECK-LABEL: func.func @unsigned
// CHECK-NEXT: loom.map(%[[X:.*]] = %{{.*}} : tensor<4xui8>) -> tensor<4xui8> {
// CHECK-NEXT:   %[[I:.*]] = builtin.unrealized_conversion_cast %[[X]] : ui8 to i8
// CHECK:        %[[O:.*]] = builtin.unrealized_conversion_cast %{{.*}} : i8 to ui8
// CHECK-NEXT:   loom.yield %[[O]] : ui8
func.func @unsigned(%a: tensor<4xui8>) -> tensor<4xui8> {
  %0 = tosa.bitwise_not %a : (tensor<4xui8>) -> tensor<4xui8>
  return %0 : tensor<4xui8>
}

// Ternary, with a condition of another element type.
// CHECK-LABEL: func.func @select
// CHECK: loom.map(%[[C:.*]] = %{{.*}} : tensor<4x1xi1>, %[[X:.*]] = %{{.*}} : tensor<1x3xf16>, %[[Y:.*]] = %{{.*}} : tensor<f16>) -> tensor<4x3xf16> {
// CHECK-NEXT: arith.select %[[C]], %[[X]], %[[Y]] : f16
func.func @select(%c: tensor<4x1xi1>, %a: tensor<1x3xf16>, %b: tensor<f16>) -> tensor<4x3xf16> {
  %0 = tosa.select %c, %a, %b : (tensor<4x1xi1>, tensor<1x3xf16>, tensor<f16>) -> tensor<4x3xf16>
  return %0 : tensor<4x3xf16>
}

// Inside control flow, arguments of a block have their shapes there.
// CHECK-LABEL: func.func @nested
// CHECK: scf.for {{.*}} iter_args(%[[I:.*]] = %{{.*}}) -> (tensor<?xf32>) {
// CHECK-NEXT: %[[S:.*]] = loom.shape_of %[[I]]
// CHECK-NEXT: loom.constrain_broadcast "tosa.add", %[[S]], %{{.*}}
// CHECK-NEXT: loom.map
func.func @nested(%a: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (tensor<?xf32>) {
    %0 = tosa.add %x, %a : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    scf.yield %0 : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// ext-2: what the declared types leave open and only a branch would refute is
// not an error, since no run may take it.
// CHECK-LABEL: func.func @refutedInBranch
// CHECK: scf.if
// CHECK: loom.constrain_broadcast "tosa.add", %{{.*}}, %{{.*}} : !loom.shape<[5]>, !loom.shape<[4]>
func.func @refutedInBranch(%a: tensor<5xf32>, %b: tensor<4xf32>, %c: i1) -> tensor<?xf32> {
  %0 = tosa.exp %a : (tensor<5xf32>) -> tensor<?xf32>
  %r = scf.if %c -> (tensor<?xf32>) {
    %1 = tosa.add %0, %b : (tensor<?xf32>, tensor<4xf32>) -> tensor<?xf32>
    scf.yield %1 : tensor<?xf32>
  } else {
    scf.yield %0 : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// Blocks may stand in any order that dominance allows.
// CHECK-LABEL: func.func @blockOrder
// CHECK-NOT: = {{"?}}tosa.
func.func @blockOrder(%a: tensor<?xf32>) -> tensor<?xf32> {
  cf.br ^first
^second:
  %1 = tosa.add %0, %a : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
^first:
  %0 = tosa.exp %a : (tensor<?xf32>) -> tensor<?xf32>
  cf.br ^second
}

// What is not element-wise stays, and reads the declared types.
// CHECK-LABEL: func.func @rest
// CHECK: %[[M:.*]] = loom.map({{.*}}) -> tensor<2x3xf32> {
// CHECK: %[[C:.*]] = tensor.cast %[[M]] : tensor<2x3xf32> to tensor<?x3xf32>
// CHECK: tosa.reduce_sum %[[C]]
func.func @rest(%a: tensor<2x3xf32>) -> tensor<?x1xf32> {
  %0 = tosa.exp %a : (tensor<2x3xf32>) -> tensor<?x3xf32>
  %1 = tosa.reduce_sum %0 {axis = 1 : i32} : (tensor<?x3xf32>) -> tensor<?x1xf32>
  return %1 : tensor<?x1xf32>
}

// CHECK: {-#
{-#
  dialect_resources: {
    builtin: {
      two: "0x040000000000803F00000040"
    }
  }
#-}
