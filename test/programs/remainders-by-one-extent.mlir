// RUN: broadloom check %s --all | FileCheck %s
// RUN: broadloom run %s --function=chain --input=7xi8=1 --input=2xf32=0 | FileCheck %s --check-prefix=VALUES

// Many remainders by one extent are paddings without a guard, each as the first.
// CHECK:     tosa.mod_shape
// CHECK-NOT: run-time
// CHECK:     tosa.dim {{.*}}:[[#@LINE+66]]:

// In a chain each number is made of the one before it, which it reads several times. It is
// looked into once: more of them do not take longer for each.
// VALUES: {{^}}[1 1 1 1 1 1 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0]{{$}}
func.func @each(%x0: tensor<?xi8>, %x1: tensor<?xi8>, %x2: tensor<?xi8>, %x3: tensor<?xi8>, %x4: tensor<?xi8>, %x5: tensor<?xi8>, %x6: tensor<?xi8>, %x7: tensor<?xi8>, %x8: tensor<?xi8>, %x9: tensor<?xi8>, %x10: tensor<?xi8>, %x11: tensor<?xi8>, %d: tensor<?xf32>) -> (tensor<?xi8>, tensor<?xi8>, tensor<?xi8>, tensor<?xi8>, tensor<?xi8>, tensor<?xi8>, tensor<?xi8>, tensor<?xi8>, tensor<?xi8>, tensor<?xi8>, tensor<?xi8>, tensor<?xi8>) {
  %one = tosa.const_shape {values = dense<1> : tensor<1xindex>} : () -> !tosa.shape<1>
  %zero = tosa.const_shape {values = dense<0> : tensor<1xindex>} : () -> !tosa.shape<1>
  %z = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %n = tosa.dim %d {axis = 0 : i32} : (tensor<?xf32>) -> !tosa.shape<1>
  %m = tosa.add_shape %n, %one : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<1>
  %d0 = tosa.dim %x0 {axis = 0 : i32} : (tensor<?xi8>) -> !tosa.shape<1>
  %r0 = tosa.mod_shape %d0, %m : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<1>
  %p0 = tosa.concat_shape %zero, %r0 : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<2>
  %y0 = tosa.pad %x0, %p0, %z : (tensor<?xi8>, !tosa.shape<2>, tensor<1xi8>) -> tensor<?xi8>
  %d1 = tosa.dim %x1 {axis = 0 : i32} : (tensor<?xi8>) -> !tosa.shape<1>
  %r1 = tosa.mod_shape %d1, %m : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<1>
  %p1 = tosa.concat_shape %zero, %r1 : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<2>
  %y1 = tosa.pad %x1, %p1, %z : (tensor<?xi8>, !tosa.shape<2>, tensor<1xi8>) -> tensor<?xi8>
  %d2 = tosa.dim %x2 {axis = 0 : i32} : (tensor<?xi8>) -> !tosa.shape<1>
  %r2 = tosa.mod_shape %d2, %m : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<1>
  %p2 = tosa.concat_shape %zero, %r2 : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<2>
  %y2 = tosa.pad %x2, %p2, %z : (tensor<?xi8>, !tosa.shape<2>, tensor<1xi8>) -> tensor<?xi8>
  %d3 = tosa.dim %x3 {axis = 0 : i32} : (tensor<?xi8>) -> !tosa.shape<1>
  %r3 = tosa.mod_shape %d3, %m : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<1>
  %p3 = tosa.concat_shape %zero, %r3 : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<2>
  %y3 = tosa.pad %x3, %p3, %z : (tensor<?xi8>, !tosa.shape<2>, tensor<1xi8>) -> tensor<?xi8>
  %d4 = tosa.dim %x4 {axis = 0 : i32} : (tensor<?xi8>) -> !tosa.shape<1>
  %r4 = tosa.mod_shape %d4, %m : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<1>
  %p4 = tosa.concat_shape %zero, %r4 : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<2>
  %y4 = tosa.pad %x4, %p4, %z : (tensor<?xi8>, !tosa.shape<2>, tensor<1xi8>) -> tensor<?xi8>
  %d5 = tosa.dim %x5 {axis = 0 : i32} : (tensor<?xi8>) -> !tosa.shape<1>
  %r5 = tosa.mod_shape %d5, %m : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<1>
  %p5 = tosa.concat_shape %zero, %r5 : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<2>
  %y5 = tosa.pad %x5, %p5, %z : (tensor<?xi8>, !tosa.shape<2>, tensor<1xi8>) -> tensor<?xi8>
  %d6 = tosa.dim %x6 {axis = 0 : i32} : (tensor<?xi8>) -> !tosa.shape<1>
  %r6 = tosa.mod_shape %d6, %m : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<1>
  %p6 = tosa.concat_shape %zero, %r6 : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<2>
  %y6 = tosa.pad %x6, %p6, %z : (tensor<?xi8>, !tosa.shape<2>, tensor<1xi8>) -> tensor<?xi8>
  %d7 = tosa.dim %x7 {axis = 0 : i32} : (tensor<?xi8>) -> !tosa.shape<1>
  %r7 = tosa.mod_shape %d7, %m : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<1>
  %p7 = tosa.concat_shape %zero, %r7 : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<2>
  %y7 = tosa.pad %x7, %p7, %z : (tensor<?xi8>, !tosa.shape<2>, tensor<1xi8>) -> tensor<?xi8>
  %d8 = tosa.dim %x8 {axis = 0 : i32} : (tensor<?xi8>) -> !tosa.shape<1>
  %r8 = tosa.mod_shape %d8, %m : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<1>
  %p8 = tosa.concat_shape %zero, %r8 : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<2>
  %y8 = tosa.pad %x8, %p8, %z : (tensor<?xi8>, !tosa.shape<2>, tensor<1xi8>) -> tensor<?xi8>
  %d9 = tosa.dim %x9 {axis = 0 : i32} : (tensor<?xi8>) -> !tosa.shape<1>
  %r9 = tosa.mod_shape %d9, %m : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<1>
  %p9 = tosa.concat_shape %zero, %r9 : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<2>
  %y9 = tosa.pad %x9, %p9, %z : (tensor<?xi8>, !tosa.shape<2>, tensor<1xi8>) -> tensor<?xi8>
  %d10 = tosa.dim %x10 {axis = 0 : i32} : (tensor<?xi8>) -> !tosa.shape<1>
  %r10 = tosa.mod_shape %d10, %m : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<1>
  %p10 = tosa.concat_shape %zero, %r10 : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<2>
  %y10 = tosa.pad %x10, %p10, %z : (tensor<?xi8>, !tosa.shape<2>, tensor<1xi8>) -> tensor<?xi8>
  %d11 = tosa.dim %x11 {axis = 0 : i32} : (tensor<?xi8>) -> !tosa.shape<1>
  %r11 = tosa.mod_shape %d11, %m : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<1>
  %p11 = tosa.concat_shape %zero, %r11 : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<2>
  %y11 = tosa.pad %x11, %p11, %z : (tensor<?xi8>, !tosa.shape<2>, tensor<1xi8>) -> tensor<?xi8>
  return %y0, %y1, %y2, %y3, %y4, %y5, %y6, %y7, %y8, %y9, %y10, %y11 : tensor<?xi8>, tensor<?xi8>, tensor<?xi8>, tensor<?xi8>, tensor<?xi8>, tensor<?xi8>, tensor<?xi8>, tensor<?xi8>, tensor<?xi8>, tensor<?xi8>, tensor<?xi8>, tensor<?xi8>
}

