#!/bin/sh
# Finds Chromium for the browser tests, or installs it if allowed.
set -eu

found() { command -v chromium >/dev/null 2>&1 || command -v chromium-browser >/dev/null 2>&1; }

found && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "installing Chromium for the browser tests" >&2
    export DEBIAN_FRONTEND=noninteractive
    { apt-get update -qq && apt-get install -y -qq chromium; } >/dev/null </dev/null || true
fi
found && exit 0
echo "The browser tests need Chromium. Type: sudo apt-get install -y chromium" >&2
[ -z "${CI:-}" ] || exit 1
