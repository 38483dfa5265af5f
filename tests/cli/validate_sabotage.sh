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

# > for >= in the guard of every pass: each must be found, by its own name.
fresh
for shader in "$work"/shaders/solver/*.comp; do
  name=$(basename "$shader" .comp)
  [[ $name = probe || $name = level_small || $name = patch || $name = whole || $name = project_lines ]] || replace "solver/$name.comp" "gl_GlobalInvocationID.x >= u_pass.count" \
    "gl_GlobalInvocationID.x > u_pass.count"
done
expect "> for >= in the guards" 1 "DIFFERENT" --level kernel
for shader in "$work"/shaders/solver/*.comp; do
  name=$(basename "$shader" .comp)
  [[ $name = probe || $name = level_small || $name = patch || $name = whole || $name = project_lines ]] && continue # groups without a guard
  if awk -v n="$name" '$1 == n {on = 1; next} /^  [a-z]/ {on = 0} on && /DIFFERENT/ {found = 1}
      END {exit !found}' "$work/out"; then
    echo "ok: > for >= in $name"
  else
    echo "FAILED: > for >= in $name was not found"
    failures=$((failures + 1))
  fi
done

fresh
replace solver/project_distance.comp "moved_on(pb.xyz, delta_b)" "moved_back(pb.xyz, delta_b)"
expect "a sign flipped" 1 "pass +project_distance, batch 0" "${small[@]}"

fresh
replace solver/update_velocity.comp "binding = WEFT_SLOT_X_PREV" "binding = WEFT_SLOT_SWAP"
replace solver/update_velocity.comp "binding = WEFT_SLOT_V)" "binding = WEFT_SLOT_X_PREV)"
replace solver/update_velocity.comp "binding = WEFT_SLOT_SWAP" "binding = WEFT_SLOT_V"
expect "two bindings swapped, seen in the layout" 1 "update_velocity: binding of" --level layout
expect "two bindings swapped, seen in the run" 1 "pass +update_velocity" "${small[@]}"

# What a driver does that contracts where precise is missing: one rounding instead of two. Written
# with doubles, because fma() itself may or may not be fused.
fresh
replace lib/distance.glsl "precise float violation = len - rest_length;" \
  "float violation = float(double(length2) * double(inverse) - double(rest_length));"
expect "contraction" 1 "pass +project_distance" "${small[@]}"

fresh
replace solver/project_isometric.comp "vec4 p3 = x_at(q.w)" "vec4 p3 = x_at(q.w + 1u)"
expect "an index off by one" 1 "pass +project_isometric" "${small[@]}" --bending isometric
fresh
replace solver/project_distance.comp "uint slot = u_pass.delta_first + 2u" "uint slot = 1u + u_pass.delta_first + 2u"
expect "a correction slot off by one" 1 "pass +project_distance \(jacobi\)" "${small[@]}" \
  --mode jacobi

fresh
replace lib/predict.glsl "velocity = exact_snap3(velocity);" ""
expect "a snap dropped" 1 "predict|DIFFERENT in buffer" --level kernel

# Contact between grains, a fault in every pass of it.
break_contact() { # pass, from, to
  fresh
  replace "solver/$1.comp" "$2" "$3"
  expect "a fault in $1" 1 "pass +$1\$" --level substep sand --size 8 --frames 12
}
break_contact grid_clear "grid[i] = 0u" "grid[i] = i"
break_contact grid_count "atomicAdd(grid[bucket], 1u)" "atomicAdd(grid[bucket], 0u)"
break_contact grid_sum "sum += grid[begin + k]" "sum = grid[begin + k]"
break_contact grid_scan "    sum += entry;" "    sum = entry;"
break_contact grid_fill "grid_loose[place] = i;" "grid_loose[place] = i | 1u;"
break_contact grid_sort "grid_loose_at(k) < i" "grid_loose_at(k) > i"
break_contact contact_find "|| grid_cell(q.xyz) != cell" ""
break_contact contact_count "p.w == 0.0 ? 0u : load" "p.w == 0.0 ? 0u : load + 1u"
break_contact contact_project "slide = moved - slide;" "slide = moved;"
break_contact contact_apply "p.xyz + delta;" "p.xyz - delta;"
break_contact contact_keep "slid <= grip ? 1.0 : part;" "1.0;"

# One Newton step fewer: the probe tells that the arithmetic is not exact, the kernels tell where.
fresh
replace lib/exact.glsl "  t = h * y;
  t = t * y;
  t = 1.5 - t;
  y = y * t;
  t = h * y;" "  t = h * y;"
expect "one Newton step fewer, in the probe" 1 "NOT exact.*reciprocal root" --level kernel
expect "one Newton step fewer, in the kernels" 1 "project_distance" --level kernel

fresh
replace solver/project_distance.comp "u_pass.first_iteration == 1u ? 0.0 : lambda_at(i)" "lambda_at(i)"
expect "multipliers never reset, alone" 1 "DIFFERENT in buffer" --level kernel
expect "multipliers never reset, in a run" 1 "pass +project_distance \(lambda\)" "${small[@]}" \
  --iterations 2 --fabric tshirt

fresh
replace lib/damp_angular.glsl "products - exact_trim3(mixed)" "products + exact_trim3(mixed)"
expect "a sign in the inertia tensor" 1 "pass +damp_angular" "${small[@]}" --global-damping 2

fresh
replace lib/distance.glsl "sense == WEFT_ACTS_STRETCHED && step < 0.0" "false"
expect "a rope that pushes, alone" 1 "DIFFERENT in buffer x" --level kernel

fresh
replace lib/tether.glsl "if (!(len > most)) continue;" "if (!(len >= most)) continue;"
expect "a tether taut at its very length" 1 "tether +$|DIFFERENT in buffer x" --level kernel
fresh
replace lib/tether.glsl "p = a + reach;" "p = a - reach;"
expect "a tether to the wrong side" 1 "pass +tether" "${small[@]}" --tethers 4 --fabric tshirt

# Coarser levels: a fault in every pass, in a run large enough that some are small and some not.
break_level() { # name, file, from, to
  fresh
  replace "$2" "$3" "$4"
  expect "levels: $1" 1 "pass +level_|DIFFERENT in buffer (x|level_x|level_base)" --level kernel
}
break_level "a mean without its last member" lib/level.glsl "k < (end)" "k + 1u < (end)"
break_level "coarse constraints that push" lib/level.glsl "violation > 0.0 ? step" "violation < 0.0 ? step"
break_level "following to the other side" lib/level.glsl "to = to + moved;" "to = to - moved;"
break_level "a base that is not kept" lib/level_restrict.glsl "level_base[i] = node;" ""
break_level "a step left out" solver/level_small.comp "s < u_pass.steps" "s + 1u < u_pass.steps"
break_level "small levels that do not wait" solver/level_small.comp "    memoryBarrierBuffer();
    barrier();" ""
fresh
replace lib/level_spread.glsl "vec4(to, particle.w)" "vec4(particle.xyz, particle.w)"
expect "levels that nobody follows, in a run" 1 "pass +level_spread" hanging --size 20 --frames 2 --schedule colours \
  --levels 24

# Patches: what shared memory and its barriers are for.
break_patch() { # name, from, to
  fresh
  replace solver/patch.comp "$2" "$3"
  expect "patches: $1" 1 "pass +patch|DIFFERENT in buffer (x|patch_lambda)" --level kernel
}
break_patch "ranges that do not wait" "    }
    barrier();
  }" "    }
  }"
break_patch "a particle of the next place" "uint b = c.ab >> 16;" "uint b = (c.ab >> 16) ^ 1u;"
break_patch "the last range left out" "r < range_count" "r + 1u < range_count"
break_patch "particles not written back" "x[patch_word_at(particles + k)] = s_x[k];" "if (k < 256u) x[patch_word_at(particles + k)] = s_x[k];"
fresh
replace solver/patch.comp "u_pass.first_iteration == 1u ? 0.0 : lambda_at(i)" "lambda_at(i)"
expect "patches: multipliers never reset, in a run" 1 "pass +patch \(lambda\)" "${small[@]}" \
  --iterations 2 --fabric tshirt --schedule patches

# All passes in one dispatch; the group has more invocations than any driver has lanes.
break_whole() { # name, from, to
  fresh
  replace solver/whole.comp "$2" "$3"
  expect "whole: $1" 1 "pass +(project_|update_velocity|move_pins)|DIFFERENT" hanging --size 24 --frames 3 \
    --schedule whole --group-size 128
}
break_whole "nobody waits" "  barrier();" ""
break_whole "every second step left out" "      ++at; " "      at += 2u; "
break_whole "steps that forget where they begin" "uint first = s.first + gl" "uint first = gl"
break_whole "links that never push" "pass_project_distance(i, s.acts)" "pass_project_distance(i, 1u)"

# Lines: barriers between steps of reduction, and what a step does.
break_lines() { # name, from, to
  fresh
  replace solver/project_lines.comp "$2" "$3"
  expect "lines: $1" 1 "pass +project_lines|DIFFERENT in buffer (x|line_lambda)" --level kernel
}
break_lines "steps that do not wait" "      reduce(k, s, bundle);
    }
    barrier();" "      reduce(k, s, bundle);
    }"
break_lines "a coupling of the wrong sign" "next = -exact_flush(coupling);" "next = exact_flush(coupling);"
break_lines "one step too few" "s < bundle.steps; ++s" "s + 1u < bundle.steps; ++s"
break_lines "ends of lines that stay" "x[e.b] = vec4(moved, pb.w);" ""
fresh
replace solver/project_lines.comp "precise float held = e.compliance * before;" "precise float held = 0.0;"
expect "lines: compliance forgotten by later sweeps, in a run" 1 "pass +project_lines" "${small[@]}" \
  --line-sweeps 2 --fabric tshirt

# What a mouse needs.
fresh
replace lib/grab.glsl "precise vec3 kick = pulled - braked;" "precise vec3 kick = pulled + braked;"
expect "a hand that drives instead of braking" 1 "grab +$|DIFFERENT in buffer (x|v)" --level kernel
fresh
replace lib/grab.glsl "part = size > row.most ? part : 1.0;" "part = 1.0;"
expect "a hand without a limit" 1 "grab +$|DIFFERENT in buffer (x|v)" --level kernel
fresh
replace solver/pick_near.comp "along < best.along;" "along <= best.along;"
expect "the last of several on a ray" 1 "pick_near +$|DIFFERENT in buffer pick" --level kernel
fresh
replace solver/pick_best.comp "other.along < best.along;" "other.along > best.along;"
expect "the furthest instead of the first" 1 "pick_best +$|DIFFERENT in buffer pick" --level kernel

# The swept test works on one step in thousands: the kernels shoot at it, a scene turns its box.
fresh
replace lib/contact.glsl "precise float t = nearest - back;" "precise float t = nearest + back;"
expect "a ball entered from behind" 1 "collide +$|DIFFERENT in buffer x" --level kernel
fresh
replace lib/contact.glsl "if (enter > leave || leave < 0.0)" "if (enter > leave)"
expect "a box met on the way back" 1 "collide +$|DIFFERENT in buffer x" --level kernel
fresh
replace lib/contact.glsl "carried = carried + turned;" "carried = carried - turned;"
expect "friction against the wrong turn" 1 "pass +collide" tumble --size 24 --frames 25 --schedule colours

echo "$failures failures"
[ $failures -eq 0 ]
