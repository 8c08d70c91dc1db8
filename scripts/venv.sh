#!/usr/bin/env bash
# Makes .venv, the Python environment of the interop tests, with the packages that they pin; again when those change.

source "$(dirname "$0")/common.sh"

requirements=Tests/interop/requirements.txt
cmp --silent "$requirements" .venv/requirements.txt && exit 0
say "Setting up the Python environment of the interop tests"
rm -rf .venv
# Debian's own Python, whose venv module packages.sh has installed.
/usr/bin/python3 -m venv .venv
.venv/bin/pip install --quiet --disable-pip-version-check --requirement "$requirements" >&2 </dev/null
cp "$requirements" .venv/requirements.txt
