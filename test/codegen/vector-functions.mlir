// REQUIRES: avx512
// RUN: sed s/TYPE/f32/g %s > %t.f32.mlir
// RUN: broadloom compile %t.f32.mlir --emit=asm -o - > %t.f32.s
// RUN: sed '/^loom_cases_/,/^.Lfunc_end/d' %t.f32.s | FileCheck %s
// RUN: sed s/TYPE/f64/g %s > %t.f64.mlir
// RUN: broadloom compile %t.f64.mlir --emit=asm -o - > %t.f64.s
// RUN: sed '/^loom_cases_/,/^.Lfunc_end/d' %t.f64.s | FileCheck %s
// RUN: sed s/TYPE/f16/g %s > %t.f16.mlir
// RUN: broadloom compile %t.f16.mlir --emit=asm -o - > %t.f16.s
// RUN: sed '/^loom_cases_/,/^.Lfunc_end/d' %t.f16.s | FileCheck %s
// RUN: sed s/TYPE/bf16/g %s > %t.bf16.mlir
// RUN: broadloom compile %t.bf16.mlir --emit=asm -o - > %t.bf16.s
// RUN: sed '/^loom_cases_/,/^.Lfunc_end/d' %t.bf16.s | FileCheck %s
// RUN: FileCheck %s --check-prefix=RARE < %t.f32.s

// Every function is made of vectors, in strips and in rows: no instruction
// multiplies, divides or rounds one element, none is looked up by itself, and of
// the C library's math only vector functions (_ZGV...) are called. Elements that
// inline arithmetic does not hold for are computed one by one in functions of
// their own.
// CHECK-NOT: {{(sqrt|div|mul|fmadd[0-9]*|fnmadd[0-9]*|scalef|rndscale|round|getexp)s[sd]}}
// CHECK-NOT: {{loom_(lookup|rare)}}
// CHECK-NOT: {{(call|jmp)q?[[:space:]]+\*?(exp|log|tanh|erf|sin|cos|pow|sqrt|floor|ceil)f?[^a-z]}}

// RARE-DAG: call{{q?}} loom_cases_sin_x16
// RARE-DAG: call{{q?}} loom_cases_cos_x16
// RARE-DAG: call{{q?}} loom_cases_pow_x16
// RARE-DAG: call{{q?}} {{.*}}sinf
// RARE-DAG: call{{q?}} {{.*}}cosf
// RARE-DAG: call{{q?}} {{.*}}powf

