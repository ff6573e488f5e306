#!/usr/bin/env bash
# piece MINUTES OUT [decay] [MORE...]: trains for MINUTES with this folder's archive, and puts the weights
# into OUT in parts. Continues the previous piece, whose folder is WORK (by default next to this one).
set -euo pipefail
kit=$(cd "$(dirname "$0")" && pwd)
minutes=$1 out=$2
shift 2
work=${WORK:-$kit-work}
python=${PYTHON:-python3}
if [ ! -e "$work/documents.jsonl" ]; then
    mkdir -p "$work"
    "$python" -m tarfile -e "$kit/kit.tar.xz" "$work"
fi
cd "$work"
exec "$python" -m training.piece --minutes "$minutes" --out "$out" "$@"
