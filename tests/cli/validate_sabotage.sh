#!/bin/bash
# Breaks the shaders on purpose, one fault at a time in a copy read through WEFT_SHADER_DIR, and
# demands that validate notices and names the pass. A proof that cannot fail proves nothing.
set -u
weft=$1
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

fresh() {
  rm -rf "$work/shaders"
  cp -r "$here/../../shaders" "$work/shaders"
}

# replace FILE FROM TO: the first occurrence, which must be there.
replace() {
  perl -0777 -pi -e 'BEGIN { $old = shift; $new = shift } $i = index($_, $old);
      $i < 0 ? exit 1 : substr($_, $i, length($old), $new)' "$2" "$3" "$work/shaders/$1"
  [ $? -eq 0 ] && grep -qF -- "${3%%$'\n'*}" "$work/shaders/$1" ||
    { echo "FAILED: sabotage of $1 does not apply: $2"; failures=$((failures + 1)); }
}

# expect NAME STATUS PATTERN ARGUMENTS...: exit status, and a line that matches.
expect() {
  local name=$1 status=$2 pattern=$3
  shift 3
  WEFT_SHADER_DIR="$work/shaders" "$weft" validate "$@" >"$work/out" 2>&1
  local got=$?
  if [ $got -ne "$status" ] || ! grep -Eq -- "$pattern" "$work/out"; then
    echo "FAILED: $name: status $got, wanted $status and a line matching: $pattern"
    sed 's/^/  | /' "$work/out" | cut -c1-200 | tail -30
    failures=$((failures + 1))
  else
    echo "ok: $name"
  fi
}

small=(hanging --size 16 --frames 3 --schedule colours) # a program for each pass

"$weft" validate --level layout >/dev/null 2>&1
[ $? -eq 77 ] && { echo "skipped: no usable GL"; exit 77; }

fresh
expect "untouched shaders are equal" 0 "EQUAL in every bit" "${small[@]}"
expect "untouched layout is equal" 0 "0 different: EQUAL" --level layout

