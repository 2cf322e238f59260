#!/bin/sh
# Checks the JavaScript with Debian's eslint and runs its tests with node; nothing comes from npm.
# Where one of the two is missing it is installed if allowed; in CI a missing one is a failure.
set -eu
cd "$(dirname "$0")/.."

complete() { command -v node >/dev/null 2>&1 && command -v eslint >/dev/null 2>&1; }

if ! complete && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "installing node and eslint for the checks of the JavaScript" >&2
    export DEBIAN_FRONTEND=noninteractive
    packages=eslint
    command -v node >/dev/null 2>&1 || packages="nodejs eslint"
    { apt-get update -qq && apt-get install -y -qq $packages; } >/dev/null </dev/null || true
fi
if ! complete; then
    echo "The JavaScript is checked with node and eslint. Type: sudo apt-get install -y nodejs eslint" >&2
    [ -z "${CI:-}" ] || exit 1
    exit 0
fi
# Debian's eslint needs Debian's modules, also under a node from elsewhere.
export NODE_PATH="/usr/share/nodejs:/usr/lib/nodejs${NODE_PATH:+:$NODE_PATH}"
eslint static/js tests/js
node --test tests/js/*.test.js
