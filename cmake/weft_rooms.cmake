# Rooms (folders of src/) become object libraries, and libraries are made of rooms. A room's include
# path holds only the rooms it may call, so an arrow pointing the wrong way does not compile. What
# CMakeLists.txt says here is the law; the tests of style read it from weft_write_rooms.

# Every file is compiled without contraction: the reference solver must round after each operation,
# as the shaders do under `precise`. Where gcc (12.2 at least) makes vectors of pairs of statements, a
# double that was rounded to a float keeps its digits; test_base holds what is built to the rounding.
# Targets with WEFT_IN_FLOATS round no doubles and keep such vectors.
add_library(weft_options INTERFACE)
target_compile_options(weft_options INTERFACE
  -Wall -Wextra -Wshadow -Wconversion -ffp-contract=off -fno-fast-math
  $<$<AND:$<C_COMPILER_ID:GNU>,$<NOT:$<BOOL:$<TARGET_PROPERTY:WEFT_IN_FLOATS>>>>:-fno-tree-slp-vectorize>)
if(WEFT_WERROR)
  target_compile_options(weft_options INTERFACE -Werror)
endif()
if(WEFT_FUZZ)
  set(WEFT_SANITIZE ON)
  target_compile_options(weft_options INTERFACE -fsanitize=fuzzer-no-link)
endif()
if(WEFT_SANITIZE)
  target_compile_options(weft_options INTERFACE
    -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  target_link_options(weft_options INTERFACE -fsanitize=address,undefined)
endif()

# weft_program(TARGET): what every executable gets.
if(WEFT_SANITIZE)
  add_library(weft_keep_loaded OBJECT ${PROJECT_SOURCE_DIR}/tests/tools/keep_loaded.c)
  set_target_properties(weft_keep_loaded PROPERTIES C_VISIBILITY_PRESET default)
endif()
function(weft_program target)
  target_link_libraries(${target} PRIVATE weft_options)
  if(WEFT_SANITIZE)
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:weft_keep_loaded>)
    target_link_options(${target} PRIVATE -Wl,--export-dynamic-symbol=dlclose)
  endif()
endfunction()

# Shelves (folders of src/) hold rooms, and what each may call besides itself.
set(WEFT_SHELF_core "")
set(WEFT_SHELF_gl core)
set(WEFT_SHELF_kit core)
set(WEFT_SHELF_lab core gl kit)
set(WEFT_SHELF_app core gl kit lab)

# weft_room_folder(NAME VARIABLE): the folder of a room, which is on one shelf; empty: there is none.
function(weft_room_folder name variable)
  file(GLOB folder ${PROJECT_SOURCE_DIR}/src/*/${name})
  set(${variable} ${folder} PARENT_SCOPE)
endfunction()

# weft_room(NAME USES rooms...): src/SHELF/NAME, which may call those rooms; solver/inspect.h instead of a
# room: what that header declares.
function(weft_room name)
  cmake_parse_arguments(ROOM "" "" "USES" ${ARGN})
  weft_room_folder(${name} own)
  cmake_path(GET own PARENT_PATH shelf)
  cmake_path(GET shelf FILENAME shelf)
  file(GLOB sources CONFIGURE_DEPENDS ${own}/*.c ${own}/*.h)
  list(JOIN ROOM_USES " " uses)
  set_property(GLOBAL APPEND PROPERTY WEFT_ROOMS "${name}: ${uses}")
  set_property(GLOBAL APPEND PROPERTY WEFT_ROOM_OBJECTS $<TARGET_OBJECTS:weft_room_${name}>)
  add_library(weft_room_${name} OBJECT ${sources})
  target_link_libraries(weft_room_${name} PRIVATE weft_options)
  set_target_properties(weft_room_${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_include_directories(weft_room_${name} PRIVATE
    ${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/include ${PROJECT_SOURCE_DIR}/shaders ${WEFT_ROWS_DIR}
    ${own})
  foreach(used ${ROOM_USES})
    string(REGEX REPLACE "/.*" "" used ${used})
    weft_room_folder(${used} folder)
    cmake_path(GET folder PARENT_PATH below)
    cmake_path(GET below FILENAME below)
    if(NOT below STREQUAL shelf AND NOT below IN_LIST WEFT_SHELF_${shelf})
      message(FATAL_ERROR "${name} is on the shelf ${shelf}, which may not call ${below}, where ${used} is")
    endif()
    target_include_directories(weft_room_${name} PRIVATE ${folder})
  endforeach()
endfunction()

# weft_write_rooms(ROOMS OBJECTS): two files, a line "room: rooms it may call" for every room, and the
# object files of all rooms.
function(weft_write_rooms rooms_file objects_file)
  get_property(rooms GLOBAL PROPERTY WEFT_ROOMS)
  list(JOIN rooms "\n" text)
  file(CONFIGURE OUTPUT ${rooms_file} CONTENT "${text}\n")
  get_property(objects GLOBAL PROPERTY WEFT_ROOM_OBJECTS)
  file(GENERATE OUTPUT ${objects_file} CONTENT "$<JOIN:${objects},\n>\n")
endfunction()

# weft_library(NAME ROOMS rooms...): an archive of those rooms, for the program and the tests; weft_public.cmake makes what is installed.
function(weft_library name)
  cmake_parse_arguments(LIBRARY "" "" "ROOMS" ${ARGN})
  set(objects)
  foreach(room ${LIBRARY_ROOMS})
    list(APPEND objects $<TARGET_OBJECTS:weft_room_${room}>)
    weft_room_folder(${room} folder)
    set_property(GLOBAL APPEND PROPERTY ${name}_FOLDERS ${folder})
  endforeach()
  add_library(${name} STATIC ${objects})
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE C POSITION_INDEPENDENT_CODE ON)
  target_include_directories(${name} PUBLIC ${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/include)
  if(WEFT_SANITIZE)
    target_link_options(${name} PUBLIC -fsanitize=address,undefined)
  endif()
endfunction()

# weft_packages(ROOM modules...): pkg-config packages a room needs, compiled and linked with it.
function(weft_packages room)
  foreach(module ${ARGN})
    string(TOUPPER ${module} prefix)
    pkg_check_modules(${prefix} REQUIRED IMPORTED_TARGET GLOBAL ${module})
    target_link_libraries(weft_room_${room} PRIVATE PkgConfig::${prefix})
    if(TARGET weft_${room})
      target_link_libraries(weft_${room} PRIVATE PkgConfig::${prefix})
    else() # the room of the program
      target_link_libraries(weft PRIVATE PkgConfig::${prefix})
    endif()
  endforeach()
endfunction()
