"""Prints a function with guards whose conjunctions share their parts: `chain` has a guard for each, `paths` one. They are
assertions or those of loom."""

import sys

form, count, guard = sys.argv[1], int(sys.argv[2]), sys.argv[3]
isChain = form == "chain"
print("""func.func @main(%x: memref<?xf64>, %i: index, %n: index) {
%c0 = arith.constant 0 : index
%d = memref.dim %x, %c0 : memref<?xf64>
%above = arith.cmpi sle, %c0, %i : index
%below = arith.cmpi slt, %i, %d : index
%f0 = arith.andi %above, %below : i1""")
if not isChain:
    print("%f1 = arith.cmpi ne, %n, %d : index\n%f2 = arith.cmpi ne, %n, %c0 : index")
first = 1 if isChain else 3
for k in range(first, first + count):
    print(f"%k{k} = arith.constant {k} : index\n%g{k} = arith.cmpi ne, %n, %k{k} : index")
    print(f"%f{k} = arith.andi %f{k - 1}, %{f'g{k}' if isChain else f'f{k - 3}'} : i1")
    if isChain or k == count + 2:
        origin = ', "mine.op"' if guard == "loom.require" else ""
        print(f'{guard} %f{k}{origin}, "n is wrong"')
print("return\n}")
