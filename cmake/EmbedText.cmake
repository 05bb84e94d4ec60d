# Writes a text file as the C++ string NAME:
# cmake -DINPUT=... -DOUTPUT=... -DNAME=... -P this.
file(READ ${INPUT} text)
file(WRITE ${OUTPUT} "extern const char *const ${NAME};
const char *const ${NAME} = R\"loom(${text})loom\";
")