# > for >= in the guard of passes: found in each of them, by its own name.
fresh
guard="(WEFT_SELF_ROW * uint(WEFT_PASS_GROUP));
  if (k"
replace solver/pass.comp "$guard >= u_pass.count" "$guard > u_pass.count"
expect "> for >= in the guard" 1 "DIFFERENT" --level kernel
guarded=0
for text in "$work"/shaders/passes/*.h; do
  name=$(basename "$text" .h)
  grep -q "^PASS(pass_$name)" "$text" || continue # groups without a guard, and what passes share
  grep -q "EACH(" "$text" && continue             # a single group without a guard
  guarded=$((guarded + 1))
  if awk -v n="$name" '$1 == n {on = 1; next} /^  [a-z]/ {on = 0} on && /DIFFERENT/ {found = 1}
      END {exit !found}' "$work/out"; then
    echo "ok: > for >= in $name"
  else
    echo "FAILED: > for >= in $name was not found"
    failures=$((failures + 1))
  fi
done
[ "$guarded" -ge 25 ] || { echo "FAILED: only $guarded passes have a guard"; failures=$((failures + 1)); }

# alone NAME PASS FILE FROM TO: a fault that the pass shows by itself.
alone() {
  fresh
  replace "$3" "$4" "$5"
  expect "$1" 1 "DIFFERENT in buffer|LEFT UNWRITTEN" --level kernel --pass "$2"
}

fresh
replace passes/project.h "PUT_MOVED(c.particles.y, p.p1, to.d1)" "PUT_MOVED(c.particles.y, p.p1, v3_neg(to.d1))"
expect "a sign flipped" 1 "pass +project_distance, batch 0" "${small[@]}" --plain

# What the compiler of C and that of GLSL take for the same struct.
fresh
replace shared/weft_shared.h "struct weft_pick {" "struct weft_pick {
  float another;"
expect "an element of another size, seen in the layout" 1 "array stride of|where C has nothing" --level layout
fresh
replace solver/blocks.glsl "binding = WEFT_UNIFORM_BINDING" "binding = 5"
expect "a block at another binding, seen in the layout" 1 "binding of Uniforms" --level layout
fresh
replace solver/pass.comp '#include "made.glsl"' '#define b_x_prev b_other
#include "made.glsl"'
expect "a buffer that passes.def does not bind, seen in the layout" 1 "binds nothing to block b_other" --level layout
fresh
replace passes/update_velocity.h "XYZ(AT(X_PREV, i)), XYZ(AT(V, i))" "XYZ(AT(V, i)), XYZ(AT(X_PREV, i))"
expect "two buffers exchanged" 1 "pass +update_velocity" "${small[@]}"

# What a driver does that contracts where precise is missing: one rounding instead of two. Written
# with doubles, because fma() itself may or may not be fused.
fresh
replace kernels/constraint_distance.h "precise real violation = len - rest_length;" \
  "float violation = float(double(length2) * double(inverse) - double(rest_length));"
expect "contraction" 1 "pass +project_distance" "${small[@]}"

fresh
replace passes/project.h "AT(X, c.particles.w)" "AT(X, c.particles.w + 1u)"
expect "an index off by one" 1 "pass +project_isometric" "${small[@]}" --bending isometric
fresh
replace passes/project.h "uint slot = pass.delta_first" "uint slot = 1u + pass.delta_first"
expect "a correction slot off by one" 1 "pass +project_distance \(jacobi\)" "${small[@]}" \
  --mode jacobi

# Attached pieces: another corner, the offset left out, velocities in place of positions.
alone "ride takes another corner" ride passes/ride.h "XYZ(AT(X, p.w))" "XYZ(AT(X, p.z))"
alone "ride leaves the offset out" ride kernels/ride.h "v3_add(foot, beyond)" "foot"
alone "ride on a triangle without area" ride kernels/ride.h "AND(along2 > K(0.0), normal2 > K(0.0))" "normal2 >= K(0.0)"

# Bodies: where they go, what they have of their own, and that nothing pushes them.
alone "a body that never stops" move_bodies passes/move_bodies.h "path.stays != K(0.0)" "path.stays > K(2.0)"
alone "a shape that never stops" move_shapes passes/move_shapes.h "path.stays != 0u" "path.stays > 1u"
alone "a shape that forgets where a frame begins" move_shapes passes/move_shapes.h "U.poses_before + path.collider" "path.collider"
alone "bodies among what is pushed" self_weigh passes/self_weigh.h " && !self_is_of_body(m, particle)" ""
alone "a body as far off as cloth" self_separate passes/self_separate.h "if (self_touches_body(m, p))" "if (false)"
for pass in self_repel self_cache_store; do
  alone "$pass takes a body for cloth" $pass passes/self_friction.h "if (self_touches_body(m, p))" "if (false)"
  alone "$pass leaves what is very near" $pass kernels/self_repel.h "SELECT(aimed < quarter, quarter, aimed)" "aimed"
done
alone "self_update_normals throws cloth off a body" self_update_normals kernels/self_repel.h "SELECT(body, least, self_more(more, least))" "self_more(more, least)"
alone "a pace that does not grow" self_update_normals kernels/self_repel.h "more = before + more" "more = before"
alone "a pace that is forgotten" self_cache_store passes/self_cache_store.h "kept.escape = plane.escape" "kept.escape = K(0.0)"
alone "a lone pair with a body parted wholly" self_repel passes/self_repel.h "self_touches_body(m, p) ? K(2.0) : K(1.0)" "K(1.0)"
alone "a lone pair of cloth parted by half" self_repel passes/self_repel.h "self_touches_body(m, p) ? K(2.0) : K(1.0)" "K(2.0)"
alone "patches that do not wait for their triangles" self_patch passes/self_patch.h "    s_self_marked[k] = self_is_marked(m, t, pass.detection) ? 1u : 0u;
  }
  WAIT_FOR_GROUP" "    s_self_marked[k] = self_is_marked(m, t, pass.detection) ? 1u : 0u;
  }"
fresh # boxes that are not there yet leave out pairs; the cloud of the kernel cases meets with any box
replace passes/self_find_triangles.h "    s_self_fine[k] = self_node_of(self_box_of_triangle(m, t));
  }
  WAIT_FOR_GROUP" "    s_self_fine[k] = self_node_of(self_box_of_triangle(m, t));
  }"
replace passes/self_find_triangles.h "= self_node_of(box);
  }
  WAIT_FOR_GROUP" "= self_node_of(box);
  }"
expect "boxes of triangles that nobody waits for" 1 "DIFFERENT" heap --size 20 --frames 16 --self-collision on
alone "patches as they are at the start alone" self_patch passes/self_patch.h "g = self_gradient_join(self_gradient_join(self_gradient_none(), g), there)" "g = self_gradient_join(self_gradient_none(), g)"
alone "patches that prove too little" self_certify kernels/self_monotone.h "proved > K(0.151953125)" "proved > K(0.0)"
alone "neighbours that are found once more" self_find_patches passes/self_find_patches.h "skip = skip || AT(SELF_ADJACENT" "skip = skip && AT(SELF_ADJACENT"
alone "a fan that winds twice" self_certify_stars passes/self_certify_stars.h "certified && winds == 1u" "certified"
alone "triangles that share a corner" self_find_triangles passes/self_find_triangles.h ": !share;" ": true;"
alone "a redetection for one of two" self_find_triangles passes/self_find_triangles.h "marked || self_is_marked(m, other, detection)" "marked"
alone "features of no reach" self_find_features passes/self_find_features.h "real reach = AT(SELF_PARTS, part).reach;" "real reach = K(0.0);"
alone "a pair of three that are still" self_separate passes/self_separate.h " && self_is_still(m, p.w)" ""
alone "a floor of four rest gaps" self_separate kernels/self_gap.h "own = rest * K(0.25)" "own = rest * K(4.0)"
alone "features that keep less of their rest gap" self_separate kernels/self_gap.h "gap = gap * K(0.9)" "gap = gap * K(0.7)"
alone "what stands still and is not marked" self_advance passes/self_advance.h "SET(SELF_FRACTIONS, 2u * i, WEFT_SELF_STOOD);" ""
alone "a level counted with one node more" self_refit passes/self_refit.h "pass.below_first - 1u)" "pass.below_first)"
alone "a pause for want of room that is not counted" self_advance passes/self_advance.h "WEFT_SELF_AT_OVERFLOWS), 1u" "WEFT_SELF_AT_OVERFLOWS), 0u"
alone "a body of another part" self_flag passes/self.h "uint of_bodies = U.self_particles - U.self_cloth" "uint of_bodies = U.self_particles"
alone "no pause for want of room" self_advance passes/self_advance.h "bool pause = flags != 0u" "bool pause = false"
alone "a last detection that does not wait for what strays" self_shorten passes/self_shorten.h "  if (self_is_idle(m, part, pass.detection)) return;
" ""
alone "motions that end too soon" self_shorten kernels/self_truncate.h "real part = step * exact_rsqrt" "real part = K(0.5) * step * exact_rsqrt"
alone "a normal that only parts what it pushes" self_update_normals passes/self_update_normals.h "bool good = self_certified(at, normal.gap, plane.floor) &&" \
  "bool good = self_certified(at, normal.gap, plane.floor) ||"
alone "what is remembered of half a pair" self_update_normals passes/self_update_normals.h "a.y == b.y &&" "a.y == b.y ||"
alone "two that drive, of which one gives way" self_truncate kernels/self_truncate.h "AND(wants.first_pinned > first_side, NOT(wants.second_pinned > second_side))" \
  "wants.first_pinned > first_side"
alone "no strict round" self_truncate passes/self_truncate.h "bool strict = pass.round == WEFT_SELF_ROUNDS - 1u" "bool strict = false"

alone "a snap dropped" predict kernels/motion.h "return exact_snap(velocity);" "return velocity;"

# Contact between grains, a fault in every pass of it.
break_contact() { # pass, from, to
  fresh
  replace "passes/$1.h" "$2" "$3"
  expect "a fault in $1" 1 "pass +$1\$" --level substep sand --size 8 --frames 12
}
break_contact grid_clear "SET(GRID, i, 0u)" "SET(GRID, i, i)"
break_contact grid_count "ATOMIC_ADD(GRID, bucket, 1u)" "ATOMIC_ADD(GRID, bucket, 0u)"
break_contact grid_sum "sum += AT(GRID, begin + k)" "sum = AT(GRID, begin + k)"
break_contact grid_scan "    sum += entry;" "    sum = entry;"
break_contact grid_fill "SET(GRID_LOOSE, place, i);" "SET(GRID_LOOSE, place, i | 1u);"
break_contact grid_sort "AT(GRID_LOOSE, k) < i" "AT(GRID_LOOSE, k) > i"
break_contact contact_find "if (!grid_is_around(home, k, grid_cell(q, U.inverse_cell))) continue;" ""
break_contact contact_count "p.w == K(0.0) ? 0u : load" "p.w == K(0.0) ? 0u : load + 1u"
break_contact contact_project "particle_contact_slide(moved, other_moved" "particle_contact_slide(moved, moved"
break_contact contact_apply "v3_add(XYZ(p)" "v3_sub(XYZ(p)"
break_contact contact_keep "exact_flush3(friction_held(slide, gap.depth, U.contact_static, U.contact_dynamic))" "slide"

# One Newton step fewer: the probe tells that the arithmetic is not exact, the kernels tell where.
fresh
replace kernels/exact.h "  t = h * y;
  t = t * y;
  t = K(1.5) - t;
  y = y * t;
  t = h * y;" "  t = h * y;"
expect "one Newton step fewer, in the probe" 1 "NOT exact.*reciprocal root" --level kernel \
  --pass project_distance
expect "one Newton step fewer, in the kernels" 1 "project_distance" --level kernel --pass project_distance

never_reset="pass.first_iteration != 1u"
alone "multipliers never reset, alone" project_distance passes/project.h "$never_reset" "true"
fresh
replace passes/project.h "$never_reset" "true"
expect "multipliers never reset, in a run" 1 "pass +project_distance \(lambda\)" "${small[@]}" \
  --iterations 2 --fabric tshirt

fresh
replace kernels/damping.h "v3_sub(s.c, mixed)" "v3_add(s.c, mixed)"
expect "a sign in the inertia tensor" 1 "pass +damp_angular" "${small[@]}" --global-damping 2

alone "a rope that pushes" project_distance kernels/constraint_distance.h \
  "if (acts == WEFT_ACTS_STRETCHED) stops" "if (acts == 9u) stops"
alone "an attachment taut at its very length" lra kernels/lra.h "len > length" "len >= length"
fresh
replace kernels/lra.h "v3_add(anchor" "v3_sub(anchor"
expect "an attachment to the wrong side" 1 "pass +lra" "${small[@]}" --plain --lra 4 --fabric tshirt

# Coarser levels: a fault in every pass, in a run large enough that some are small and some not.
alone "levels: a mean without its last member" level_restrict passes/level.h "k < end;" "k + 1u < end;"
alone "levels: constraints that push" level_project kernels/level.h "violation > K(0.0), step" "violation < K(0.0), step"
alone "levels: following to the other side" level_prolong kernels/level.h "x + by" "x - by"
alone "levels: a base that is not kept" level_gather passes/level.h "SET(LEVEL_BASE, i, node);" ""
alone "levels: a step left out" level_small passes/level_small.h "s < pass.steps" "s + 1u < pass.steps"
alone "levels: small ones that do not wait" level_small passes/level_small.h "    WAIT_FOR_BUFFERS" ""
fresh
replace passes/level_follow.h "return exact_flush3(to);" "return from;"
expect "levels that nobody follows, in a run" 1 "pass +level_spread" hanging --size 20 --frames 2 --schedule colours \
  --multilevel 24

# Patches: what shared memory and its barriers are for.
alone "patches: ranges that do not wait" patch passes/patch.h "KEEPS, what >> 20); }
    WAIT_FOR_GROUP" "KEEPS, what >> 20); }"
alone "patches: a particle of the next place" patch passes/patch.h "row.ab >> 16, 0u" "(row.ab >> 16) ^ 1u, 0u"
alone "patches: the last range left out" patch passes/patch.h "r < range_count" "r + 1u < range_count"
alone "patches: particles not written back" patch passes/patch.h "SET(X, AT(PATCH_WORDS, particles + k), s_x[k]);" \
  "if (k < 256u) SET(X, AT(PATCH_WORDS, particles + k), s_x[k]);"
fresh
replace passes/patch.h "$never_reset" "true"
expect "patches: multipliers never reset, in a run" 1 "pass +patch \(lambda\)" "${small[@]}" \
  --iterations 2 --fabric tshirt --schedule patches

# All passes in one dispatch; the group has more invocations than any driver has lanes.
break_single() { # name, from, to
  fresh
  replace solver/single.comp "$2" "$3"
  expect "single: $1" 1 "pass +(project_|update_velocity|move_pins)|DIFFERENT" hanging --size 24 --frames 3 \
    --schedule single --group-size 128
}
break_single "nobody waits" "  barrier();" ""
break_single "every second step left out" "  ++at;" "  at += 2u;"
break_single "steps that forget where they begin" "uint first = s.first + gl" "uint first = gl"
break_single "a step without its last element" "if (k < count)" "if (k + 1u < count)"

# With self-collision a frame goes on without what follows a detection until that has listed something.
fresh
replace solver/stop.comp "if (s_listed == 0u || stopped) return;" "return;"
expect "quiet: nothing stops" 1 "DIFFERENT" drape --plain --size 16 --frames 22 --self-collision on

# Lines there: teams of the work group solve a bundle each.
break_teams() { # name, file, from, to
  fresh
  replace "$2" "$3" "$4"
  expect "single, lines: $1" 1 "DIFFERENT" hanging --size 24 --frames 3 --schedule single --group-size 128 --line-sweeps 2
}
break_teams "colours that do not wait" solver/single.comp "    wait_for_all(); " "                    "
break_teams "a bundle for all teams" solver/single.comp "s.first + done + TEAM;" "s.first + done;"
break_teams "memory that teams share" kernels/lang_glsl.h "TEAM * uint(TEAM_ROOM(length)) + (k)" "(k)"
break_teams "bundles past the last" passes/line_room.h "i < end ? bundle.count : 0u" "bundle.count"
break_teams "one round too few" solver/single.comp "(done < s.count)" "(done + uint(WEFT_TEAMS) < s.count)"

# Lines: barriers between steps of reduction, and what a step does.
alone "lines: steps that do not wait" project_lines passes/project_lines.h "line_reduce_equation(k, stride, count, leaves);
    }
    WAIT_FOR_GROUP" "line_reduce_equation(k, stride, count, leaves);
    }"
alone "lines: a coupling of the wrong sign" project_lines kernels/line.h "next = -exact_flush(next);" "next = exact_flush(next);"
alone "lines: one step too few" project_lines passes/project_lines.h "s < pass.steps; ++s" "s + 1u < pass.steps; ++s"
alone "lines: steps past those of a bundle" project_lines passes/project_lines.h "s < bundle.steps ? count : 0u" "count"
alone "lines: the scale of another bundle" project_lines passes/project_lines.h "uint count = bundle.count;" \
  "uint count = bundle.count; bundle.scale = AT(LINE_BUNDLES, pass.first).scale;"
alone "lines: ends that stay" project_lines passes/project_lines.h "SET(X, e.b, V4(exact_flush3(moved), pb.w));" ""
alone "bends: steps that do not wait" project_bends passes/project_bends.h "matrices += 2u * (blocks >> (s + 1u));
    WAIT_FOR_GROUP" "matrices += 2u * (blocks >> (s + 1u));"
alone "bends: steps past those of a bundle" project_bends passes/project_bends.h "s < bundle.steps ? blocks : 0u" "blocks"
alone "bends: the table of another bundle" project_bends passes/project_bends.h "AT(LINE_TABLES, MIN(i, end - 1u))" "AT(LINE_TABLES, pass.first)"
alone "bends: ends that stay" project_bends passes/project_bends.h "SET(X, e.b, V4(moved, pb.w));" ""
fresh
replace kernels/line.h "precise real held = compliance * multiplier;" "precise real held = K(0.0);"
expect "lines: compliance forgotten by later sweeps, in a run" 1 "pass +project_lines" "${small[@]}" \
  --line-sweeps 2 --fabric tshirt

alone "soft pins that drive instead of braking" soft_pins kernels/soft_pin.h "v3_sub(pulled, braked)" "v3_add(pulled, braked)"
# What a mouse needs.
alone "a hand that drives instead of braking" grab kernels/grab.h "v3_sub(pulled, braked)" "v3_add(pulled, braked)"
alone "a hand without a limit" grab kernels/grab.h "SELECT(size > impulse_limit, part, K(1.0))" "K(1.0)"
alone "the last of several on a ray" pick_near passes/pick_near.h "hit.along < best.along" "hit.along <= best.along"
alone "the furthest instead of the first" pick_best passes/pick_best.h "other.along < best.along" "other.along > best.along"

# The origin that goes along.
alone "a box without its highest" bound kernels/bounds.h "MORE(a.high.x, high.x)" "a.high.x"
alone "boxes of the wrong level" bound_join passes/bound_join.h "MIN(begin + WEFT_FAN, pass.level_first)" "begin + WEFT_FAN"
alone "a shift the wrong way" shift kernels/bounds.h "v3_sub(x, by)" "v3_add(x, by)"
alone "a shift that leaves low parts alone" shift passes/shift.h "SET(X_LOW, i, V4(moved.low, K(0.0)));" ""

# The swept test works on one step in thousands: the kernels shoot at it, a scene turns its box.
alone "a ball entered from behind" collide kernels/shape.h "precise real t = nearest - back;" "precise real t = nearest + back;"
alone "a box met on the way back" collide kernels/shape_box.h "OR(enter > leave, leave < K(0.0))" "enter > leave"
fresh
replace kernels/shape.h "v3_add(UNI3(pose.move_a), shape_turned" "v3_sub(UNI3(pose.move_a), shape_turned"
expect "friction against the wrong turn" 1 "pass +collide" tumble --size 24 --frames 25 --schedule colours

# Kernels that nothing above breaks.
alone "air: a factor left out" aero_force kernels/air.h "  area = area * K(0.5);" ""
alone "air: a sign" aero_gather kernels/air.h "v + change" "v - change"
alone "isometric: a sign" project_isometric kernels/constraint_isometric.h "  k3 = -k3;" ""
alone "isometric: the weight of another vertex" project_isometric kernels/constraint_isometric.h \
  "p.p2.w, data.z" "p.p2.w, data.y"
alone "dihedral: a sign" project_dihedral kernels/constraint_dihedral.h "exact_cross(u1, u2)" "exact_cross(u2, u1)"
alone "dihedral: a guard" project_dihedral kernels/constraint_dihedral.h \
  "violation > K(EXACT_PI), lower" "violation > K(EXACT_TWO_PI), lower"
alone "contact: a sign" contact_project kernels/particle_contact.h "contact_distance - away" "contact_distance + away"
alone "friction: a guard" collide kernels/friction.h "SELECT(slid <= static_limit, K(1.0), part)" "part"
alone "grid: a cell rounded towards 0" grid_count kernels/grid.h "SELECT(back > scaled, below, back)" "back"
alone "pins: a factor left out" move_pins kernels/pin.h "  velocity = v3_scale(velocity, inv_dt);" ""
alone "pick: a guard" pick_near kernels/pick.h "hit.offset2 <= wide2" "hit.offset2 >= wide2"
alone "plane: a sign" collide kernels/shape_plane.h "pair_of(exact_flush(exact_dot(from.high, touching.n)), K(0.0))" \
  "pair_of(exact_flush(exact_dot(from.high, v3_neg(touching.n))), K(0.0))"
alone "capsule: a guard" collide kernels/shape_capsule.h "SELECT(along > K(1.0), at_b, t)" "t"
alone "sphere: the radius of nothing" collide kernels/shape_sphere.h "ball_contact(pairs, from, UNI(pose.a.w))" \
  "ball_contact(pairs, from, UNI(pose.b.w))"

echo "$failures failures"
[ $failures -eq 0 ]
