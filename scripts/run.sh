#!/usr/bin/env bash
# run.sh [OPTION...]: installs missing packages, builds, and starts swiftlet with the options.

source "$(dirname "$0")/common.sh"
scripts/packages.sh run
scripts/build.sh swiftlet

swiftlet=.build-release/swiftlet
case " $* " in
  # These commands need no audio output.
  *' --wait-for-output '* | *' outputs '* | *' status '* | *' config '* | *' --help '* | *' -h '* | *' help '* | \
    *' --version '*) ;;
  *)
    # Use the null output for a trial without a sound card. swiftlet itself never chooses it.
    if ! "$swiftlet" config show "$@" 2>/dev/null | grep --quiet '^output = ' &&
      ! "$swiftlet" outputs --preferred >/dev/null 2>&1; then
      say "No audio device can be opened. Using the null output, which is silent."
      set -- "$@" --output null
    fi
    ;;
esac
exec "$swiftlet" "$@"
