"""Prints a function with so many loops, each of so many gathers: a gather is 6 operations with its check."""

import sys

loops, gathers = map(int, sys.argv[1:])
print("""func.func @main(%x: memref<?xf64>, %at: memref<?xi64>, %y: memref<?xf64>, %n: index) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%extent = memref.dim %x, %c0 : memref<?xf64>""")
for _ in range(loops):
    print("scf.for %i = %c0 to %n step %c1 {")
    for k in range(gathers):
        print(f"""%number{k} = memref.load %at[%i] : memref<?xi64>
%index{k} = arith.index_cast %number{k} : i64 to index
%inside{k} = arith.cmpi ult, %index{k}, %extent : index
loom.require %inside{k}, "memref.load", "index is outside"
%e{k} = memref.load %x[%index{k}] : memref<?xf64>
memref.store %e{k}, %y[%i] : memref<?xf64>""")
    print("}")
print("return\n}")
