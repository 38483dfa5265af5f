/* solver_gl_internal.h: what the files of solver_gl share. */
#ifndef WEFT_SOLVER_GL_INTERNAL_H
#define WEFT_SOLVER_GL_INTERNAL_H

#include "base.h"
#include "program_text.h"
#include "solver.h"
#include "solver_gl.h"

/* weft_solver_gl_view of a solver that computes elsewhere. */
bool weft_shown_view(const weft_solver *solver, weft_buffer_id id, weft_gl_view *view);

/* What share.h is made of: the instance of a solver on weft_backend_gl, NULL and an error for one
 * elsewhere; its origin. */
typedef struct weft_gl_instance weft_gl_instance;
weft_gl_instance *weft_gl_instance_of(const weft_solver *solver, weft_error *err);
void weft_gl_tell_origin(const weft_solver *solver, double origin[3]);

void weft_gl_given_free(weft_gl_instance *self);

/* A program and the text it was made of. */
typedef struct weft_gl_made {
  const char *path;
  char *text; /* what made.glsl was */
  GLuint program;
  weft_gl_making *making; /* until weft_gl_end_programs */
} weft_gl_made;

typedef struct weft_gl_quiet weft_gl_quiet;

/* Substeps of `single` that are timed one by one. */
enum { WEFT_GL_TIMED_SUBSTEPS = 3 };

/* All passes at once; see single.c. */
typedef struct weft_gl_single {
  GLuint program;       /* the context's */
  weft_gl_buffer steps; /* weft_pass [] */
  bool uniform_steps;   /* as a uniform block, at its binding; else at storage slot 0 */
  bool packed;          /* constant buffers are in one buffer, at the next slot */
  weft_gl_buffer contents;
  uint32_t *ends;  /* [passes + 1] steps of the first so many passes */
  uint32_t group;  /* invocations */
  uint32_t parts;  /* of a joined model: work groups */
  uint32_t shared; /* positions that shared memory has room for meanwhile; 0: none are there */
  uint32_t teams, team_room; /* see weft_gl_single_desc */
  uint32_t substeps_at_once;
  uint32_t timed;                          /* substeps */
  double seconds;                          /* of the quickest of them */
  weft_buffer_id bound[WEFT_BUFFER_COUNT]; /* at the slots after those */
  uint32_t bound_count;
  bool textured;                           /* what no pass writes is read through textures, */
  weft_buffer_id units[WEFT_BUFFER_COUNT]; /* at these units, and has no slot */
  uint32_t unit_count;
} weft_gl_single;

/* What is bound, as far as it is known: 0 where it is not. See bindings.c. */
enum {
  WEFT_GL_UNIFORM_SLOTS = WEFT_SINGLE_BINDING + 1,
  WEFT_GL_MOST_SLOTS = 96,
  WEFT_GL_MOST_UNITS = 32,
};
typedef struct weft_gl_range {
  GLuint buffer;
  GLintptr offset;
  GLsizeiptr size;
} weft_gl_range;
typedef struct weft_gl_bound {
  GLuint program, indirect;
  uint32_t active; /* 1 + the texture unit */
  weft_gl_range uniform[WEFT_GL_UNIFORM_SLOTS], storage[WEFT_GL_MOST_SLOTS];
  GLuint textures[WEFT_GL_MOST_UNITS];
} weft_gl_bound;

/* One per context, hung on weft_gl.solver: the programs of all solvers, which share those of equal
 * text, and the probe's verdict. */
typedef struct weft_gl_programs {
  weft_backend backend;
  weft_gl_probe probe;
  weft_gl_buffer substeps; /* an element each, see pass_block.c */
  weft_gl_made *made;
  size_t made_count, made_capacity;
  weft_gl_numbers numbers[WEFT_PASS_KIND_COUNT];
  weft_gl_bound bound;
  weft_gl_counts counts;
} weft_gl_programs;

/* Rows of a buffer that a texture lies over. */
typedef struct weft_gl_window {
  uint64_t first, count;
} weft_gl_window;

