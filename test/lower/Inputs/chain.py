"""Prints a function with a chain of maps: `chain.py LENGTH [OPERANDS]`.

Each map adds the first argument to the one before it; with OPERANDS, each has
that many scalar operands of its own besides.
"""

import sys

length = int(sys.argv[1])
width = int(sys.argv[2]) if len(sys.argv) > 2 else 0

scalars = [f"%s{i}" for i in range(length * width)]
arguments = ["%a: tensor<?xf32>"] + [f"{s}: f32" for s in scalars]
print(f"func.func @chain({', '.join(arguments)}) -> tensor<?xf32> {{")
print("%sa = loom.shape_of %a : tensor<?xf32> -> !loom.shape<[?]>")
value, shape = "%a", "%sa"
for i in range(length):
    own = scalars[i * width : (i + 1) * width]
    inputs = [f"%x = {value} : tensor<?xf32>", "%y = %a : tensor<?xf32>"]
    inputs += [f"%z{k} = {s} : f32" for k, s in enumerate(own)]
    print(f'loom.constrain_broadcast "tosa.add", {shape}, %sa : !loom.shape<[?]>, !loom.shape<[?]>')
    print(f"%h{i} = loom.broadcast {shape}, %sa : (!loom.shape<[?]>, !loom.shape<[?]>) -> !loom.shape<[?]>")
    print(f"%m{i} = loom.map({', '.join(inputs)}) -> tensor<?xf32> {{")
    print("%r = arith.addf %x, %y : f32")
    print("loom.yield %r : f32 }")
    value, shape = f"%m{i}", f"%h{i}"
print(f"return {value} : tensor<?xf32> }}")
