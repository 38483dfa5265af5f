# The registries (constraints.def, shapes.def, passes.def) name their rows once; this reads the names, checks that every
# row has its files and every file its row, and writes the headers that C needs to compile all rows:
#   constraint_kernels.h, shape_kernels.h   the kernels of constraints and of shapes
#   all_passes.h    the texts of passes
#   double_names.h  what the second compilation in doubles calls the functions of rows
set(WEFT_ROWS_DIR ${PROJECT_BINARY_DIR}/made)

# weft_rows(FILE MACRO VARIABLE): the second argument of every row MACRO(ID, name, ...) of a file.
function(weft_rows file macro variable)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${file})
  file(STRINGS ${PROJECT_SOURCE_DIR}/${file} lines REGEX "^${macro}\\(")
  set(names)
  foreach(line IN LISTS lines)
    if(NOT line MATCHES "^${macro}\\([A-Z][A-Z0-9_]*, ([a-z][a-z0-9_]*),")
      message(FATAL_ERROR "${file}: \"${line}\" does not begin with ${macro}(ID, name,")
    endif()
    list(APPEND names ${CMAKE_MATCH_1})
  endforeach()
  set(${variable} ${names} PARENT_SCOPE)
endfunction()

# weft_row_files(FILE PREFIX SUFFIX NAMES... ALSO names): a file PREFIXnameSUFFIX for every row, and no others but of ALSO.
function(weft_row_files file prefix suffix)
  cmake_parse_arguments(ROW "" "" "NAMES;ALSO" ${ARGN})
  foreach(name ${ROW_NAMES})
    if(NOT EXISTS ${PROJECT_SOURCE_DIR}/${prefix}${name}${suffix})
      message(FATAL_ERROR "${file} has a row \"${name}\", but there is no file ${prefix}${name}${suffix}")
    endif()
  endforeach()
  file(GLOB there CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/${prefix}*${suffix})
  foreach(path ${there})
    string(LENGTH ${prefix} skip)
    string(SUBSTRING ${path} ${skip} -1 name)
    string(REPLACE "${suffix}" "" name ${name})
    if(NOT name IN_LIST ROW_NAMES AND NOT name IN_LIST ROW_ALSO)
      message(FATAL_ERROR "${path} is there, but ${file} has no row \"${name}\"")
    endif()
  endforeach()
endfunction()

weft_rows(include/weft/constraints.def WEFT_CONSTRAINT weft_constraints)
weft_rows(src/core/solver/shapes.def WEFT_SHAPE weft_shapes)
weft_rows(src/core/solver/passes.def WEFT_PASS weft_passes)
weft_row_files(include/weft/constraints.def shaders/kernels/constraint_ .h NAMES ${weft_constraints})
weft_row_files(include/weft/constraints.def src/core/solver/fill_ .c NAMES ${weft_constraints})
weft_row_files(include/weft/constraints.def src/core/solver/measure_ .c NAMES ${weft_constraints})
weft_row_files(src/core/solver/shapes.def shaders/kernels/shape_ .h NAMES ${weft_shapes})
# What several passes share, and the one text of all projections, are no rows.
weft_row_files(src/core/solver/passes.def shaders/passes/ .h NAMES ${weft_passes} ALSO
  contact damp level level_follow line_room project self self_corners self_counts self_friction self_list self_listed self_marked self_pair)

# weft_row_header(HEADER BEFORE LINE names...): rows/HEADER.h, which has LINE for every row, with its name for NAME.
function(weft_row_header header before line)
  foreach(name ${ARGN})
    string(REPLACE NAME ${name} row ${line})
    string(APPEND before "${row}\n")
  endforeach()
  file(CONFIGURE OUTPUT ${WEFT_ROWS_DIR}/rows/${header}.h
       CONTENT "/* Made by CMake from the registries. */\n${before}" @ONLY)
endfunction()

weft_row_header(constraint_kernels "" "#include <kernels/constraint_NAME.h>" ${weft_constraints})
weft_row_header(shape_kernels "" "#include <kernels/shape_NAME.h>" ${weft_shapes})
weft_row_header(all_passes "#include <passes/project.h>\n" "#include <passes/NAME.h>" ${weft_passes})
weft_row_header(double_names "" "#define weft_fill_NAME weft_f64_fill_NAME" ${weft_constraints})
