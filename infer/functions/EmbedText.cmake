# Writes a text file as a C++ string: cmake -DINPUT=... -DOUTPUT=... -P this.
file(READ ${INPUT} text)
file(WRITE ${OUTPUT} "extern const char *const broadloomTosaShapes;
const char *const broadloomTosaShapes = R\"loom(${text})loom\";
")
