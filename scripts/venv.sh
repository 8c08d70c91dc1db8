#!/usr/bin/env bash
# Creates .venv, the Python environment of the interop tests, and updates it when the pinned packages change.

source "$(dirname "$0")/common.sh"

requirements=Tests/interop/requirements.txt
cmp --silent "$requirements" .venv/requirements.txt && exit 0
say "Setting up the Python environment of the interop tests"
rm -rf .venv
# Debian's Python, for which packages.sh installs the venv module, and D-Bus and GLib for python-dbusmock.
/usr/bin/python3 -m venv --system-site-packages .venv
.venv/bin/pip install --quiet --disable-pip-version-check --requirement "$requirements" >&2 </dev/null
cp "$requirements" .venv/requirements.txt
