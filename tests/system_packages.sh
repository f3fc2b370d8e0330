#!/bin/sh
# Make sure of the three programs that the tests need beside Python: a Chromium for the browser tests, npm, which fetches
# the Brown corpus on which the tagger's recorded quality is measured again, and nginx, behind which two servers are tried.
set -eu

found() {
    for program in "$@"; do
        if command -v "$program" >/dev/null 2>&1; then return 0; fi
    done
    return 1
}

missing=""
found chromium-headless-shell chromium chromium-browser google-chrome || missing="chromium fonts-noto-color-emoji"
found npm || missing="$missing npm"
found nginx /usr/sbin/nginx || missing="$missing nginx-light"
if [ -z "$missing" ]; then exit 0; fi
if ! found apt-get; then
    echo "The tests need $missing. Install them with your system's package manager, then run make test again." >&2
    exit 1
fi
as_root=""
if [ "$(id -u)" != 0 ]; then as_root="sudo"; fi
$as_root apt-get update -qq
# Debian also has Chromium without windows and menus, which no test needs: a quarter less to compute.
if apt-cache show chromium-headless-shell >/dev/null 2>&1; then
    missing=$(echo "$missing" | sed "s/chromium /chromium-headless-shell /")
fi
# As in runlevel 1, no service is started: the tests start nginx themselves.
$as_root env RUNLEVEL=1 apt-get install -y -qq --no-install-recommends $missing >/dev/null