/* Times of the last frames on the GPU; see frame_time.c. */
enum { WEFT_GL_FRAME_TIMERS = 4 };
typedef struct weft_gl_frame_times {
  weft_gl_timer timers[WEFT_GL_FRAME_TIMERS];
  uint32_t begun, told; /* frames whose end was issued, and whose time is known */
  bool open;
} weft_gl_frame_times;

/* One per solver. */
struct weft_gl_instance {
  weft_deferred *deferred; /* it is released */
  weft_gl *gl;
  weft_gl_programs *shared;
  weft_gl_buffer buffers[WEFT_BUFFER_COUNT];
  weft_gl_buffer saved[WEFT_BUFFER_COUNT]; /* with self-collision; see weft_backend.save */
  uint64_t counts[WEFT_BUFFER_COUNT];
  uint32_t strides[WEFT_BUFFER_COUNT];
  GLuint programs[WEFT_PASS_KIND_COUNT][WEFT_VARIANT_COUNT]; /* 0: not made yet */
  uint32_t shapes;                    /* bits of all that colliders ever were */
  uint32_t types;                     /* bits of the constraints of patches */
  GLuint textures[WEFT_BUFFER_COUNT]; /* with WEFT_GL_READS_TEXTURES */
  weft_gl_window laid[WEFT_BUFFER_COUNT];
  struct weft_gl_pass_elements *pass_elements; /* see pass_block.c */
  weft_gl_single single;
  weft_gl_quiet *quiet;        /* with self-collision; see quiet.c */
  struct weft_gl_given *given; /* see take_given.c */
  weft_gl_frame_times times;
  uint64_t faults;  /* of the context, when this was made */
  weft_error fault; /* the first since then: whatever was issued after it cannot be relied on */
};

/* To a buffer, or from one: the barrier, what is bound, the copy. */
enum { WEFT_GL_CALLS_OF_A_COPY = 3 };

/* The calls that a step makes, all but uploads; see bindings.c. `active`: the unit must be the
 * active one even where the texture is bound there. */
void weft_gl_forget(weft_gl_programs *shared);
void weft_gl_set_program(weft_gl_programs *shared, GLuint program);
void weft_gl_set_range(weft_gl_programs *shared, GLenum target, uint32_t slot,
                       const weft_gl_range *range);
void weft_gl_set_texture(weft_gl_programs *shared, uint32_t unit, GLuint texture, bool active);
void weft_gl_dispatch(weft_gl_programs *shared, uint32_t groups);
void weft_gl_dispatch_from(weft_gl_programs *shared, GLuint buffer, uint64_t offset);
void weft_gl_barrier(weft_gl_programs *shared, GLbitfield bits);

/* Runs one pass: program, buffers by slot, dispatches that fit the driver, the one barrier after.
 */
void weft_gl_run_pass(weft_gl_instance *self, const weft_pass *pass, uint32_t substep);
/* All of that but the dispatch and the barrier, of a pass that is one dispatch; its work groups, 0
 * where it is several; the barrier, also for dispatches that take their groups from what was
 * written. */
void weft_gl_prepare_pass(weft_gl_instance *self, const weft_pass *pass, uint32_t substep);
uint32_t weft_gl_groups_of(const weft_gl_instance *self, const weft_pass *pass);
void weft_gl_make_visible(weft_gl_instance *self, bool groups);

/* Self-collision where nothing is near anything; see quiet.c. Whether it issued the pass, or will;
 * before anything but a pass is done; before the host writes to a buffer. */
weft_result weft_gl_quiet_plan(weft_gl_instance *self, const weft_pass *passes, size_t count,
                               const weft_contents *contents, weft_error *err);
/* For another list of passes; it goes on as it was. */
weft_result weft_gl_quiet_plan_again(weft_gl_instance *self, const weft_pass *passes, size_t count,
                                     uint64_t substeps, weft_error *err);
void weft_gl_quiet_free(weft_gl_instance *self);
bool weft_gl_quiet_run(weft_gl_instance *self, const weft_pass *pass, uint32_t substep);
void weft_gl_quiet_settle(weft_gl_instance *self);
/* The state is another one from now on. */
void weft_gl_quiet_end(weft_gl_instance *self);
void weft_gl_quiet_written(weft_gl_instance *self, weft_buffer_id id, const void *data,
                           uint64_t bytes);

