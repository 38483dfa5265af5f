#!/usr/bin/env bash
# Help is complete, and wrong usage is one sentence that names the thing, with status 2.
. "$(dirname "$0")/helpers.bash"

run 0 --version
[ "$(cat "$work/out")" = "weft $("$weft" info | sed -n '1s/weft //p')" ] || complain "--version"
run 0 --help all
for word in simulate inspect bench info hanging drape flag curtain skirt poncho pleats bead pendulum rope fur threads sand 77; do
  prints "$word"
done

shared="--scene --mesh --group --scale --size --pattern --no-shear --fabric --bending --pin --seed
  --turns --drawn --layers --links --masses --lengths --angle --keep-order"
simulation="--dt --substeps --iterations --mode --schedule --relaxation --hybrid-min --gravity --damping
  --thickness --shift-collider --wind --gust"
gl="--group-size --gl-debug --minimum-limits"
check_help() {
  local command=$1
  shift
  run 0 "$command" --help all
  prints "usage: weft $command"
  for option in "$@" --log-level --help; do prints "$option "; done
  cp "$work/out" "$work/all"
  run 0 "$command" --help=all
  cmp -s "$work/out" "$work/all" || complain "$command: --help=all is not --help all"
}
# A page at first: a line each of the options that most use, each of them as all have it.
for command in "" demo simulate validate render bench inspect info "validate --physics"; do
  # shellcheck disable=SC2086 # words
  run 0 $command --help all
  cp "$work/out" "$work/all"
  # shellcheck disable=SC2086
  run 0 $command -h
  cp "$work/out" "$work/page"
  # shellcheck disable=SC2086
  run 0 $command --help
  cmp -s "$work/out" "$work/page" || complain "$command: -h is not --help"
  [ "$(wc -l <"$work/page")" -le 30 ] || complain "$command --help: $(wc -l <"$work/page") lines"
  [ "$(wc -L <"$work/page")" -le 120 ] || complain "$command --help: $(wc -L <"$work/page") columns"
  prints "--help all"
  while IFS= read -r line; do
    grep -qxF -e "$line" "$work/all" || complain "$command: not in --help all: $line"
    case $line in *[,:]) complain "$command: does not stand alone: $line" ;; esac
  done < <(grep -E '^  (-.,|   ) --' "$work/page")
  [ "$command" = info ] || [ "$(wc -l <"$work/all")" -gt "$(wc -l <"$work/page")" ] || complain "$command: all is a page"
  # Every option is named to whom forgets its last letter.
  while IFS= read -r name; do
    # shellcheck disable=SC2086
    said=$("$weft" $command "--${name%?}" 2>&1 | head -1)
    case $said in
      *"unknown option --${name%?}, did you mean --"* | *"there is no --${name%?}: it is --"*) ;;
      *"--${name%?} needs a value"* | *"--${name%?} takes no value"*) ;; # an option itself
      *) complain "$command --${name%?}: no --$name in: $said" ;;
    esac
  done < <(grep -oE '^  (-., |    )--[a-z0-9-]{5,}' "$work/all" | grep -oE -- '[a-z0-9]+[a-z0-9-]+$')
done
check_help simulate $shared $simulation $gl --frames --backend --output --json --instances --vary
check_help inspect $shared --json
check_help bench $simulation $gl --instances --vary --scene --size --backend --samples --frames --warm-up-runs --quick \
  --format --output
check_help info $gl
# Help names every ending that is written, and every status that signals give.
refuses 2 "what is written ends with" simulate drape -o a.xyz
endings=$(grep -oE '\.[a-z0-9]+(,|$)' "$work/err" | tr -d ,)
[ "$(wc -w <<<"$endings")" -ge 7 ] || complain "endings: $endings"
run 0 simulate --help all
sed -n '/--output FILE/,/--format/p' "$work/out" >"$work/written"
for ending in $endings; do grep -qF -e "$ending" "$work/written" || complain "help of --output does not say $ending"; done
run 0 --help all
for status in 129 130 143; do prints $status; done
refuses 2 "there is no --warmup: it is --warm-up-frames" bench --warmup 3
refuses 2 "there is no --warm-up: it is --warm-up-runs" bench --warm-up=2

