#!/bin/sh
# Makes the environment in .venv: `set_up.sh base` for running, `set_up.sh test` for testing too.
set -eu

what=$1
python=${PYTHON:-python3}

say() { echo "set-up: $*" >&2; }

case $what in
    base) extras="" ;;
    test) extras="scale parquet vectors test" ;;
    *) say "there is no set-up named $what"; exit 2 ;;
esac

"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || {
    say "Python 3.11 or newer is needed; $python is $("$python" --version 2>&1 || echo missing)."
    say "Install it (Debian: apt install python3), or name one: make PYTHON=python3.12 setup"
    exit 1
}

if [ ! -x .venv/bin/python ] || ! .venv/bin/python -m pip --version >/dev/null 2>&1; then
    say "1 of 4: making the environment in .venv"
    "$python" -m venv --clear .venv >/dev/null || {
        rm -rf .venv
        version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
        say "This Python cannot make environments. On Debian and Ubuntu type, as root:"
        say "    apt install python3-venv    (or python$version-venv)"
        exit 1
    }
fi

with_uv() {
    say "2 of 4: installing uv, which installs the packages"
    .venv/bin/python -m pip install --quiet --constraint constraints.txt uv || return 1
    options=""
    for extra in $extras; do options="$options --extra $extra"; done
    say "3 of 4: installing the packages for $what"
    # Its own lines follow: what is downloaded, how large it is, and what has been installed.
    # shellcheck disable=SC2086
    .venv/bin/uv pip install --python .venv/bin/python -r pyproject.toml -c constraints.txt $options >&2
}

# The packages alone: the project itself is run from this folder.
requirements() {
    # shellcheck disable=SC2086
    .venv/bin/python - $extras <<'END'
import sys, tomllib
project = tomllib.load(open("pyproject.toml", "rb"))["project"]
print(*project["dependencies"], sep="\n")
for extra in sys.argv[1:]:
    print(*project["optional-dependencies"][extra], sep="\n")
END
}

with_pip() {
    say "uv does not work here; installing with pip, which takes longer"
    requirements >.venv/requirements.txt
    .venv/bin/python -m pip install --progress-bar off --constraint constraints.txt \
        --requirement .venv/requirements.txt >&2
}

compile() {
    say "4 of 4: compiling, so that the first start is quick"
    data=$(mktemp -d)
    PYTHONDONTWRITEBYTECODE="" PYTHONPATH=. CRAWLSITE_DATA=$data/d \
        .venv/bin/python scripts/compile.py >"$data/said" 2>&1 ||
        say "left for the first start: compiling ($(tail -n 1 "$data/said"))"
    rm -rf "$data"
}

with_uv || with_pip
compile
touch ".venv/installed-$what"
if [ "$what" = test ]; then touch .venv/installed-base; fi
say "ready"