/* Buffer textures over the buffers; all of these do nothing where elements are read from blocks. */
void weft_gl_buffer_textures_create(weft_gl_instance *self);
void weft_gl_buffer_textures_destroy(weft_gl_instance *self);
void weft_gl_buffer_textures_bind(weft_gl_instance *self, weft_buffer_id id, uint32_t unit,
                                  uint64_t first, uint64_t count);
/* Rows of so many bytes that can be bound at once. */
uint64_t weft_gl_max_elements(const weft_gl *gl, uint32_t stride);

/* The program of a skeleton and this text for its made.glsl, which is freed; begun only if there is
 * none. weft_gl_end_programs waits for all that were begun, and says what the driver said. */
weft_result weft_gl_find_program(weft_gl *gl, const char *path, const char *defines, char *text,
                                 GLuint *program, weft_error *err);
weft_result weft_gl_end_programs(weft_gl *gl, weft_error *err);
/* Fills weft_gl_programs.numbers. */
void weft_gl_number_bindings(weft_gl *gl);
/* Begins the program of a pass, unless it is there. */
weft_result weft_gl_begin_pass(weft_gl_instance *self, const weft_pass *pass, weft_error *err);

/* Whether every one of these buffers can be bound on this driver; a sentence if not. */
weft_result weft_gl_check_fit(const weft_gl *gl, const weft_contents *contents, weft_error *err);

/* Before anything but passes: see bindings.c and quiet.c. */
void weft_gl_take_over(weft_gl_instance *self);
/* A buffer of as many elements as self->counts says. */
weft_result weft_gl_make_buffer(weft_gl_instance *self, weft_buffer_id id, uint64_t guard,
                                const void *data, weft_gl_buffer *buffer, weft_error *err);
/* See weft_backend; buffers.c. */
weft_result weft_gl_make_saved(weft_gl_instance *self, weft_error *err);
void weft_gl_save(void *instance);
void weft_gl_restore(void *instance);
void weft_gl_unmoved(void *instance, uint64_t first, uint64_t count, bool *unmoved);
weft_result weft_gl_resize(void *instance, const weft_self_room *room, weft_error *err);
/* Tables that come with frames may become longer; all elements of one. */
void weft_gl_take_table(weft_gl_instance *self, weft_buffer_id id, const void *data);
weft_result weft_gl_lengthen_frame(weft_gl_instance *self, const weft_contents *tables,
                                   weft_error *err);

void weft_gl_time_frame(void *instance, bool begins);
double weft_gl_frame_seconds(void *instance);
void weft_gl_frame_times_destroy(weft_gl_instance *self);

/* A buffer in all its length; the uniform block. */
void weft_gl_bind_single(weft_gl_instance *self, weft_buffer_id id, uint32_t slot);
void weft_gl_bind_uniforms(weft_gl_instance *self);

/* Bytes of the buffer of elements of passes. */
enum { WEFT_GL_PASS_BYTES = 1024 * 256 };
/* The uniform blocks of a pass, or of a run of `single`, and of a substep. */
weft_result weft_gl_pass_elements_create(weft_gl_instance *self, weft_error *err);
void weft_gl_pass_elements_destroy(weft_gl_instance *self);
void weft_gl_bind_pass(weft_gl_instance *self, const weft_pass *pass);
void weft_gl_bind_run(weft_gl_instance *self, const weft_single_run_args *args);
weft_result weft_gl_substep_elements_create(weft_gl *gl, weft_gl_buffer *buffer, weft_error *err);
void weft_gl_bind_substep(const weft_gl_instance *self, uint32_t substep);

/* weft_backend.plan_single and run_single, and what they made. */
weft_result weft_gl_plan_single(void *instance, weft_schedule asked, const weft_pass *passes,
                                size_t count, const weft_contents *contents, bool *single,
                                weft_error *err);
void weft_gl_run_single(void *instance, const weft_single_run *run);
void weft_gl_single_free(weft_gl_instance *self);

#endif
