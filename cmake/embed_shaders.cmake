# Run with cmake -P: writes the files of ROOT named in LIST as one C file.
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
file(WRITE ${OUTPUT} "/* Made by CMake from shaders/. */\n#include \"embedded.h\"\n\n${texts}\
const weft_embedded_file weft_embedded_shaders[] = {\n${table}};\n\
const uint32_t weft_embedded_shader_count = ${count};\n")
