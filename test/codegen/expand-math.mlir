// RUN: broadloom-opt %s --loom-expand-math="target=x86_64-linux-gnu cpu=x86-64-v3" --split-input-file | FileCheck %s --check-prefixes=CHECK,FMA
// RUN: broadloom-opt %s --loom-expand-math="target=x86_64-linux-gnu cpu=x86-64-v4" --split-input-file | FileCheck %s --check-prefixes=CHECK,LOOKUP
// RUN: broadloom-opt %s --loom-expand-math="target=aarch64-linux-gnu" --split-input-file | FileCheck %s --check-prefixes=CHECK,FMA
// RUN: broadloom-opt %s --loom-expand-math="target=x86_64-linux-gnu cpu=x86-64" --split-input-file | FileCheck %s --check-prefixes=CHECK,NONE

// The exponential is inline on every processor. Without instructions for tables
// and powers of two, half of a power is multiplied by twice.
// CHECK-LABEL: func.func @exp
// CHECK-NOT: math.
// FMA-COUNT-3: llvm.intr.fma{{.*}} : (f32, f32, f32) -> f32
// FMA: %[[POWER:.*]] = arith.bitcast %{{.*}} : i32 to f32
// FMA-COUNT-7: llvm.intr.fma
// FMA-NEXT: %[[HALF:.*]] = arith.mulf %{{.*}}, %[[POWER]] : f32
// FMA-NEXT: %[[ALL:.*]] = arith.mulf %[[HALF]], %[[POWER]] : f32
// FMA-NEXT: return %[[ALL]]
// LOOKUP-COUNT-3: llvm.intr.fma
// LOOKUP: %[[POWER:.*]] = llvm.call @loom_lookup_powers(%{{.*}}) : (i32) -> f32
// LOOKUP: llvm.intr.fma
// LOOKUP: llvm.intr.fma(%[[POWER]], %{{.*}}, %[[POWER]])
// LOOKUP: %[[ALL:.*]] = llvm.call_intrinsic "llvm.ldexp"({{.*}}) : (f32, i32) -> f32
// LOOKUP: return %[[ALL]]
// LOOKUP: llvm.func @loom_lookup_powers(i32) -> f32
// NONE-NOT: llvm.intr
// NONE: arith.mulf
// NONE: arith.addf
// NONE: return
func.func @exp(%x: f32) -> f32 {
  %0 = math.exp %x : f32
  return %0 : f32
}

// -----

// The others need the fused multiply-add to be accurate. Two of them are quotients
// of polynomials, or a polynomial for each piece, whose coefficients are looked
// up, the highest first.
// CHECK-LABEL: func.func @others
// NONE: math.log
// NONE: math.tanh
// NONE: math.erf
// FMA-NOT: math.{{log|tanh|erf}}
// FMA: arith.sitofp
// FMA: arith.divf
// FMA: arith.divf
// LOOKUP-NOT: math.{{log|tanh|erf}}
// LOOKUP-NOT: arith.divf
// LOOKUP: %[[C4:.*]] = llvm.call @loom_lookup_tanh4(%[[PIECE:.*]]) : (i32) -> f32
// LOOKUP: %[[C3:.*]] = llvm.call @loom_lookup_tanh3(%[[PIECE]])
// LOOKUP: llvm.intr.fma(%[[C4]], %{{.*}}, %[[C3]])
// LOOKUP: llvm.call @loom_lookup_tanh0(%[[PIECE]])
// LOOKUP: llvm.call @loom_lookup_erf4
// LOOKUP: llvm.call @loom_lookup_erf0
// CHECK: return
func.func @others(%x: f32) -> (f32, f32, f32) {
  %0 = math.log %x : f32
  %1 = math.tanh %x : f32
  %2 = math.erf %x : f32
  return %0, %1, %2 : f32, f32, f32
}

// -----

// Vectors are computed as their elements are.
// CHECK-LABEL: func.func @vectors
// FMA: llvm.intr.fma{{.*}} -> vector<64xf32>
// FMA: arith.bitcast %{{.*}} : vector<64xi32> to vector<64xf32>
// LOOKUP-COUNT-4: llvm.call @loom_lookup_powers_x16(%{{.*}}) : (vector<16xi32>) -> vector<16xf32>
// LOOKUP: llvm.call_intrinsic "llvm.ldexp"({{.*}}) : (vector<64xf32>, vector<64xi32>) -> vector<64xf32>
// CHECK: return
func.func @vectors(%x: vector<64xf32>) -> vector<64xf32> {
  %0 = math.exp %x : vector<64xf32>
  return %0 : vector<64xf32>
}

