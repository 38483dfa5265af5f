# The GL function loader, generated at build time from the specification that Debian's
# python3-glad brings along: no network.
find_program(WEFT_GLAD glad DOC "the glad 2 loader generator (Debian: python3-glad)")
if(NOT WEFT_GLAD)
  message(FATAL_ERROR "glad was not found; install python3-glad, or configure with -DWEFT_BUILD_GL=OFF")
endif()
set(glad_dir ${PROJECT_BINARY_DIR}/generated/glad)
set(glad_files ${glad_dir}/src/gl.c ${glad_dir}/include/glad/gl.h
               ${glad_dir}/include/KHR/khrplatform.h)
add_custom_command(
  OUTPUT ${glad_files}
  COMMAND ${WEFT_GLAD} --quiet --api gl:core=4.3 --extensions GL_KHR_debug,GL_KHR_parallel_shader_compile
          --reproducible --out-path ${glad_dir} c
  COMMENT "Generating the GL 4.3 loader" VERBATIM)
add_custom_target(weft_glad_files DEPENDS ${glad_files})

add_library(weft_glad OBJECT ${glad_files})
target_compile_options(weft_glad PRIVATE -w)
target_include_directories(weft_glad PRIVATE ${glad_dir}/include)
set_target_properties(weft_glad PROPERTIES POSITION_INDEPENDENT_CODE ON)

# For a room, or a program that includes its headers.
function(weft_uses_glad_target target)
  target_include_directories(${target} SYSTEM PRIVATE ${PROJECT_BINARY_DIR}/generated/glad/include)
  add_dependencies(${target} weft_glad_files)
endfunction()
function(weft_uses_glad room)
  if(TARGET weft_room_${room})
    weft_uses_glad_target(weft_room_${room})
  endif()
endfunction()
