#!/usr/bin/env bash
# install.sh install|uninstall [PROGRAM ...]: installs or removes swiftlet and swiftlet-control, or the given programs.
#
# Environment: PREFIX (/usr/local), DESTDIR (none), SWIFTLET and SWIFTLET_CONTROL (the programs that scripts/build.sh built), and
# for packagers UNITDIR, ZSHDIR, DBUSDIR, and EMULATOR, the command that runs programs of another architecture.

source "$(dirname "$0")/common.sh"

prefix=${PREFIX:-/usr/local}
destdir=${DESTDIR:-}
units=${UNITDIR:-$prefix/lib/systemd/system}
# Drop-ins for the unit, which the owner links.
drop_ins=$prefix/share/swiftlet/drop-ins
# The control script and examples for Snapcast.
snapcast=$prefix/share/swiftlet/snapcast
user=$prefix/lib/sysusers.d/swiftlet.conf
# Independent of the prefix.
policy=${DBUSDIR:-/etc/dbus-1/system.d}/org.mpris.MediaPlayer2.swiftlet.conf
configuration=/etc/swiftlet/swiftlet.toml

# is_live: succeeds if this installs on a machine that systemd runs, not in a DESTDIR.
is_live() { [[ -z $destdir && -d /run/systemd/system ]]; }

# built PROGRAM: prints the path of the program to install.
built() {
  case $1 in
    swiftlet) printf '%s\n' "${SWIFTLET:-.build-release/swiftlet}" ;;
    swiftlet-control) printf '%s\n' "${SWIFTLET_CONTROL:-.build-release/swiftlet-control}" ;;
    *) die 64 "There is no program $1." ;;
  esac
}

# run PROGRAM [ARGUMENT ...]: runs the program to install.
run() {
  local emulator
  read -r -a emulator <<<"${EMULATOR-}"
  "${emulator[@]}" "$(built "$1")" "${@:2}"
}

# manuals PROGRAM: prints the names of its manual pages.
manuals() {
  printf '%s\n' "$1.1"
  [[ $1 != swiftlet ]] || printf '%s\n' swiftlet.toml.5
}

# completion PROGRAM SHELL: prints the path of a completion script.
completion() {
  case $2 in
    bash) printf '%s\n' "$prefix/share/bash-completion/completions/$1" ;;
    zsh) printf '%s\n' "${ZSHDIR:-$prefix/share/zsh/site-functions}/_$1" ;;
    fish) printf '%s\n' "$prefix/share/fish/vendor_completions.d/$1.fish" ;;
  esac
}

# place MODE FILE: writes standard input to the file.
place() {
  install -D --mode="$1" /dev/stdin "$destdir$2"
}

