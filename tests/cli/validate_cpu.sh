#!/bin/bash
# The backend cpu beside the reference as a user asks for it: every scene, passes alone, hashes.
source "$(dirname "$0")/helpers.bash"

run 0 validate hanging --backend cpu --level kernel
prints "EQUAL in every bit"
for scene in hanging drape flag curtain skirt pleats sand; do
  run 0 validate "$scene" --backend cpu --threads 2 --size 24 --frames 6
  prints "EQUAL in every bit"
done
run 0 validate drape --backend cpu --size 90 --frames 2 --iterations 3 --fabric tshirt --self-collision off
prints "EQUAL in every bit"
run 0 validate skirt --backend cpu --level substep --size 24 --frames 4 --mode hybrid --self-collision off
prints "EQUAL in every bit"

of() { "$weft" simulate drape --size 70 --frames 3 --backend "$@" | grep hash; }
expected=$(of ref)
for threads in 1 2 3 4; do
  [ "$(of cpu --threads $threads)" = "$expected" ] || complain "cpu on $threads threads: another hash than ref"
done
run 0 bench --scene hanging --size 32 --backend ref,cpu --samples 1 --frames 1
prints "cpu"
finish
