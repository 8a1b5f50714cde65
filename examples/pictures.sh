#!/usr/bin/env bash
# Makes the pictures of the examples' READMEs and of the manual again, by
# fdem run and fdem plot, and the screenshot of the page by a headless Chromium
# where there is one.
#
#   examples/pictures.sh            # all of them, minutes
#   examples/pictures.sh incline    # one example, or "start" of the manual
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go build -o "$work/fdem" ./cmd/fdem
only=${1:-}

# pictures MODEL FOLDER "NAMES" [flags of fdem plot]: run a model and keep some
# of its plots in a folder.
pictures() {
  local model=$1 to=$2 names=$3 out
  shift 3
  out=$work/$(basename "$model").out
  echo "$model"
  "$work/fdem" run "$model" -o "$out" --quiet
  "$work/fdem" plot "$out" -o "$work/plots" "$@" > /dev/null
  mkdir -p "$to"
  for name in $names; do
    cp "$work/plots/${name%%=*}.png" "$to/${name##*=}.png" # plot=picture, or one name for both
  done
  rm -rf "$work/plots"
}

want() { [ -z "$only" ] || [ "$only" = "$1" ]; }

if want elastic-collision; then
  pictures examples/elastic-collision/elastic-collision.msh examples/elastic-collision "velocity force energy stages" --stages 12 --magnify 60
fi
if want incline; then
  pictures examples/incline/incline-slide.toml examples/incline "energy"
fi
if want newtons-cradle; then
  pictures examples/newtons-cradle/newtons-cradle.msh examples/newtons-cradle "velocity mesh" --at "120 us"
fi
if want rockfall; then
  pictures examples/rockfall/rockfall.msh examples/rockfall "stages" --stages 4 --field velocity
fi
if want start; then
  (cd "$work" && ./fdem new first > /dev/null)
  pictures "$work/first/first.msh" docs/start "mesh energy force pressure" --magnify 60
  chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
  if [ -n "$chromium" ]; then
    "$work/fdem" report "$work/first.msh.out" -o "$work/report.html" > /dev/null
    "$chromium" --headless --no-sandbox --enable-unsafe-swiftshader --hide-scrollbars --window-size=1200,850 \
      --virtual-time-budget=4000 --screenshot="$work/page.png" "file://$work/report.html#frame=36&magnify=60" 2> /dev/null
    cp "$work/page.png" docs/start/page.png
  fi
fi