# page PROGRAM NAME: prints a manual page, with the parts that the program generates.
page() {
  local text part manual=(manual)
  [[ $1 != swiftlet ]] || manual=(config manual)
  text=$(<"packaging/man/$2")
  text=${text//@DATE@/$(date --utc --date="@$(source_date)" +%Y-%m-%d)}
  text=${text//@VERSION@/$(version)}
  for part in keys commands arguments options; do
    [[ $text == *"@${part^^}@"* ]] || continue
    # Quoted: an unquoted ampersand would stand for the matched text.
    text=${text/@${part^^}@/"$(run "$1" "${manual[@]}" "$part")"}
  done
  printf '%s\n' "$text"
}

install_program() {
  local program=$1 built manual shell
  built=$(built "$program")
  [[ -x $built ]] || die 69 "There is no $built: run \`make build\` first."
  install -D --mode=755 "$built" "$destdir$prefix/bin/$program"
  for manual in $(manuals "$program"); do
    page "$program" "$manual" | place 644 "$prefix/share/man/man${manual##*.}/$manual"
  done
  for shell in bash zsh fish; do
    # bash sources its script, so the interpreter line is removed.
    run "$program" --generate-completion-script "$shell" | sed '1{/^#!/d}' | place 644 "$(completion "$program" "$shell")"
  done
}

# unit [INSTANCE TITLE OPTIONS]: prints the unit of the service, or that of further speakers.
unit() {
  sed "s|@BINDIR@|$prefix/bin|g; s|@INSTANCE@|${1-}|g; s|@TITLE@|${2-}|; s|@OPTIONS@|${3-}|" packaging/swiftlet.service.in
}

install_service() {
  local file
  for file in packaging/drop-ins/*.conf; do place 644 "$drop_ins/${file##*/}" <"$file"; done
  unit | place 644 "$units/swiftlet.service"
  unit -%i ': %i' ' --config /etc/swiftlet/%i.toml' | place 644 "$units/swiftlet@.service"
  for file in packaging/snapcast/*.conf; do
    sed "s|/usr/share/swiftlet|$prefix/share/swiftlet|g" "$file" | place 644 "$snapcast/${file##*/}"
  done
  place 755 "$snapcast/snapcast-control.py" <packaging/snapcast/snapcast-control.py
  place 644 "$policy" <packaging/swiftlet-dbus.conf
  place 644 "$user" <packaging/swiftlet.sysusers
  # Keeps an existing configuration.
  [[ -e $destdir$configuration ]] || place 644 "$configuration" <packaging/swiftlet.toml
  say "The configuration is $destdir$configuration"
  is_live || return 0
  systemd-sysusers swiftlet.conf
  systemctl daemon-reload
  if systemctl --quiet is-active swiftlet.service; then
    say "Start the new version: systemctl restart swiftlet"
  else
    say "Start it now and at every boot: systemctl enable --now swiftlet"
  fi
}

# remove_file FILE: removes it, and its folders if they are empty now.
remove_file() {
  local folder=${1%/*}
  rm --force "$destdir$1"
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

uninstall_program() {
  local manual shell
  for manual in $(manuals "$1"); do remove_file "$prefix/share/man/man${manual##*.}/$manual"; done
  for shell in bash zsh fish; do remove_file "$(completion "$1" "$shell")"; done
  remove_file "$prefix/bin/$1"
}

stop_service() {
  systemctl --quiet disable --now swiftlet.service || true
  systemctl stop 'swiftlet@*.service' || true
}

uninstall_service() {
  local file
  for file in packaging/drop-ins/*.conf; do remove_file "$drop_ins/${file##*/}"; done
  remove_file "$units/swiftlet.service"
  remove_file "$units/swiftlet@.service"
  for file in packaging/snapcast/*; do remove_file "$snapcast/${file##*/}"; done
  remove_file "$policy"
  remove_file "$user"
  ! cmp --silent packaging/swiftlet.toml "$destdir$configuration" || remove_file "$configuration"
  if is_live; then systemctl daemon-reload; fi
  rm -rf "$destdir"/var/cache/{,private/}swiftlet{,-*}
  for file in "$destdir"/etc/swiftlet/*.toml "$destdir"/var/lib/swiftlet{,-*}; do
    [[ ! -e $file ]] || say "Kept: $file"
  done
}

command=${1-}
programs=("${@:2}")
((${#programs[@]})) || programs=(swiftlet swiftlet-control)
for program in "${programs[@]}"; do
  case $command in
    install)
      install_program "$program"
      [[ $program != swiftlet ]] || install_service
      ;;
    uninstall)
      # Stop the service before its unit and its program are removed.
      if [[ $program == swiftlet ]] && is_live; then stop_service; fi
      uninstall_program "$program"
      [[ $program != swiftlet ]] || uninstall_service
      ;;
    *) die 64 "usage: install.sh install|uninstall [PROGRAM ...]" ;;
  esac
done
case $command in
  install) say "Installed in $destdir$prefix: ${programs[*]}" ;;
  uninstall) say "Removed from $destdir$prefix: ${programs[*]}" ;;
esac
