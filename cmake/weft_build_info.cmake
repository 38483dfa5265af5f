# build_info.c: compiler, flags and git commit of this build, for reports. The commit is asked for
# at every build, and the file written only when something changed.
string(TOUPPER "${CMAKE_BUILD_TYPE}" build_type)
string(STRIP "${CMAKE_C_FLAGS} ${CMAKE_C_FLAGS_${build_type}} -ffp-contract=off" flags)
if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
  string(APPEND flags " -fno-tree-slp-vectorize")
endif()
if(WEFT_SANITIZE)
  string(APPEND flags " -fsanitize=address,undefined")
endif()
set(build_info ${PROJECT_BINARY_DIR}/generated/build_info.c)
set(write_build_info
  ${CMAKE_COMMAND} -D "COMPILER=${CMAKE_C_COMPILER_ID} ${CMAKE_C_COMPILER_VERSION}"
  -D "FLAGS=${flags}" -D "TYPE=${CMAKE_BUILD_TYPE}" -D "SOURCE=${PROJECT_SOURCE_DIR}"
  -D "TEMPLATE=${PROJECT_SOURCE_DIR}/cmake/build_info.c.in" -D "OUTPUT=${build_info}"
  -P ${PROJECT_SOURCE_DIR}/cmake/write_build_info.cmake)
execute_process(COMMAND ${write_build_info})
add_custom_target(weft_write_build_info COMMAND ${write_build_info} BYPRODUCTS ${build_info} VERBATIM)

add_library(weft_build_info OBJECT ${build_info})
target_include_directories(weft_build_info PRIVATE ${PROJECT_SOURCE_DIR}/src/core/base)
target_link_libraries(weft_build_info PRIVATE weft_options)
set_target_properties(weft_build_info PROPERTIES POSITION_INDEPENDENT_CODE ON)
add_dependencies(weft_build_info weft_write_build_info)
target_sources(weft_core PRIVATE $<TARGET_OBJECTS:weft_build_info>)
