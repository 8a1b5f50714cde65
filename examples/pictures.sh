#!/usr/bin/env bash
# Makes every picture of README, manual and READMEs of the examples again: by
# fdem plot, fit and sweep where they can draw it, by examples/pictures where
# several runs stand side by side, the page of fdem view by a headless Chromium
# where there is one.
#
#   examples/pictures.sh            # all of them: more than an hour, for the rockfall
#   examples/pictures.sh incline    # of one section: an example, or "start", "contact" of the manual
#   examples/pictures.sh --list     # their names, and nothing else
set -euo pipefail
cd "$(dirname "$0")/.."
only=${1:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sections=()
wanted=()

# section NAME PICTURE...: whether these pictures are to be made.
section() {
  sections+=("$1")
  if [ "$only" = --list ]; then
    printf '%s\n' "${@:2}"
    return 1
  fi
  [ -z "$only" ] || [ "$only" = "$1" ] || return 1
  echo "$1"
  wanted+=("${@:2}")
  [ -x "$work/fdem" ] || go build -o "$work/fdem" ./cmd/fdem
}

# pictures MODEL FOLDER "NAMES" [flags of fdem plot]: run a model and keep some
# of its plots in a folder.
pictures() {
  local model=$1 to=$2 names=$3 out
  shift 3
  out=$work/$(basename "$model").out
  "$work/fdem" run "$model" -o "$out" --quiet
  "$work/fdem" plot "$out" -o "$work/plots" "$@" > /dev/null
  for name in $names; do
    cp "$work/plots/${name%%=*}.png" "$to/${name##*=}.png" # plot=picture, or one name for both
  done
  rm -rf "$work/plots"
}

# page RESULTS PICTURE STATE: the page of results in a browser, as the part of
# its address behind # says.
page() {
  local chromium
  chromium=$(command -v chromium || command -v chromium-headless-shell || command -v chromium-browser || command -v google-chrome || true)
  if [ -z "$chromium" ]; then
    echo "no Chromium: $2 stays as it is"
    touch "$2"
    return
  fi
  "$work/fdem" report "$1" -o "$work/report.html" > /dev/null
  "$chromium" --headless --no-sandbox --enable-unsafe-swiftshader --hide-scrollbars --window-size=1200,850 \
    --virtual-time-budget=8000 --screenshot="$work/page.png" "file://$work/report.html#$3" 2> /dev/null
  cp "$work/page.png" "$2"
}

# shaped EXAMPLE: its deck and the mesh of its shapes in the folder of work.
shaped() {
  cp "examples/$1/$1.toml" "examples/$1/$1.shapes.toml" "$work"
  "$work/fdem" mesh "$work/$1.shapes.toml" --force
}

# special EXAMPLE: its pictures by examples/pictures.
special() { go run ./examples/pictures "$1" "examples/$1"; }

if section elastic-collision examples/elastic-collision/{velocity,force,energy,stages,view}.png; then
  pictures examples/elastic-collision/elastic-collision.msh examples/elastic-collision "velocity force energy stages" --stages 12 --magnify 60 --displacements
  page "$work/elastic-collision.msh.out" examples/elastic-collision/view.png "frame=41&magnify=60"
fi
if section incline examples/incline/energy.png; then
  pictures examples/incline/incline-slide.toml examples/incline "energy"
fi
if section friction-drive examples/friction-drive/{reaction,wheels}.png; then
  pictures examples/friction-drive/friction-drive.toml examples/friction-drive "reaction mesh=wheels" --at "30 ms" --field velocity
fi
if section newtons-cradle examples/newtons-cradle/{velocity,mesh}.png; then
  pictures examples/newtons-cradle/newtons-cradle.msh examples/newtons-cradle "velocity mesh" --at "120 us"
fi
if section beam-impact examples/beam-impact/struck.png; then
  pictures examples/beam-impact/beam-impact.toml examples/beam-impact "mesh=struck" --at "150 us" --magnify 5000 --displacements
fi
if section portal-frame examples/portal-frame/hinged.png; then
  pictures examples/portal-frame/portal-hinged.toml examples/portal-frame "mesh=hinged" --magnify 60 --displacements
fi
if section rockfall examples/rockfall/stages.png; then
  pictures "${ROCKFALL:-examples/rockfall/rockfall.toml}" examples/rockfall "stages" --stages 4 --field velocity # ROCKFALL: another deck
fi
if section rockfall-breaking examples/rockfall-breaking/fragments.png; then
  pictures examples/rockfall-breaking/rockfall-breaking.toml examples/rockfall-breaking "mesh=fragments" --at "300 ms" --field fragment --window "-240 mm,-290 mm,240 mm,-140 mm"
fi
if section spall-bar examples/spall-bar/{stages,energy}.png; then
  pictures examples/spall-bar/spall-bar.toml examples/spall-bar "stages energy" --stages 6 --magnify 500 --displacements --field velocity
fi
if section hydraulic-fracture examples/hydraulic-fracture/crack.png; then
  pictures examples/hydraulic-fracture/hydraulic-fracture.toml examples/hydraulic-fracture "mesh=crack" --at "12 ms" --magnify 500 --displacements --field stress --window "-20 mm,-160 mm,420 mm,160 mm"
fi
if section blasted-hole examples/blasted-hole/cracks.png; then
  pictures examples/blasted-hole/blasted-hole.toml examples/blasted-hole "mesh=cracks" --at "0.6 ms" --magnify 100 --displacements --field stress
fi
if section brazilian-disc examples/brazilian-disc/{split,cracks}.png; then
  pictures examples/brazilian-disc/brazilian-disc.toml examples/brazilian-disc "mesh=split cracks" --at "522 us" --magnify 100 --displacements --field stress
fi
if section tunnel examples/tunnel/{cracks,roof}.png; then
  pictures examples/tunnel/tunnel-breaks.toml examples/tunnel "mesh=cracks" --at "200 ms" --magnify 200 --displacements --field stress --window "-5 m,-5 m,5 m,5 m"
  pictures examples/tunnel/roof.toml examples/tunnel "stages=roof" --stages 4 --field fragment --window "-2.5 m,-2 m,2.5 m,3.2 m"
fi
if section joint-network examples/joint-network/sheared.png; then
  pictures examples/joint-network/joint-network.toml examples/joint-network "mesh=sheared" --at "30 ms" --magnify 50 --displacements --field stress
fi
if section double-cantilever examples/double-cantilever/crack.png; then
  pictures examples/double-cantilever/double-cantilever.toml examples/double-cantilever "mesh=crack" --at "10 ms" --field stress
fi
if section notched-beam examples/notched-beam/crack.png; then
  pictures examples/notched-beam/notched-beam.toml examples/notched-beam "mesh=crack" --at "16 ms" --field stress --magnify 100 --displacements
fi
if section branching-plate examples/branching-plate/cracks.png; then
  pictures examples/branching-plate/branching-plate.toml examples/branching-plate "mesh=cracks" --at "60 us" --field stress --magnify 50 --displacements
fi
if section kalthoff examples/kalthoff/cracks.png; then
  pictures examples/kalthoff/kalthoff.toml examples/kalthoff "mesh=cracks" --at "85 us" --field von_mises --magnify 5 --displacements
fi
if section expanding-ring examples/expanding-ring/cracks.png; then
  pictures examples/expanding-ring/expanding-ring.toml examples/expanding-ring "mesh=cracks" --at "50 us" --field fragment --magnify 50 --displacements --window "120 mm,70 mm,240 mm,190 mm"
fi
if section uniaxial-compression examples/uniaxial-compression/cracks.png; then
  pictures examples/uniaxial-compression/uniaxial-compression.toml examples/uniaxial-compression "mesh=cracks" --at "2.46 ms" --field fragment --magnify 10 --displacements
fi
if section hopper examples/hopper/stages.png; then
  shaped hopper
  pictures "$work/hopper.toml" examples/hopper "stages" --stages 4
fi
if section grains-on-beam examples/grains-on-beam/mesh.png; then
  shaped grains-on-beam
  pictures "$work/grains-on-beam.toml" examples/grains-on-beam "mesh" --at "1.2 s"
fi
if section shot-peening examples/shot-peening/stages.png; then
  shaped shot-peening
  pictures "$work/shot-peening.toml" examples/shot-peening "stages" --stages 4 --field von_mises
fi
if section beam-on-flat examples/beam-on-flat/{hysteresis,loading,unloading,reloading}.png; then special beam-on-flat; fi
if section clearance-joint examples/clearance-joint/force.png; then special clearance-joint; fi
if section disc-in-hollow examples/disc-in-hollow/disc-in-hollow.png; then special disc-in-hollow; fi
if section sphere-chain examples/sphere-chain/{attenuation,wave}.png; then special sphere-chain; fi
if section three-balls examples/three-balls/{resumed,second}.png; then special three-balls; fi
if section rough-spheres examples/rough-spheres/figure-{3,4,5,6,7,8}.png; then
  go run ./examples/rough-spheres "$work/rough" && cp "$work"/rough/*.png examples/rough-spheres
fi
if section law-fit examples/law-fit/fit.png; then
  "$work/fdem" fit examples/law-fit/press.csv --model kostek -o "$work/fit" > /dev/null
  cp "$work/fit/fit.png" examples/law-fit/fit.png
fi
if section restitution-study examples/restitution-study/restitution.png; then
  "$work/fdem" sweep examples/restitution-study/restitution.study.toml -o "$work/study" --quiet
  cp "$work/study/restitution.png" examples/restitution-study/restitution.png
fi
if section materials docs/materials/{bumper,taylor-bar,footing,slope,neck}.png; then
  mkdir -p docs/materials
  "$work/fdem" new "$work/bumper" --template bumper > /dev/null
  pictures "$work/bumper/bumper.toml" docs/materials "stages=bumper" --stages 3
  for name in taylor-bar footing slope; do
    "$work/fdem" new "$work/$name" --template $name > /dev/null
    pictures "$work/$name/$name.toml" docs/materials "mesh=$name" --field plastic_strain --at "1 h" # the end
  done
  cp cmd/fdem/testdata/neck/* "$work"
  "$work/fdem" mesh "$work/neck.shapes.toml"
  pictures "$work/neck.toml" docs/materials "mesh=neck" --field plastic_strain
fi
if section start docs/start/{mesh,energy,force,page}.png; then
  (cd "$work" && ./fdem new first > /dev/null)
  pictures "$work/first/first.msh" docs/start "mesh energy force" --at "180 us" --magnify 60
  page "$work/first.msh.out" docs/start/page.png "frame=37&magnify=60"
fi
if section contact docs/contact/{arcs,convex,deep,grazing,line,overlap,reentrant,self,two-bodies}.svg; then
  go test ./contactnodes -count=1 -run TestPictures -pictures "$PWD/docs/contact" > /dev/null
fi

if [ "$only" = --list ]; then exit; fi
if [ ${#wanted[@]} = 0 ]; then
  echo "no section $only; there are: ${sections[*]}" >&2
  exit 2
fi
for picture in "${wanted[@]}"; do
  if [ ! "$picture" -nt "$work/fdem" ]; then
    echo "$picture was not made" >&2
    exit 1
  fi
done
