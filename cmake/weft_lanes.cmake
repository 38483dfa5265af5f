# weft_lanes(): gives the wide kernels of the backend cpu the instructions they are for. Nothing else
# is compiled with these: which one runs is decided by the processor it runs on. Where the compiler
# does not know the options, the file says that there is no such kernel.
include(CheckCCompilerFlag)
function(weft_lanes)
  foreach(wide "8: -mavx2" "16: -mavx512f -mavx512dq -mavx512vl -mavx512bw -mbmi2")
    string(REGEX MATCH "^[0-9]+" lanes ${wide})
    string(REGEX REPLACE "^[0-9]+: " "" flags ${wide})
    string(REPLACE " " ";" flag_list ${flags})
    set(CMAKE_REQUIRED_FLAGS "${flags}")
    check_c_compiler_flag("${flags}" WEFT_HAVE_LANES_${lanes})
    if(WEFT_HAVE_LANES_${lanes})
      set_source_files_properties(${PROJECT_SOURCE_DIR}/src/core/solver_cpu/lanes_${lanes}.c
        PROPERTIES COMPILE_OPTIONS "${flag_list}")
    endif()
  endforeach()
endfunction()
