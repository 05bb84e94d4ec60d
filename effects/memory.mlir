// Functions of the C library that copy and fill memory, of elements of one type.

func.func @memcpy(%to: memref<?x$T>, %from: memref<?x$T>, %bytes: i64)
    attributes {loom.effects = {deterministic, exact, reentrant}} {
  call @copy(%to, %from, %bytes) : (memref<?x$T>, memref<?x$T>, i64) -> ()
  call @require_apart(%to, %from, %bytes) : (memref<?x$T>, memref<?x$T>, i64) -> ()
  return
}

func.func @memmove(%to: memref<?x$T>, %from: memref<?x$T>, %bytes: i64)
    attributes {loom.effects = {deterministic, exact, reentrant}} {
  call @copy(%to, %from, %bytes) : (memref<?x$T>, memref<?x$T>, i64) -> ()
  return
}

func.func @memset(%to: memref<?x$T>, %byte: i32, %bytes: i64)
    attributes {loom.effects = {deterministic, exact, reentrant}} {
  call @require_size(%bytes) : (i64) -> ()
  call @write_bytes(%to, %bytes) : (memref<?x$T>, i64) -> ()
  return
}

func.func @memcmp(%a: memref<?x$T>, %b: memref<?x$T>, %bytes: i64) -> i32
    attributes {loom.effects = {deterministic, reentrant}} {
  call @require_size(%bytes) : (i64) -> ()
  %size = arith.index_cast %bytes : i64 to index
  affine.for %i = 0 to affine_map<()[bytes] -> (bytes ceildiv $bytes)>()[%size] {
    %x = affine.load %a[%i] : memref<?x$T>
    %y = affine.load %b[%i] : memref<?x$T>
  }
  %result = arith.constant 0 : i32
  return %result : i32
}

func.func private @require_size(%bytes: i64) {
  %zero = arith.constant 0 : i64
  %isGood = arith.cmpi sge, %bytes, %zero : i64
  cf.assert %isGood, "the number of bytes is negative"
  return
}

// C leaves undefined what memcpy does with bytes that are among those that it writes.
func.func private @require_apart(%to: memref<?x$T>, %from: memref<?x$T>, %bytes: i64) {
  %size = arith.index_cast %bytes : i64 to index
  %a = memref.extract_aligned_pointer_as_index %to : memref<?x$T> -> index
  %b = memref.extract_aligned_pointer_as_index %from : memref<?x$T> -> index
  %up = arith.subi %b, %a : index
  %down = arith.subi %a, %b : index
  %isBehind = arith.cmpi uge, %up, %size : index
  %isInFront = arith.cmpi uge, %down, %size : index
  %isApart = arith.andi %isBehind, %isInFront : i1
  cf.assert %isApart, "memory that is written overlaps memory that is read, which memmove allows and memcpy does not"
  return
}

// Of the last element, bytes behind the others stay, so that what it is afterwards depends on what it was.
func.func private @write_bytes(%to: memref<?x$T>, %bytes: i64) {
  %size = arith.index_cast %bytes : i64 to index
  %x = ub.poison : $T
  affine.for %i = 0 to affine_map<()[bytes] -> (bytes ceildiv $bytes)>()[%size] {
    affine.store %x, %to[%i] : memref<?x$T>
  }
  affine.for %i = affine_map<()[bytes] -> (bytes floordiv $bytes)>()[%size]
      to affine_map<()[bytes] -> (bytes ceildiv $bytes)>()[%size] {
    %kept = affine.load %to[%i] : memref<?x$T>
  }
  return
}

func.func private @copy(%to: memref<?x$T>, %from: memref<?x$T>, %bytes: i64) {
  call @require_size(%bytes) : (i64) -> ()
  %size = arith.index_cast %bytes : i64 to index
  affine.for %i = 0 to affine_map<()[bytes] -> (bytes ceildiv $bytes)>()[%size] {
    %x = affine.load %from[%i] : memref<?x$T>
  }
  call @write_bytes(%to, %bytes) : (memref<?x$T>, i64) -> ()
  return
}
