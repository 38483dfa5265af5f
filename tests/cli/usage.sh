#!/usr/bin/env bash
# Help is complete, and wrong usage is one sentence that names the thing, with status 2.
. "$(dirname "$0")/helpers.bash"

run 0 --version
[ "$(cat "$work/out")" = "weft $("$weft" info | sed -n '1s/weft //p')" ] || complain "--version"
run 0 --help
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
  run 0 "$command" --help
  prints "usage: weft $command"
  for option in "$@" --log --help; do prints "$option "; done
  run 0 "$command" -h
}
check_help simulate $shared $simulation $gl --frames --backend --output --json --instances --vary
check_help inspect $shared --json
check_help bench $simulation $gl --instances --vary --scene --size --backend --samples --frames --warm-up-runs --quick \
  --format --output
check_help info $gl
# Help names every ending that is written, and every status that signals give.
refuses 2 "what is written ends with" simulate drape -o a.xyz
endings=$(grep -oE '\.[a-z0-9]+(,|$)' "$work/err" | tr -d ,)
[ "$(wc -w <<<"$endings")" -ge 7 ] || complain "endings: $endings"
run 0 simulate --help
sed -n '/--output FILE/,/--format/p' "$work/out" >"$work/written"
for ending in $endings; do grep -qF -e "$ending" "$work/written" || complain "help of --output does not say $ending"; done
run 0 --help
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
finish
