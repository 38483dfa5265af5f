# weft_double_variants(): the passes and the initial contents compiled a second time with `float` meaning double, for the backend f64.
function(weft_double_variants)
  file(GLOB contents CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/core/solver/contents*.c ${PROJECT_SOURCE_DIR}/src/core/solver/fill_*.c
    ${PROJECT_SOURCE_DIR}/src/core/solver/self_cook*.c)
  add_library(weft_room_double_variants OBJECT ${contents} ${PROJECT_SOURCE_DIR}/src/core/solver_ref/ref.c)
  target_link_libraries(weft_room_double_variants PRIVATE weft_options)
  set_target_properties(weft_room_double_variants PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_include_directories(weft_room_double_variants PRIVATE
    ${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/include ${PROJECT_SOURCE_DIR}/shaders ${WEFT_ROWS_DIR})
  foreach(room base model solver solver_ref)
    target_include_directories(weft_room_double_variants PRIVATE ${PROJECT_SOURCE_DIR}/src/core/${room})
  endforeach()
  target_compile_options(weft_room_double_variants PRIVATE
    -include ${PROJECT_SOURCE_DIR}/src/core/solver_f64/double.h
    -Werror=implicit-function-declaration -Werror=incompatible-pointer-types -Werror=conversion)
endfunction()
