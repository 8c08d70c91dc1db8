#!/usr/bin/env bash
# install.sh install|uninstall: puts what scripts/build.sh has built in its place, or takes it away again.
#
# In the environment: PREFIX (/usr/local), DESTDIR (none), SWIFTLET (what was built), and where a package wants something
# elsewhere, UNITDIR and ZSHDIR.

source "$(dirname "$0")/common.sh"

prefix=${PREFIX:-/usr/local}
destdir=${DESTDIR:-}
built=${SWIFTLET:-.build-release/swiftlet}
program=$prefix/bin/swiftlet
unit=${UNITDIR:-$prefix/lib/systemd/system}/swiftlet.service
manual=$prefix/share/man/man1/swiftlet.1
file_manual=$prefix/share/man/man5/swiftlet.toml.5
bash_completion=$prefix/share/bash-completion/completions/swiftlet
zsh_completion=${ZSHDIR:-$prefix/share/zsh/site-functions}/_swiftlet
fish_completion=$prefix/share/fish/vendor_completions.d/swiftlet.fish
# Where swiftlet looks for it, whatever the prefix.
configuration=/etc/swiftlet/swiftlet.toml

# Whether this is about the machine itself, and it is run by systemd.
is_live() { [[ -z $destdir && -d /run/systemd/system ]]; }

# place MODE FILE: puts the standard input there.
place() {
  install -D --mode="$1" /dev/stdin "$destdir$2"
}

# page NAME: a manual page, with what only the program itself knows put in.
page() {
  local text
  text=$(<"packaging/man/$1")
  text=${text//@DATE@/$(date --utc --date="@$(source_date)" +%Y-%m-%d)}
  text=${text//@VERSION@/$(version)}
  # Quoted: an ampersand would mean what it stands for.
  text=${text/@KEYS@/"$("$built" config manual keys)"}
  printf '%s\n' "${text/@OPTIONS@/"$("$built" config manual options)"}"
}

install_all() {
  [[ -x $built ]] || die 69 "There is no $built: run \`make build\` first."
  install -D --mode=755 "$built" "$destdir$program"
  sed "s|@BINDIR@|$prefix/bin|g" packaging/swiftlet.service.in | place 644 "$unit"
  page swiftlet.1 | place 644 "$manual"
  page swiftlet.toml.5 | place 644 "$file_manual"
  # It is read by a shell, not run.
  "$built" --generate-completion-script bash | sed '1{/^#!/d}' | place 644 "$bash_completion"
  "$built" --generate-completion-script zsh | place 644 "$zsh_completion"
  "$built" --generate-completion-script fish | place 644 "$fish_completion"
  # What somebody has written stays.
  [[ -e $destdir$configuration ]] || place 644 "$configuration" <packaging/swiftlet.toml
  say "Installed in $destdir$prefix; the configuration is $destdir$configuration"
  is_live || return 0
  systemctl daemon-reload
  if systemctl --quiet is-active swiftlet.service; then
    say "The new one plays after: systemctl restart swiftlet"
  else
    say "Start it now and at every boot: systemctl enable --now swiftlet"
  fi
}

# remove_empty_folders FILE: those that it was in, as far as they are nobody else's.
remove_empty_folders() {
  local folder=${1%/*}
  while [[ -n $folder ]]; do
    # These are there without us, empty or not; a tree that is made for us has nothing that is there without us.
    if [[ -z $destdir ]]; then
      case $folder in
        "$prefix" | "$prefix"/bin | "$prefix"/lib | "$prefix"/share | "$prefix"/share/man | /etc) break ;;
      esac
    fi
    rmdir "$destdir$folder" 2>/dev/null || break
    folder=${folder%/*}
  done
}

uninstall_all() {
  local file files=("$program" "$unit" "$manual" "$file_manual" "$bash_completion" "$zsh_completion" "$fish_completion")
  if is_live; then systemctl --quiet disable --now swiftlet.service || true; fi
  if cmp --silent packaging/swiftlet.toml "$destdir$configuration"; then files+=("$configuration"); fi
  for file in "${files[@]}"; do
    rm --force "$destdir$file"
    remove_empty_folders "$file"
  done
  if is_live; then systemctl daemon-reload; fi
  say "Removed from $destdir$prefix."
  for file in "$configuration" /var/lib/swiftlet; do
    [[ ! -e $destdir$file ]] || say "Left, since it is yours: $destdir$file"
  done
}

case ${1-} in
  install) install_all ;;
  uninstall) uninstall_all ;;
  *) die 64 "usage: install.sh install|uninstall" ;;
esac
