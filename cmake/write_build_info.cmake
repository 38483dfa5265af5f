# Run with cmake -P: writes OUTPUT from TEMPLATE with the commit of the tree at SOURCE.
set(COMMIT unknown)
find_program(GIT git)
if(GIT)
  execute_process(
    COMMAND ${GIT} -C ${SOURCE} rev-parse --show-prefix
    OUTPUT_VARIABLE prefix ERROR_QUIET RESULT_VARIABLE outside OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT outside AND prefix STREQUAL "") # a tarball inside another repository has no commit
    execute_process(
      COMMAND ${GIT} -C ${SOURCE} describe --always --abbrev=12 --exclude=* --dirty
      OUTPUT_VARIABLE described ERROR_QUIET RESULT_VARIABLE failed OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(NOT failed)
      set(COMMIT ${described})
    endif()
  endif()
endif()
configure_file(${TEMPLATE} ${OUTPUT} @ONLY ESCAPE_QUOTES)
