// A data layout that a program brings along is compared with the only one.
// RUN: split-file %s %t
// RUN: broadloom run %t/same.mlir --input=3xi32=5 --input=i64=1 | FileCheck %s --check-prefix=SAME
// RUN: broadloom compile %t/same.mlir --emit=llvm | FileCheck %s --check-prefix=ERASED
// RUN: not broadloom check %t/index.mlir 2>&1 | FileCheck %s --check-prefix=INDEX
// RUN: not broadloom run %t/index.mlir --input=3xi32=5 --input=i64=1 2>&1 | FileCheck %s --check-prefix=INDEX
// RUN: not broadloom run %t/aligned.mlir --input=3xi32=5 --input=i64=1 2>&1 | FileCheck %s --check-prefix=ALIGNED
// RUN: not broadloom run %t/order.mlir --input=3xi32=5 --input=i64=1 2>&1 | FileCheck %s --check-prefix=ORDER
// RUN: not broadloom run %t/malformed.mlir --input=3xi32=5 --input=i64=1 2>&1 | FileCheck %s --check-prefix=MALFORMED

// SAME: {{^}}5{{$}}
// ERASED-NOT: dlti
// INDEX: the data layout 'dlti.dl_spec' says that 'index' has 32 bits, but it has 64 here; compile the program's source for a machine of that layout, or take the entry out
// ALIGNED: the data layout 'dlti.dl_spec' says that 'i32' is aligned to 64 bits, but elements stand 32 bits apart here;
// ORDER: the data layout 'dlti.dl_spec' says that bytes are in the order 'big', but they are in 'little' here;
// MALFORMED: malformed.mlir:1:1: error: expected a dense i64 elements attribute in the data layout entry #dlti.dl_entry<i32, "four">

//--- same.mlir
module attributes {dlti.dl_spec = #dlti.dl_spec<
    index = 64 : i64, i1 = dense<8> : vector<2xi64>, i8 = dense<8> : vector<2xi64>,
    i64 = dense<[32, 64]> : vector<2xi64>, f16 = dense<16> : vector<2xi64>, f128 = dense<128> : vector<2xi64>,
    !llvm.ptr = dense<64> : vector<4xi64>, "dlti.endianness" = "little", "dlti.stack_alignment" = 128 : i64>,
    llvm.data_layout = "e-m:e-i64:64-n8:16:32:64-S128", llvm.target_triple = "x86_64-unknown-linux-gnu",
    "another.attribute" = "of a dialect that is not known"} {
  func.func @at(%a: memref<?xi32>, %i: index) -> i32 {
    %x = memref.load %a[%i] : memref<?xi32>
    return %x : i32
  }
}

//--- index.mlir
module attributes {dlti.dl_spec = #dlti.dl_spec<index = 32 : i32>} {
  func.func @at(%a: memref<?xi32>, %i: index) -> i32 {
    %x = memref.load %a[%i] : memref<?xi32>
    return %x : i32
  }
}

//--- aligned.mlir
module attributes {dlti.dl_spec = #dlti.dl_spec<i32 = dense<64> : vector<2xi64>>} {
  func.func @at(%a: memref<?xi32>, %i: index) -> i32 {
    %x = memref.load %a[%i] : memref<?xi32>
    return %x : i32
  }
}

//--- order.mlir
module attributes {dlti.dl_spec = #dlti.dl_spec<"dlti.endianness" = "big">} {
  func.func @at(%a: memref<?xi32>, %i: index) -> i32 {
    %x = memref.load %a[%i] : memref<?xi32>
    return %x : i32
  }
}

//--- malformed.mlir
module attributes {dlti.dl_spec = #dlti.dl_spec<"dlti.endianness" = 5 : i32, i32 = "four">} {
  func.func @at(%a: memref<?xi32>, %i: index) -> i32 {
    %x = memref.load %a[%i] : memref<?xi32>
    return %x : i32
  }
}
