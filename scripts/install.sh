#!/usr/bin/env bash
# install.sh install|uninstall: installs the program that scripts/build.sh built, or removes it.
#
# Environment: PREFIX (/usr/local), DESTDIR (none), SWIFTLET (the program), and for packagers UNITDIR and ZSHDIR.

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
# Independent of the prefix.
configuration=/etc/swiftlet/swiftlet.toml

# Whether this installs on the machine itself, and systemd runs it.
is_live() { [[ -z $destdir && -d /run/systemd/system ]]; }

# place MODE FILE: writes standard input to the file.
place() {
  install -D --mode="$1" /dev/stdin "$destdir$2"
}

# page NAME: prints a manual page, with the keys of the program.
page() {
  local text
  text=$(<"packaging/man/$1")
  text=${text//@DATE@/$(date --utc --date="@$(source_date)" +%Y-%m-%d)}
  text=${text//@VERSION@/$(version)}
  # Quoted: an unquoted ampersand would stand for the matched text.
  text=${text/@KEYS@/"$("$built" config manual keys)"}
  printf '%s\n' "${text/@OPTIONS@/"$("$built" config manual options)"}"
}

install_all() {
  [[ -x $built ]] || die 69 "There is no $built: run \`make build\` first."
  install -D --mode=755 "$built" "$destdir$program"
  sed "s|@BINDIR@|$prefix/bin|g" packaging/swiftlet.service.in | place 644 "$unit"
  page swiftlet.1 | place 644 "$manual"
  page swiftlet.toml.5 | place 644 "$file_manual"
  # Sourced by a shell, so it needs no interpreter line.
  "$built" --generate-completion-script bash | sed '1{/^#!/d}' | place 644 "$bash_completion"
  "$built" --generate-completion-script zsh | place 644 "$zsh_completion"
  "$built" --generate-completion-script fish | place 644 "$fish_completion"
  # Keeps an existing configuration.
  [[ -e $destdir$configuration ]] || place 644 "$configuration" <packaging/swiftlet.toml
  say "Installed in $destdir$prefix; the configuration is $destdir$configuration"
  is_live || return 0
  systemctl daemon-reload
  if systemctl --quiet is-active swiftlet.service; then
    say "Start the new version: systemctl restart swiftlet"
  else
    say "Start it now and at every boot: systemctl enable --now swiftlet"
  fi
}

# remove_empty_folders FILE: removes the folders of the file that are empty now.
remove_empty_folders() {
  local folder=${1%/*}
  while [[ -n $folder ]]; do
    # Standard folders stay, except in a DESTDIR.
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
    [[ ! -e $destdir$file ]] || say "Kept: $destdir$file"
  done
}

case ${1-} in
  install) install_all ;;
  uninstall) uninstall_all ;;
  *) die 64 "usage: install.sh install|uninstall" ;;
esac