func.func @strip_exp(%a: tensor<?x?xTYPE>) -> tensor<?x?xTYPE> {
  %0 = tosa.exp %a : (tensor<?x?xTYPE>) -> tensor<?x?xTYPE>
  return %0 : tensor<?x?xTYPE>
}
func.func @row_exp(%a: tensor<?x?xTYPE>) -> tensor<?x?xTYPE> {
  %0 = tosa.exp %a : (tensor<?x?xTYPE>) -> tensor<?x?xTYPE>
  %1 = tosa.reduce_max %0 {axis = 1 : i32} : (tensor<?x?xTYPE>) -> tensor<?x1xTYPE>
  %2 = tosa.sub %0, %1 : (tensor<?x?xTYPE>, tensor<?x1xTYPE>) -> tensor<?x?xTYPE>
  return %2 : tensor<?x?xTYPE>
}
func.func @strip_log(%a: tensor<?x?xTYPE>) -> tensor<?x?xTYPE> {
  %0 = tosa.log %a : (tensor<?x?xTYPE>) -> tensor<?x?xTYPE>
  return %0 : tensor<?x?xTYPE>
}
func.func @row_log(%a: tensor<?x?xTYPE>) -> tensor<?x?xTYPE> {
  %0 = tosa.log %a : (tensor<?x?xTYPE>) -> tensor<?x?xTYPE>
  %1 = tosa.reduce_max %0 {axis = 1 : i32} : (tensor<?x?xTYPE>) -> tensor<?x1xTYPE>
  %2 = tosa.sub %0, %1 : (tensor<?x?xTYPE>, tensor<?x1xTYPE>) -> tensor<?x?xTYPE>
  return %2 : tensor<?x?xTYPE>
}
func.func @strip_tanh(%a: tensor<?x?xTYPE>) -> tensor<?x?xTYPE> {
  %0 = tosa.tanh %a : (tensor<?x?xTYPE>) -> tensor<?x?xTYPE>
  return %0 : tensor<?x?xTYPE>
}
func.func @row_tanh(%a: tensor<?x?xTYPE>) -> tensor<?x?xTYPE> {
  %0 = tosa.tanh %a : (tensor<?x?xTYPE>) -> tensor<?x?xTYPE>
  %1 = tosa.reduce_max %0 {axis = 1 : i32} : (tensor<?x?xTYPE>) -> tensor<?x1xTYPE>
  %2 = tosa.sub %0, %1 : (tensor<?x?xTYPE>, tensor<?x1xTYPE>) -> tensor<?x?xTYPE>
  return %2 : tensor<?x?xTYPE>
}
func.func @strip_sigmoid(%a: tensor<?x?xTYPE>) -> tensor<?x?xTYPE> {
  %0 = tosa.sigmoid %a : (tensor<?x?xTYPE>) -> tensor<?x?xTYPE>
  return %0 : tensor<?x?xTYPE>
}
func.func @row_sigmoid(%a: tensor<?x?xTYPE>) -> tensor<?x?xTYPE> {
  %0 = tosa.sigmoid %a : (tensor<?x?xTYPE>) -> tensor<?x?xTYPE>
  %1 = tosa.reduce_max %0 {axis = 1 : i32} : (tensor<?x?xTYPE>) -> tensor<?x1xTYPE>
  %2 = tosa.sub %0, %1 : (tensor<?x?xTYPE>, tensor<?x1xTYPE>) -> tensor<?x?xTYPE>
  return %2 : tensor<?x?xTYPE>
}
func.func @strip_erf(%a: tensor<?x?xTYPE>) -> tensor<?x?xTYPE> {
  %0 = tosa.erf %a : (tensor<?x?xTYPE>) -> tensor<?x?xTYPE>
  return %0 : tensor<?x?xTYPE>
}
func.func @row_erf(%a: tensor<?x?xTYPE>) -> tensor<?x?xTYPE> {
  %0 = tosa.erf %a : (tensor<?x?xTYPE>) -> tensor<?x?xTYPE>
  %1 = tosa.reduce_max %0 {axis = 1 : i32} : (tensor<?x?xTYPE>) -> tensor<?x1xTYPE>
  %2 = tosa.sub %0, %1 : (tensor<?x?xTYPE>, tensor<?x1xTYPE>) -> tensor<?x?xTYPE>
  return %2 : tensor<?x?xTYPE>
}
func.func @strip_sin(%a: tensor<?x?xTYPE>) -> tensor<?x?xTYPE> {
  %0 = tosa.sin %a : (tensor<?x?xTYPE>) -> tensor<?x?xTYPE>
  return %0 : tensor<?x?xTYPE>
}
func.func @row_sin(%a: tensor<?x?xTYPE>) -> tensor<?x?xTYPE> {
  %0 = tosa.sin %a : (tensor<?x?xTYPE>) -> tensor<?x?xTYPE>
  %1 = tosa.reduce_max %0 {axis = 1 : i32} : (tensor<?x?xTYPE>) -> tensor<?x1xTYPE>
  %2 = tosa.sub %0, %1 : (tensor<?x?xTYPE>, tensor<?x1xTYPE>) -> tensor<?x?xTYPE>
  return %2 : tensor<?x?xTYPE>
}
func.func @strip_cos(%a: tensor<?x?xTYPE>) -> tensor<?x?xTYPE> {
  %0 = tosa.cos %a : (tensor<?x?xTYPE>) -> tensor<?x?xTYPE>
  return %0 : tensor<?x?xTYPE>
}
func.func @row_cos(%a: tensor<?x?xTYPE>) -> tensor<?x?xTYPE> {
  %0 = tosa.cos %a : (tensor<?x?xTYPE>) -> tensor<?x?xTYPE>
  %1 = tosa.reduce_max %0 {axis = 1 : i32} : (tensor<?x?xTYPE>) -> tensor<?x1xTYPE>
  %2 = tosa.sub %0, %1 : (tensor<?x?xTYPE>, tensor<?x1xTYPE>) -> tensor<?x?xTYPE>
  return %2 : tensor<?x?xTYPE>
}
func.func @strip_reciprocal(%a: tensor<?x?xTYPE>) -> tensor<?x?xTYPE> {
  %0 = tosa.reciprocal %a : (tensor<?x?xTYPE>) -> tensor<?x?xTYPE>
  return %0 : tensor<?x?xTYPE>
}
func.func @row_reciprocal(%a: tensor<?x?xTYPE>) -> tensor<?x?xTYPE> {
  %0 = tosa.reciprocal %a : (tensor<?x?xTYPE>) -> tensor<?x?xTYPE>
  %1 = tosa.reduce_max %0 {axis = 1 : i32} : (tensor<?x?xTYPE>) -> tensor<?x1xTYPE>
  %2 = tosa.sub %0, %1 : (tensor<?x?xTYPE>, tensor<?x1xTYPE>) -> tensor<?x?xTYPE>
  return %2 : tensor<?x?xTYPE>
}
func.func @strip_rsqrt(%a: tensor<?x?xTYPE>) -> tensor<?x?xTYPE> {
  %0 = tosa.rsqrt %a : (tensor<?x?xTYPE>) -> tensor<?x?xTYPE>
  return %0 : tensor<?x?xTYPE>
}
func.func @row_rsqrt(%a: tensor<?x?xTYPE>) -> tensor<?x?xTYPE> {
  %0 = tosa.rsqrt %a : (tensor<?x?xTYPE>) -> tensor<?x?xTYPE>
  %1 = tosa.reduce_max %0 {axis = 1 : i32} : (tensor<?x?xTYPE>) -> tensor<?x1xTYPE>
  %2 = tosa.sub %0, %1 : (tensor<?x?xTYPE>, tensor<?x1xTYPE>) -> tensor<?x?xTYPE>
  return %2 : tensor<?x?xTYPE>
}
func.func @strip_floor(%a: tensor<?x?xTYPE>) -> tensor<?x?xTYPE> {
  %0 = tosa.floor %a : (tensor<?x?xTYPE>) -> tensor<?x?xTYPE>
  return %0 : tensor<?x?xTYPE>
}
func.func @row_floor(%a: tensor<?x?xTYPE>) -> tensor<?x?xTYPE> {
  %0 = tosa.floor %a : (tensor<?x?xTYPE>) -> tensor<?x?xTYPE>
  %1 = tosa.reduce_max %0 {axis = 1 : i32} : (tensor<?x?xTYPE>) -> tensor<?x1xTYPE>
  %2 = tosa.sub %0, %1 : (tensor<?x?xTYPE>, tensor<?x1xTYPE>) -> tensor<?x?xTYPE>
  return %2 : tensor<?x?xTYPE>
}
func.func @strip_ceil(%a: tensor<?x?xTYPE>) -> tensor<?x?xTYPE> {
  %0 = tosa.ceil %a : (tensor<?x?xTYPE>) -> tensor<?x?xTYPE>
  return %0 : tensor<?x?xTYPE>
}
func.func @row_ceil(%a: tensor<?x?xTYPE>) -> tensor<?x?xTYPE> {
  %0 = tosa.ceil %a : (tensor<?x?xTYPE>) -> tensor<?x?xTYPE>
  %1 = tosa.reduce_max %0 {axis = 1 : i32} : (tensor<?x?xTYPE>) -> tensor<?x1xTYPE>
  %2 = tosa.sub %0, %1 : (tensor<?x?xTYPE>, tensor<?x1xTYPE>) -> tensor<?x?xTYPE>
  return %2 : tensor<?x?xTYPE>
}
func.func @strip_abs(%a: tensor<?x?xTYPE>) -> tensor<?x?xTYPE> {
  %0 = tosa.abs %a : (tensor<?x?xTYPE>) -> tensor<?x?xTYPE>
  return %0 : tensor<?x?xTYPE>
}
func.func @row_abs(%a: tensor<?x?xTYPE>) -> tensor<?x?xTYPE> {
  %0 = tosa.abs %a : (tensor<?x?xTYPE>) -> tensor<?x?xTYPE>
  %1 = tosa.reduce_max %0 {axis = 1 : i32} : (tensor<?x?xTYPE>) -> tensor<?x1xTYPE>
  %2 = tosa.sub %0, %1 : (tensor<?x?xTYPE>, tensor<?x1xTYPE>) -> tensor<?x?xTYPE>
  return %2 : tensor<?x?xTYPE>
}
func.func @strip_pow(%a: tensor<?x?xTYPE>) -> tensor<?x?xTYPE> {
  %0 = tosa.pow %a, %a : (tensor<?x?xTYPE>, tensor<?x?xTYPE>) -> tensor<?x?xTYPE>
  return %0 : tensor<?x?xTYPE>
}
func.func @row_pow(%a: tensor<?x?xTYPE>) -> tensor<?x?xTYPE> {
  %0 = tosa.pow %a, %a : (tensor<?x?xTYPE>, tensor<?x?xTYPE>) -> tensor<?x?xTYPE>
  %1 = tosa.reduce_max %0 {axis = 1 : i32} : (tensor<?x?xTYPE>) -> tensor<?x1xTYPE>
  %2 = tosa.sub %0, %1 : (tensor<?x?xTYPE>, tensor<?x1xTYPE>) -> tensor<?x?xTYPE>
  return %2 : tensor<?x?xTYPE>
}
// A loop with elements of 64 bits looks up half as many at a time.
func.func @mixed(%a: tensor<?x?xf32>, %b: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %0 = tosa.tanh %a : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = tosa.cast %0 : (tensor<?x?xf32>) -> tensor<?x?xf64>
  %2 = tosa.add %1, %b : (tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
  return %2 : tensor<?x?xf64>
}
