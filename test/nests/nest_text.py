"""Writes loop nests as MLIR: with `affine`, with `scf`, or with blocks and branches."""

from nest_program import (
    Carried,
    Constant,
    FromIndex,
    Load,
    Name,
    Number,
    Product,
    Quotient,
    Remainder,
    Sum,
    Temporary,
    walk,
)

INTEGERS = {"add": "addi", "sub": "subi", "mul": "muli", "xor": "xori"}
FLOATS = {"add": "addf", "sub": "subf", "mul": "mulf", "div": "divf"}


def spell(form, names):
    """An index as an affine expression; `names` says what stands for each name."""
    if isinstance(form, Number):
        return str(form.value)
    if isinstance(form, Name):
        return names(form.name)
    left = spell(form.left, names)
    if isinstance(form, Sum):
        return f"({left} + {spell(form.right, names)})"
    if isinstance(form, Product):
        return f"({left} * {spell(form.right, names)})"
    return f"({left} {'floordiv' if isinstance(form, Quotient) else 'mod'} {form.by})"


def type_of(extents, element, layout):
    shape = "x".join("?" if e is None else str(e) for e in extents)
    tail = f", strided<[{', '.join('?' * len(extents))}], offset: ?>" if layout == "any" else ""
    return f"memref<{shape}x{element}{tail}>"


