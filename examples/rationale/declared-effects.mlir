// What functions read and write, declared by affine relations. (Rationale:
// "Read/Write/May_Read/May_Write sets for external functions")

// Element r0 is read at position d0 where d0 <= r0 <= d0 + 1.
#two = #loom.relation<"(d0) -> (r0) : (d0 <= r0 <= d0 + 1)">

// The product of two elements. The body is compared with the declaration.
func.func @count(%A: memref<128xf32>, %pos: index) -> f32 attributes {loom.effects = {
    reads = [#loom.access_set<0, #two, [1]>], writes = [], may_reads = [], may_writes = []}} {
  %a = affine.load %A[symbol(%pos)] : memref<128xf32>
  %b = affine.load %A[symbol(%pos) + 1] : memref<128xf32>
  %p = arith.mulf %a, %b : f32
  return %p : f32
}

// A function of BLAS, for steps of 2. Run it with --library=libopenblas.so.0.
#even = #loom.relation<"()[n] -> (r0) : (0 <= r0 < 2*n, r0 mod 2 == 0)">
func.func private @cblas_sasum(i32, memref<?xf32>, i32) -> f32 attributes {loom.effects = {
    reads = [#loom.access_set<1, #even, [0]>], writes = [], may_reads = [], may_writes = []}}

func.func @reduce(%M: memref<?xf32>, %n: i32) -> f32 {
  %two = arith.constant 2 : i32
  %sum = call @cblas_sasum(%n, %M, %two) : (i32, memref<?xf32>, i32) -> f32
  return %sum : f32
}

// A copy to memory of another space, here by the C library, elsewhere by a DMA. It
// depends on nothing else, calls may run at one time, and what it writes, it does not read.
#words = #loom.relation<"()[bytes] -> (r0) : (0 <= 4*r0 < bytes)">
func.func private @memcpy(memref<1024xf32, 1>, memref<1024xf32>, i64) attributes {loom.effects = {
    deterministic, reentrant,
    reads = [#loom.access_set<1, #words, [2]>], initializes = [#loom.access_set<0, #words, [2]>],
    may_reads = [], may_writes = []}}

func.func @dma_mem_to_scratchpad(%a: memref<1024xf32>, %b: memref<1024xf32, 1>, %n: i64) {
  %four = arith.constant 4 : i64
  %bytes = arith.muli %n, %four : i64
  call @memcpy(%b, %a, %bytes) : (memref<1024xf32, 1>, memref<1024xf32>, i64) -> ()
  return
}
