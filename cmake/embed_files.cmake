# Run with cmake -P: writes the files of ROOT named in LIST as one C file, the table TABLE of COUNT.
file(READ ${LIST} files)
string(STRIP "${files}" files)
set(texts "")
set(table "")
set(count 0)
foreach(file IN LISTS files)
  file(READ ${ROOT}/${file} text)
  string(REPLACE "\\" "\\\\" text "${text}")
  string(REPLACE "\"" "\\\"" text "${text}")
  string(REPLACE "\n" "\\n\"\n    \"" text "${text}")
  string(APPEND texts "static const char text_${count}[] =\n    \"${text}\";\n\n")
  string(APPEND table "    {\"${file}\", text_${count}},\n")
  math(EXPR count "${count} + 1")
endforeach()
string(APPEND table "    {0, 0},\n")
file(WRITE ${OUTPUT} "/* Made by CMake from ${ROOT}. */\n#include \"embedded.h\"\n\n${texts}\
const weft_embedded_file ${TABLE}[] = {\n${table}};\n\
const uint32_t ${COUNT} = ${count};\n")
