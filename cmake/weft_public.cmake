# The libraries for whoever links weft; the program and the tests link the archives of shelves, whose insides they see.
#
# Each is whole in itself: libweft-core has the solver, libweft-gl the solver and the GPU, libweft all. So a program links one of
# them. Shelves are linked into one object, in which every name but those with WEFT_API is then made local: a program that has a GL
# loader of its own, or functions of any name, never meets weft's. The object makes the static and the shared library.
if(DEFINED BUILD_SHARED_LIBS OR NOT PROJECT_IS_TOP_LEVEL)
  if(BUILD_SHARED_LIBS)
    set(WEFT_KINDS shared)
  else()
    set(WEFT_KINDS static)
  endif()
else()
  set(WEFT_KINDS static shared)
endif()
# Structs that callers make may grow with every MINOR: docs/embedding.md.
set(WEFT_SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
if(NOT CMAKE_OBJCOPY)
  message(FATAL_ERROR "objcopy was not found (Debian: binutils); it hides what is not public")
endif()

# weft_public(NAME FILE SHELVES archives... NEEDS libraries...): targets weft_NAME_static and weft_NAME_shared.
function(weft_public name file)
  cmake_parse_arguments(PUBLIC "" "" "SHELVES;NEEDS" ${ARGN})
  set(object ${PROJECT_BINARY_DIR}/generated/${file}.o)
  list(TRANSFORM PUBLIC_SHELVES REPLACE "(.+)" "$<TARGET_FILE:\\1>" OUTPUT_VARIABLE archives)
  separate_arguments(flags UNIX_COMMAND "${CMAKE_C_FLAGS}")
  list(FILTER flags INCLUDE REGEX "^(-m|--target=|--sysroot=)") # what processor it is for
  add_custom_command(OUTPUT ${object}
    COMMAND ${CMAKE_C_COMPILER} ${flags} -fno-lto -r -nostdlib -o ${object} -Wl,--whole-archive ${archives} -Wl,--no-whole-archive
    COMMAND ${CMAKE_OBJCOPY} --localize-hidden ${object}
    DEPENDS ${PUBLIC_SHELVES}
    COMMENT "Hiding what is not public in ${file}" VERBATIM COMMAND_EXPAND_LISTS)
  set_source_files_properties(${object} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
  add_custom_target(weft_${name}_object DEPENDS ${object})
  foreach(kind ${WEFT_KINDS})
    set(target weft_${name}_${kind})
    string(TOUPPER ${kind} type)
    add_library(${target} ${type} ${object})
    add_dependencies(${target} weft_${name}_object)
    set_target_properties(${target} PROPERTIES LINKER_LANGUAGE C OUTPUT_NAME ${file} EXPORT_NAME ${kind}_${name}
      VERSION ${PROJECT_VERSION} SOVERSION ${WEFT_SOVERSION})
    target_include_directories(${target} INTERFACE
      $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
      $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    target_link_libraries(${target} PRIVATE ${PUBLIC_NEEDS})
    if(WEFT_SANITIZE)
      target_link_options(${target} PUBLIC -fsanitize=address,undefined)
    endif()
    # CMake stops at a program that is given two of them.
    set_target_properties(${target} PROPERTIES INTERFACE_weft_library "the ${kind} library ${file}"
      COMPATIBLE_INTERFACE_STRING weft_library)
  endforeach()
  if(TARGET weft_${name}_shared)
    # Calls within it stay in it, whatever else the process has loaded; and nothing is missing.
    target_link_options(weft_${name}_shared PRIVATE -Wl,-Bsymbolic $<$<NOT:$<BOOL:${WEFT_SANITIZE}>>:-Wl,--no-undefined>)
  endif()
  set(WEFT_PUBLIC ${WEFT_PUBLIC} ${name} PARENT_SCOPE)
endfunction()

set(weft_needs m ${CMAKE_THREAD_LIBS_INIT})
set(weft_shelves weft_core)
weft_public(core weft-core SHELVES ${weft_shelves} NEEDS ${weft_needs})
if(WEFT_BUILD_GL)
  list(APPEND weft_needs ${CMAKE_DL_LIBS})
  list(APPEND weft_shelves weft_gl)
  weft_public(gl weft-gl SHELVES ${weft_shelves} NEEDS ${weft_needs})
endif()
if(WEFT_BUILD_KIT)
  list(APPEND weft_needs PkgConfig::JANSSON)
  list(APPEND weft_shelves weft_kit)
  weft_public(all weft SHELVES ${weft_shelves} NEEDS ${weft_needs})
endif()

# In the project around this one every name is the largest library there is; find_package gives the smallest that will do.
list(TRANSFORM weft_shelves REPLACE weft_ "" OUTPUT_VARIABLE WEFT_SHELF_NAMES)
list(GET WEFT_PUBLIC -1 largest)
list(GET WEFT_KINDS 0 kind)
foreach(name ${WEFT_SHELF_NAMES} weft)
  add_library(weft::${name} ALIAS weft_${largest}_${kind})
endforeach()