class Writer:
    """The text of functions; `places` has the access, the view, the copy or the loop of a line."""

    def __init__(self, first_line=1):
        self.lines = []
        self.first_line = first_line
        self.places = {}

    def put(self, text, node=None):
        self.lines.append(text)
        if node is not None:
            self.places[self.first_line + len(self.lines) - 1] = node

    def text(self):
        return "\n".join(self.lines) + "\n"

    def fresh(self, prefix="v"):
        self.count += 1
        return f"%{prefix}{self.count}"

    def let(self, text, node=None):
        name = self.fresh()
        self.put(f"{name} = {text}", node)
        return name

    # Functions.

    def function(self, function, visibility=""):
        self.form, self.count, self.loops, self.signatures = function.form, 0, [], self.__dict__.get("signatures", {})
        self.element = function.memories[0].element
        self.types = {m.name: type_of(m.extents, m.element, m.layout) for m in function.memories}
        self.ranks = {m.name: len(m.extents) for m in function.memories}
        self.signatures[function.name] = list(self.types.values())
        arguments = [f"%{m}: {kind}" for m, kind in self.types.items()] + [f"%{n}: index" for n in function.numbers]
        self.put(f"func.func {visibility}@{function.name}({', '.join(arguments)}) {{")
        self.used = {n.name for n in walk(function.body) if isinstance(n, Name)}
        copied = {n.memory for n in function.body if isinstance(n, Temporary)}
        self.used |= {f"{memory}_{axis}" for memory in copied for axis in range(9)}
        for memory in function.memories:
            self.extents(memory.name)
        self.block(function.body)
        for node in function.body:
            if isinstance(node, Temporary):
                self.put(f"memref.dealloc %{node.name} : {self.types[node.name]}")
        self.put("return")
        self.put("}")

    def extents(self, memory):
        """What is used of a memory's extents."""
        for axis in range(self.ranks[memory]):
            if f"{memory}_{axis}" in self.used:
                constant = self.let(f"arith.constant {axis} : index")
                self.put(f"%{memory}_{axis} = memref.dim %{memory}, {constant} : {self.types[memory]}")

    # Indices.

    def mapped(self, forms):
        """An affine map with its operands."""
        names = list(dict.fromkeys(n.name for f in forms for n in walk(f) if isinstance(n, Name)))
        dims = [n for n in names if n in self.loops]
        symbols = [n for n in names if n not in self.loops]
        known = {n: f"d{i}" for i, n in enumerate(dims)} | {n: f"s{i}" for i, n in enumerate(symbols)}
        heads = [", ".join(known[n] for n in part) for part in (dims, symbols)]
        operands = [", ".join(f"%{n}" for n in part) for part in (dims, symbols)]
        results = ", ".join(spell(f, known.get) for f in forms)
        return f"affine_map<({heads[0]})[{heads[1]}] -> ({results})>({operands[0]})[{operands[1]}]"

    def number(self, form):
        """An index as a value."""
        if isinstance(form, Name):
            return f"%{form.name}"
        if self.form == "affine":
            return self.let(f"affine.apply {self.mapped([form])}")
        if isinstance(form, Number):
            return self.let(f"arith.constant {form.value} : index")
        left = self.number(form.left)
        if isinstance(form, Sum | Product):
            operation = "addi" if isinstance(form, Sum) else "muli"
            return self.let(f"arith.{operation} {left}, {self.number(form.right)} : index")
        by = self.number(Number(form.by))
        quotient = self.let(f"arith.floordivsi {left}, {by} : index")
        if isinstance(form, Quotient):
            return quotient
        assert isinstance(form, Remainder)
        return self.let(f"arith.subi {left}, {self.let(f'arith.muli {quotient}, {by} : index')} : index")

    def best(self, forms, operation):
        """The largest or smallest of several indices."""
        first, *others = [self.number(f) for f in forms]
        for other in others:
            first = self.let(f"arith.{operation} {first}, {other} : index")
        return first

    def subscripts(self, node):
        if self.form != "affine":
            return ", ".join(self.number(s) for s in node.subscripts)
        return self.spell_all(node.subscripts)

    def spell_all(self, forms):
        names = lambda name: f"%{name}" if name in self.loops else f"symbol(%{name})"
        return ", ".join(spell(f, names) for f in forms)

    # Statements.

    def block(self, statements):
        for statement in statements:
            getattr(self, type(statement).__name__.lower())(statement)

    def store(self, node):
        self.put_store(node, self.compute(node.value))

    def put_store(self, node, value):
        access = f"%{node.memory}[{self.subscripts(node)}] : {self.types[node.memory]}"
        self.put(f"{'affine' if self.form == 'affine' else 'memref'}.store {value}, {access}", node)

    def loop(self, node):
        self.iterate(node, lambda: self.block(node.body))

    def reduction(self, node):
        def update():
            self.carried = carried
            return self.compute(node.update)

        carried = self.fresh()
        self.put_store(node, self.iterate(node, update, carried, self.compute(node.start)))

    def iterate(self, node, body, carried=None, start=None):
        """A loop, which may hand on a value; its last one."""
        name = f"%{node.variable}"
        result = self.fresh() if carried else None
        opening = f"{result} = " if carried else ""
        ending = f" iter_args({carried} = {start}) -> ({self.element}) {{" if carried else " {"
        is_parallel = getattr(node, "is_parallel", False)
        if self.form == "affine" and is_parallel:
            bounds = f"(max({self.spell_all(node.lowers)})) to (min({self.spell_all(node.uppers)}))"
            self.put(f"affine.parallel ({name}) = {bounds} step ({node.step}) {{", node)
        elif self.form == "affine":
            bounds = f"max {self.mapped(node.lowers)} to min {self.mapped(node.uppers)}"
            self.put(f"{opening}affine.for {name} = {bounds} step {node.step}{ending}", node)
        else:
            lower, upper = self.best(node.lowers, "maxsi"), self.best(node.uppers, "minsi")
            step = self.let(f"arith.constant {node.step} : index")
            if self.form == "scf" and is_parallel:
                self.put(f"scf.parallel ({name}) = ({lower}) to ({upper}) step ({step}) {{", node)
            elif self.form == "scf":
                self.put(f"{opening}scf.for {name} = {lower} to {upper} step {step}{ending}", node)
            else:
                return self.iterate_blocks(node, body, carried, start, (lower, upper, step))
        self.loops.append(node.variable)
        last = body()
        self.loops.pop()
        if carried:
            self.put(f"{self.form}.yield {last} : {self.element}")
        self.put("}")
        return result

    def iterate_blocks(self, node, body, carried, start, bounds):
        name, (lower, upper, step) = f"%{node.variable}", bounds
        head, inside, end = (self.fresh(part).replace("%", "^") for part in ("head", "body", "end"))
        kinds = f" : index, {self.element})" if carried else " : index)"
        also = lambda value: f", {value}{kinds}" if carried else kinds
        self.put(f"cf.br {head}({lower}{also(start)}")
        self.put(f"{head}({name}: index{f', {carried}: {self.element}' if carried else ''}):")
        more = self.let(f"arith.cmpi slt, {name}, {upper} : index")
        self.put(f"cf.cond_br {more}, {inside}, {end}")
        self.put(f"{inside}:")
        self.loops.append(node.variable)
        last = body()
        self.loops.pop()
        following = self.let(f"arith.addi {name}, {step} : index")
        self.put(f"cf.br {head}({following}{also(last)}")
        self.put(f"{end}:")
        return carried

    def branch(self, node):
        if self.form == "affine":
            names = list(dict.fromkeys(n.name for f, _ in node.conditions for n in walk(f) if isinstance(n, Name)))
            dims, symbols = [n for n in names if n in self.loops], [n for n in names if n not in self.loops]
            known = {n: f"d{i}" for i, n in enumerate(dims)} | {n: f"s{i}" for i, n in enumerate(symbols)}
            rows = ", ".join(f"{spell(f, known.get)} {'==' if equal else '>='} 0" for f, equal in node.conditions)
            heads = [", ".join(known[n] for n in part) for part in (dims, symbols)]
            operands = [", ".join(f"%{n}" for n in part) for part in (dims, symbols)]
            self.put(f"affine.if affine_set<({heads[0]})[{heads[1]}] : ({rows})>({operands[0]})[{operands[1]}] {{")
            self.block(node.then)
            self.put("} else {")
            self.block(node.otherwise)
            self.put("}")
            return
        zero, both = self.let("arith.constant 0 : index"), None
        for form, is_equal in node.conditions:
            holds = self.let(f"arith.cmpi {'eq' if is_equal else 'sge'}, {self.number(form)}, {zero} : index")
            both = holds if both is None else self.let(f"arith.andi {both}, {holds} : i1")
        if self.form == "scf":
            self.put(f"scf.if {both} {{")
            self.block(node.then)
            self.put("} else {")
            self.block(node.otherwise)
            self.put("}")
            return
        then, otherwise, end = (self.fresh(part).replace("%", "^") for part in ("then", "else", "end"))
        self.put(f"cf.cond_br {both}, {then}, {otherwise}")
        for label, body in ((then, node.then), (otherwise, node.otherwise)):
            self.put(f"{label}:")
            self.block(body)
            self.put(f"cf.br {end}")
        self.put(f"{end}:")

    def view(self, node):
        numbers = [", ".join(self.number(f) for f in forms) for forms in (node.offsets, node.sizes, node.strides)]
        rank = len(node.offsets)
        self.types[node.name] = type_of([None] * rank, self.element, "any")
        self.ranks[node.name] = rank
        self.put(
            f"%{node.name} = memref.subview %{node.memory}[{numbers[0]}] [{numbers[1]}] [{numbers[2]}] : "
            f"{self.types[node.memory]} to {self.types[node.name]}",
            node,
        )
        self.extents(node.name)

    def temporary(self, node):
        rank = self.ranks[node.memory]
        kind = self.types[node.name] = type_of([None] * rank, self.element, "row-major")
        self.ranks[node.name] = rank
        sizes = ", ".join(f"%{node.memory}_{axis}" for axis in range(rank))
        self.put(f"%{node.name} = memref.alloc({sizes}) : {kind}", node)
        self.put(f"memref.copy %{node.memory}, %{node.name} : {self.types[node.memory]} to {kind}")
        self.extents(node.name)

    def copy(self, node):
        kinds = f"{self.types[node.memory]} to {self.types[node.target]}"
        self.put(f"memref.copy %{node.memory}, %{node.target} : {kinds}", node)

    def call(self, node):
        kinds, operands = self.signatures[node.function], []
        for memory, kind in zip(node.memories, kinds):
            operand, own = f"%{memory}", self.types[memory]
            operands.append(operand if own == kind else self.let(f"memref.cast {operand} : {own} to {kind}"))
        operands += [self.number(n) for n in node.numbers]
        kinds = kinds + ["index"] * len(node.numbers)
        self.put(f"func.call @{node.function}({', '.join(operands)}) : ({', '.join(kinds)}) -> ()")

    # Elements.

    def compute(self, node):
        if isinstance(node, Constant):
            value = node.value if self.element == "i64" else repr(float(node.value))
            return self.let(f"arith.constant {value} : {self.element}")
        if isinstance(node, Carried):
            return self.carried
        if isinstance(node, FromIndex):
            found = self.let(f"arith.index_cast {self.number(node.index)} : index to i64")
            return found if self.element == "i64" else self.let(f"arith.sitofp {found} : i64 to f64")
        if isinstance(node, Load):
            access = f"%{node.memory}[{self.subscripts(node)}] : {self.types[node.memory]}"
            return self.let(f"{'affine' if self.form == 'affine' else 'memref'}.load {access}", node)
        operands = [self.compute(o) for o in node.operands]
        if node.name == "sqrt":
            return self.let(f"math.sqrt {operands[0]} : f64")
        if node.name in ("least", "above"):
            compared = operands[:2] if node.name == "least" else [operands[0], operands[2]]
            chosen = operands if node.name == "least" else [operands[3], operands[1]]
            predicate = "olt" if node.name == "least" else "ogt"
            holds = self.let(f"arith.cmpf {predicate}, {', '.join(compared)} : f64")
            return self.let(f"arith.select {holds}, {', '.join(chosen)} : f64")
        operation = (INTEGERS if self.element == "i64" else FLOATS)[node.name]
        return self.let(f"arith.{operation} {', '.join(operands)} : {self.element}")


def write(functions, first_line=1):
    """The text of functions, of which the last one is public, and what stands on each line."""
    writer = Writer(first_line)
    for function in functions[:-1]:
        writer.function(function, "private ")
    writer.function(functions[-1])
    return writer.text(), writer.places
