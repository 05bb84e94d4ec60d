# Reads bytecode first, where a process of several threads is given some.
broadloom_add_program(broadloom-probe broadloom-probe.cpp LINK BroadloomDriver)