func.func @chain(%x0: tensor<?xi8>, %d: tensor<?xf32>) -> tensor<?xi8> {
  %one = tosa.const_shape {values = dense<1> : tensor<1xindex>} : () -> !tosa.shape<1>
  %zero = tosa.const_shape {values = dense<0> : tensor<1xindex>} : () -> !tosa.shape<1>
  %z = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %n = tosa.dim %d {axis = 0 : i32} : (tensor<?xf32>) -> !tosa.shape<1>
  %m = tosa.add_shape %n, %one : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<1>
  %d0 = tosa.dim %x0 {axis = 0 : i32} : (tensor<?xi8>) -> !tosa.shape<1>
  %r0 = tosa.mod_shape %d0, %m : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<1>
  %p0 = tosa.concat_shape %zero, %r0 : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<2>
  %x1 = tosa.pad %x0, %p0, %z : (tensor<?xi8>, !tosa.shape<2>, tensor<1xi8>) -> tensor<?xi8>
  %d1 = tosa.dim %x1 {axis = 0 : i32} : (tensor<?xi8>) -> !tosa.shape<1>
  %r1 = tosa.mod_shape %d1, %m : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<1>
  %p1 = tosa.concat_shape %zero, %r1 : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<2>
  %x2 = tosa.pad %x1, %p1, %z : (tensor<?xi8>, !tosa.shape<2>, tensor<1xi8>) -> tensor<?xi8>
  %d2 = tosa.dim %x2 {axis = 0 : i32} : (tensor<?xi8>) -> !tosa.shape<1>
  %r2 = tosa.mod_shape %d2, %m : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<1>
  %p2 = tosa.concat_shape %zero, %r2 : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<2>
  %x3 = tosa.pad %x2, %p2, %z : (tensor<?xi8>, !tosa.shape<2>, tensor<1xi8>) -> tensor<?xi8>
  %d3 = tosa.dim %x3 {axis = 0 : i32} : (tensor<?xi8>) -> !tosa.shape<1>
  %r3 = tosa.mod_shape %d3, %m : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<1>
  %p3 = tosa.concat_shape %zero, %r3 : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<2>
  %x4 = tosa.pad %x3, %p3, %z : (tensor<?xi8>, !tosa.shape<2>, tensor<1xi8>) -> tensor<?xi8>
  %d4 = tosa.dim %x4 {axis = 0 : i32} : (tensor<?xi8>) -> !tosa.shape<1>
  %r4 = tosa.mod_shape %d4, %m : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<1>
  %p4 = tosa.concat_shape %zero, %r4 : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<2>
  %x5 = tosa.pad %x4, %p4, %z : (tensor<?xi8>, !tosa.shape<2>, tensor<1xi8>) -> tensor<?xi8>
  %d5 = tosa.dim %x5 {axis = 0 : i32} : (tensor<?xi8>) -> !tosa.shape<1>
  %r5 = tosa.mod_shape %d5, %m : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<1>
  %p5 = tosa.concat_shape %zero, %r5 : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<2>
  %x6 = tosa.pad %x5, %p5, %z : (tensor<?xi8>, !tosa.shape<2>, tensor<1xi8>) -> tensor<?xi8>
  %d6 = tosa.dim %x6 {axis = 0 : i32} : (tensor<?xi8>) -> !tosa.shape<1>
  %r6 = tosa.mod_shape %d6, %m : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<1>
  %p6 = tosa.concat_shape %zero, %r6 : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<2>
  %x7 = tosa.pad %x6, %p6, %z : (tensor<?xi8>, !tosa.shape<2>, tensor<1xi8>) -> tensor<?xi8>
  %d7 = tosa.dim %x7 {axis = 0 : i32} : (tensor<?xi8>) -> !tosa.shape<1>
  %r7 = tosa.mod_shape %d7, %m : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<1>
  %p7 = tosa.concat_shape %zero, %r7 : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<2>
  %x8 = tosa.pad %x7, %p7, %z : (tensor<?xi8>, !tosa.shape<2>, tensor<1xi8>) -> tensor<?xi8>
  %d8 = tosa.dim %x8 {axis = 0 : i32} : (tensor<?xi8>) -> !tosa.shape<1>
  %r8 = tosa.mod_shape %d8, %m : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<1>
  %p8 = tosa.concat_shape %zero, %r8 : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<2>
  %x9 = tosa.pad %x8, %p8, %z : (tensor<?xi8>, !tosa.shape<2>, tensor<1xi8>) -> tensor<?xi8>
  %d9 = tosa.dim %x9 {axis = 0 : i32} : (tensor<?xi8>) -> !tosa.shape<1>
  %r9 = tosa.mod_shape %d9, %m : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<1>
  %p9 = tosa.concat_shape %zero, %r9 : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<2>
  %x10 = tosa.pad %x9, %p9, %z : (tensor<?xi8>, !tosa.shape<2>, tensor<1xi8>) -> tensor<?xi8>
  %d10 = tosa.dim %x10 {axis = 0 : i32} : (tensor<?xi8>) -> !tosa.shape<1>
  %r10 = tosa.mod_shape %d10, %m : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<1>
  %p10 = tosa.concat_shape %zero, %r10 : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<2>
  %x11 = tosa.pad %x10, %p10, %z : (tensor<?xi8>, !tosa.shape<2>, tensor<1xi8>) -> tensor<?xi8>
  %d11 = tosa.dim %x11 {axis = 0 : i32} : (tensor<?xi8>) -> !tosa.shape<1>
  %r11 = tosa.mod_shape %d11, %m : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<1>
  %p11 = tosa.concat_shape %zero, %r11 : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<2>
  %x12 = tosa.pad %x11, %p11, %z : (tensor<?xi8>, !tosa.shape<2>, tensor<1xi8>) -> tensor<?xi8>
  return %x12 : tensor<?xi8>
}
