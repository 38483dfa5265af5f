# cmake -DHEADER=gl.h -DOUTPUT=gl_functions.h -P weft_list_gl.cmake: every function that the loader
# knows as a line GL_FUNCTION(glName), for a test that stands before all of them.
file(STRINGS ${HEADER} lines REGEX "^GLAD_API_CALL PFNGL[A-Z0-9]+PROC glad_gl[A-Za-z0-9]+;")
set(text "")
foreach(line ${lines})
  string(REGEX REPLACE "^.* glad_(gl[A-Za-z0-9]+).*$" "\\1" name "${line}")
  string(APPEND text "GL_FUNCTION(${name})\n")
endforeach()
if(text STREQUAL "")
  message(FATAL_ERROR "no functions were found in ${HEADER}")
endif()
file(WRITE ${OUTPUT} "${text}")