refuses 2 "name a command"
refuses 2 "did you mean simulate" simulat
refuses 2 "the commands are" qqqqqq
refuses 2 "did you mean --frames" simulate drape --frame 3
refuses 2 "unknown option --list, see weft bench --help" bench --list
refuses 2 "--zzzzzzzzz" simulate drape --zzzzzzzzz
refuses 2 "hanging, drape" simulate nothing
refuses 2 "hanging, drape" simulate
refuses 2 "too many" simulate drape flag
refuses 2 "too many" simulate drape --scene flag
refuses 2 "denim" simulate drape --fabric silk
refuses 2 "gs, jacobi, hybrid" simulate drape --mode fast
refuses 2 "auto, colours, patches, single" simulate drape --schedule fast
refuses 2 "schedule patches" simulate drape --size 8 --frames 1 --backend ref --mode jacobi --schedule patches
refuses 2 "--frames needs a value" simulate drape --frames
refuses 2 "--frames needs a value" simulate drape --frames --size 8
refuses 2 "--frames" simulate drape --frames 0
refuses 2 "--frames" simulate drape --frames 3x
refuses 2 "--frames" simulate drape --frames -3
refuses 2 "--frames" simulate drape --frames 99999999999999999999999
refuses 2 "--substeps: 1001" simulate drape --substeps 1001
refuses 2 "--dt: \"1,5\"" simulate drape --dt 1,5
refuses 2 "--dt: \"nan\"" simulate drape --dt nan
refuses 2 "--dt: \"0x1\"" simulate drape --dt 0x1
refuses 2 "--dt: \"\"" simulate drape --dt=
refuses 2 "--gravity" simulate drape --gravity 0,1
refuses 2 "--gravity" simulate drape --gravity 0,1,2,3
refuses 2 "--no-shear takes no value" simulate drape --no-shear=yes
refuses 2 "--pin" simulate drape --pin middle
refuses 2 "--pin box" simulate drape --pin box:0,0,0,1
refuses 2 "--pin box" simulate drape --pin box:1,0,0,0,1,1
refuses 2 "--pin list" simulate drape --pin list:1,,2
refuses 2 "999999" simulate drape --size 8 --frames 1 --backend ref --pin list:1,999999
refuses 2 "gl, cpu, ref" simulate drape --backend vulkan
refuses 2 "--threads" simulate drape --backend cpu --threads 0
refuses 2 "--threads" simulate drape --backend cpu --threads 65
refuses 2 "compared with gl or with cpu" validate --backend ref
refuses 2 "asks a driver" validate --backend cpu --level layout
refuses 2 "--group-size" simulate drape --group-size 48
refuses 2 "--size" simulate x.obj --size 8
refuses 2 "--scale" simulate drape --scale 2
refuses 2 "--seed" simulate drape --seed -1
refuses 2 "frame-%04d.obj" simulate drape -o 'x-%s.obj'
refuses 2 "frame-%04d.obj" simulate drape -o 'x-%d.obj'
refuses 2 "frame-%04d.obj" simulate drape -o 'x-%04d-%04d.obj'
refuses 2 "frame-%04d.obj" simulate drape -o 'x-%04d-%n.obj'
refuses 2 "frame-%04d.obj" simulate drape -o 'x%'
for name in a.stl a.abc a.usd a.fbx a-%04d.x3d ../a.OBJ2; do
  refuses 2 "--output: $name: what is written ends with .obj, " simulate drape --size 4096 -o "$name"
done
refuses 2 "--output: a.obj is given twice" simulate drape -o a.obj -o b.pc2 -o a.obj
refuses 2 "--json: - is written by --output" simulate drape -o - --json -
refuses 2 "one PC2 holds all frames: leave out the number" simulate drape -o a-%04d.pc2
refuses 2 "needs a place for the number of the instance (cloth-%03d.mdd)" simulate drape --instances 2 -o a.mdd
refuses 2 "--output: -: USDA goes into a file, not a pipe" simulate drape -o - --format usda
refuses 2 "--format: stl: what is written ends with .obj, " simulate drape -o - --format stl
refuses 2 "pictures are written as .png, videos as .mp4, .webm or .gif" render drape -o x.exr
refuses 2 "--format" bench --format xml
refuses 2 "drape" bench --scene hanging,nothing
refuses 2 "--size" bench --size 8,x
refuses 2 "too many arguments" info something

# Values that are attached alone: the help shows it, and a detached one is told of.
run 0 simulate --help all
prints "--pin-to-body[=N] "
prints "--dress[=SECONDS] "
run 0 validate --physics --help
prints "--physics[=CASE,...] "
refuses 2 '"0" is too many (a value of --pin-to-body is written --pin-to-body=0)' simulate hanging --pin-to-body 0
refuses 2 '"2" is too many (a value of --dress is written --dress=2)' simulate --dress 2 hanging
refuses 2 '"2" is neither a file nor a scene, the scenes are ' simulate --dress 2
refuses 2 '(a value of --dress is written --dress=2)' simulate --dress 2
refuses 2 '"flag" is too many' simulate hanging --dress --frames 2 flag
grep -q "is written" "$work/err" && complain "a value of --dress that was none: $(cat "$work/err")"

