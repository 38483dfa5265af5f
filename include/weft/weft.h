/* weft/weft.h: everything. */
#ifndef WEFT_H
#define WEFT_H

#include <weft/cache.h>
#include <weft/dress.h>
#include <weft/gl.h>
#include <weft/loosen.h>
#include <weft/memory.h>
#include <weft/mesh.h>
#include <weft/model.h>
#include <weft/motion.h>
#include <weft/solver.h>
#include <weft/source.h>
#include <weft/structure.h>
#include <weft/types.h>
#include <weft/version.h>

#endif
