#!/usr/bin/env bash
# run.sh [OPTION...]: installs what is missing, builds, and starts swiftlet with the options.

source "$(dirname "$0")/common.sh"
scripts/packages.sh run
scripts/build.sh

swiftlet=.build-release/swiftlet
case " $* " in
  # There will be no sound, or it is waited for.
  *' --wait-for-output '* | *' outputs '* | *' status '* | *' config '* | *' --help '* | *' -h '* | *' help '* | \
    *' --version '*) ;;
  *)
    # A trial without an audio device is still a trial. On its own, swiftlet never plays to nowhere unasked.
    if ! "$swiftlet" config show "$@" 2>/dev/null | grep --quiet '^output = ' &&
      ! "$swiftlet" outputs --preferred >/dev/null 2>&1; then
      say "There is no audio device that can be opened: playing to the null output, which keeps time and makes no sound."
      set -- "$@" --output null
    fi
    ;;
esac
exec "$swiftlet" "$@"
