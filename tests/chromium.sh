#!/bin/sh
# Make sure that the browser tests find a Chromium: the system's own, else one from the system's packages.
set -eu
for browser in chromium chromium-browser google-chrome; do
    if command -v "$browser" >/dev/null 2>&1; then exit 0; fi
done
if ! command -v apt-get >/dev/null 2>&1; then
    echo "The browser tests need Chromium. Install it with your system's package manager, then run make test again." >&2
    exit 1
fi
as_root=""
if [ "$(id -u)" != 0 ]; then as_root="sudo"; fi
$as_root apt-get update -qq
$as_root apt-get install -y -qq --no-install-recommends chromium fonts-noto-color-emoji >/dev/null
