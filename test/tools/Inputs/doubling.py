"""Prints a text of operations op0, op1, ... of which each uses the next one
twice; the last one is an addition."""

import sys

count = int(sys.argv[1])
print("irdl.dialect @doubling {")
for i in range(count):
    print(f"  irdl.operation @op{i} {{ %a = irdl.any irdl.operands(a: %a) irdl.results(r: %a) }}")
print("}")
t = "tensor<?xf32>"
for i in range(count):
    use = f'"doubling.op{i + 1}"(%x) : ({t}) -> {t}' if i + 1 < count else f"tosa.add %x, %x : ({t}, {t}) -> {t}"
    print(f'func.func @f{i}(%x: {t}) -> {t} attributes {{loom.implements = "doubling.op{i}"}} {{')
    print(f"  %0 = {use}")
    print(f"  %1 = {use.replace('%x', '%0')}")
    print(f"  return %1 : {t}\n}}")