# What does not go together names what was given.
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n' >"$work/solid.obj"
printf 'v 0 0 0\nv 1 0 0\n' >"$work/points.obj"
for scene in rope sand; do
  refuses 2 "simulate: --body: $scene has no cloth for it to push" simulate $scene --size 8 --body "$work/solid.obj"
done
refuses 2 "simulate: --compensated on: it does not go with self-collision, which keeps cloth off a --body" \
  simulate hanging --size 8 --compensated on --body "$work/solid.obj"
refuses 2 "hanging: self-collision holds for" simulate hanging --size 8 --compensated on --self-collision on
grep -q "max-strain" "$work/err" && complain "--max-strain was not given: $(cat "$work/err")"
refuses 2 "--instances: several cloths go with no --body" simulate hanging --size 8 --instances 2 --body "$work/solid.obj"
refuses 2 "--instances: several cloths go with no body, and there is one in walk" simulate walk --size 16 --instances 2
refuses 3 "points.obj: 2 vertices and no faces: there is no surface in it" simulate hanging --size 8 --body "$work/points.obj"
refuses 2 "--layer: dress is given twice, with 1 and 2" simulate hanging --layer dress:1 --layer coat:1 --layer dress:2
for option in friction collider-friction body-friction; do
  run 0 simulate drape --size 8 --frames 1 --backend ref --body "$work/solid.obj" --body-scale 0.01 --collider sphere:0,-9,0,1 --$option 0.2,0.3
  grep -q -- "warning: --$option 0.2,0.3: friction of what slides is more than at rest" "$work/err" || complain "$option: $(cat "$work/err")"
  run 0 simulate drape --size 8 --frames 1 --backend ref --body "$work/solid.obj" --body-scale 0.01 --collider sphere:0,-9,0,1 --$option 0.3,0.3
  grep -q -- "friction" "$work/err" && complain "$option: $(cat "$work/err")"
done

# What a run reads it does not write, whatever the name: nothing is run, and the files stay as they are.
for name in cloth ball seq-1 seq-2; do
  printf 'v 0 %s 0\nv 1 %s 0\nv 0 %s 1\nf 1 2 3\n' ${#name} ${#name} ${#name} >"$work/$name.obj"
done
echo '{"keys": [{"time": 0}]}' >"$work/keys.json"
ln -s cloth.obj "$work/link.obj"
ln "$work/ball.obj" "$work/hard.obj"
mkdir "$work/folder"
read_only() { # TEXT ARGS...
  local text=$1
  shift
  cat "$work"/*.obj "$work"/*.json >"$work/before"
  refuses 2 "$text: is an input of this run, and is not overwritten" "$@"
  cat "$work"/*.obj "$work"/*.json | cmp -s - "$work/before" || complain "weft $*: a file is another"
}
cd "$work" || exit 1
body=(simulate cloth.obj --pin none --frames 3 --backend ref --body ball.obj)
read_only cloth.obj simulate cloth.obj -o cloth.obj
read_only ./folder/../cloth.obj simulate cloth.obj -o ./folder/../cloth.obj
read_only link.obj simulate cloth.obj -o link.obj
read_only cloth.obj simulate link.obj --json cloth.obj
read_only hard.obj "${body[@]}" -o out.obj -o hard.obj
read_only keys.json "${body[@]}" --body-motion keys.json --json keys.json
read_only seq-2.obj "${body[@]}" --body seq-%d.obj --json seq-2.obj
read_only seq-1.obj "${body[@]}" --body seq-%d.obj -o seq-%01d.obj
read_only seq-2.obj simulate seq-2.obj --frames 2 -o seq-%01d.obj
read_only cloth.obj inspect cloth.obj --json cloth.obj
read_only keys.json inspect cloth.obj --motion keys.json --json keys.json
read_only cloth.obj validate cloth.obj --json cloth.obj
read_only keys.json bench --compare keys.json -o keys.json
read_only keys.json bench --from keys.json --report keys.json
read_only keys.json validate --physics --from keys.json --report keys.json
ln "$work/ball.obj" "$work/ball.png"
ln "$work/ball.obj" "$work/p-3.png"
read_only ball.png render cloth.obj --body ball.obj -o ball.png
read_only p-3.png render drape --texture ball.png -o p-%01d.png --from 2 --to 3
ln "$work/ball.obj" "$work/folder/flag.png"
read_only folder/flag.png render --gallery folder --texture ball.png
read_only ball.png demo --texture ball.png --screenshot ball.png
[ -e out.obj ] && complain "a run was begun"
# Numbers that are not reached lose nothing, and a device is no file to be lost.
run 0 simulate seq-2.obj --pin none --frames 1 --backend ref -o seq-%01d.obj
run 0 simulate cloth.obj --pin none --frames 1 --backend ref --json /dev/null -o cloth-1.obj
cd - >"$work/out" || exit 1
finish