// -----

// What does not fill a vector of the machine is looked up in one all the same.
// CHECK-LABEL: func.func @few
// LOOKUP: %[[WIDE:.*]] = llvm.shufflevector %{{.*}} [0, 1, 2, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1]
// LOOKUP: %[[FOUND:.*]] = llvm.call @loom_lookup_powers_x16(%[[WIDE]])
// LOOKUP: llvm.shufflevector %[[FOUND]], %[[FOUND]] [0, 1, 2]
// CHECK: return
func.func @few(%x: vector<3xf32>) -> vector<3xf32> {
  %0 = math.exp %x : vector<3xf32>
  return %0 : vector<3xf32>
}

// -----

// What is known to be at most 0 need not be kept from being too large.
// CHECK-LABEL: func.func @at_most_zero
// CHECK: arith.cmpf olt
// CHECK-NOT: arith.cmpf ogt
// CHECK: return
func.func @at_most_zero(%x: f32) -> f32 {
  %0 = math.exp %x {loom.at_most_zero} : f32
  return %0 : f32
}

// -----

// What has no expansion is left for a call.
// CHECK-LABEL: func.func @calls
// CHECK: math.exp {{.*}} : f64
// CHECK: math.sin {{.*}} : f64
// CHECK: math.powf {{.*}} : f64
// CHECK: math.sin {{.*}} : vector<16xf32>
func.func @calls(%x: f64, %y: vector<16xf32>) -> (f64, f64, f64, vector<16xf32>) {
  %0 = math.exp %x : f64
  %1 = math.sin %x : f64
  %2 = math.powf %x, %x : f64
  %3 = math.sin %y : vector<16xf32>
  return %0, %1, %2, %3 : f64, f64, f64, vector<16xf32>
}

// -----

// Sine and cosine are one polynomial; pi goes away in three parts. The sign of
// a sine is that of the operand, and of the multiple of pi.
// CHECK-LABEL: func.func @angles
// NONE: math.sin
// NONE: math.cos
// FMA: math.sin
// FMA: math.cos
// LOOKUP-SAME: (%[[X:.*]]: f32)
// LOOKUP-COUNT-8: llvm.intr.fma
// LOOKUP: arith.xori
// LOOKUP: arith.xori
// LOOKUP: %[[NEARLY:.*]] = arith.bitcast %{{.*}} : i32 to f32
// LOOKUP: %[[SIN:.*]] = llvm.call @loom_rare_sin(%[[X]], %[[NEARLY]]) : (f32, f32) -> f32
// LOOKUP-COUNT-8: llvm.intr.fma
// LOOKUP: %[[COS:.*]] = llvm.call @loom_rare_cos(%[[X]], %{{.*}}) : (f32, f32) -> f32
// LOOKUP: return %[[SIN]], %[[COS]]
func.func @angles(%x: f32) -> (f32, f32) {
  %0 = math.sin %x : f32
  %1 = math.cos %x : f32
  return %0, %1 : f32, f32
}

// -----

// A power is 2^(y log2(x)), with the logarithm as a sum of two numbers.
// CHECK-LABEL: func.func @power
// NONE: math.powf
// FMA: math.powf
// LOOKUP-SAME: (%[[X:.*]]: f32, %[[Y:.*]]: f32)
// LOOKUP: llvm.call @loom_lookup_inverses
// LOOKUP: llvm.call @loom_lookup_logarithms1
// LOOKUP: llvm.call @loom_lookup_logarithms0
// LOOKUP: llvm.call @loom_lookup_powers
// LOOKUP: %[[NEARLY:.*]] = llvm.call_intrinsic "llvm.ldexp"
// LOOKUP: %[[POWER:.*]] = llvm.call @loom_rare_pow(%[[X]], %[[Y]], %[[NEARLY]]) : (f32, f32, f32) -> f32
// LOOKUP: return %[[POWER]]
func.func @power(%x: f32, %y: f32) -> f32 {
  %0 = math.powf %x, %y : f32
  return %0 : f32
}
