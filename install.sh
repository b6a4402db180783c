#!/bin/sh
# Installs the executable of mailer, its manual pages and completions for bash, zsh and fish:
#
#   MAILER_DOWNLOAD=https://… sh install.sh [--version V] [--dir PREFIX]
#
# MAILER_DOWNLOAD is the URL of the directory with the files of a release. Nothing is installed whose checksum is not that
# in SHA256SUMS beside it. See docs/verify.md.

# `npm run release` writes the version and, if it is known, the URL of the repository here.
released_version=''
repository=''

list=share/doc/mailer/installed-files.txt
unchanged='Nothing was installed or changed.'

usage() {
  cat <<'END'
Usage: sh install.sh [--version V] [--dir PREFIX] [--uninstall]

  --version V    the version to install (default: that of this script, or the only one in SHA256SUMS)
  --dir PREFIX   where to install: PREFIX/bin/mailer and PREFIX/share (default: ~/.local)
  --uninstall    remove what this script installed in PREFIX; your configuration and data stay
  --help         show this

Environment:
  MAILER_DOWNLOAD         URL of the directory with the files of a release
  MAILER_SHA256           the checksum that the archive must have, in place of the one in SHA256SUMS
  MAILER_DOWNLOAD_HTTP=1  allow http, which anybody on the way can change (always allowed to this machine itself)
  https_proxy, no_proxy   as curl and wget read them
END
}

# Without a word if nobody reads it any more.
say() { printf '%s\n' "$*" 2>/dev/null; }

fail() {
  say "Error: $*" >&2
  [ -z "$unchanged" ] || say "$unchanged" >&2
  exit 1
}

has() { command -v "$1" >/dev/null 2>&1; }

# A word for a shell, in quotes if it needs them.
quoted() {
  case $1 in
    *[!A-Za-z0-9_./-]*) printf "'%s'" "$(printf %s "$1" | sed "s/'/'\\\\''/g")" ;;
    *) printf %s "$1" ;;
  esac
}

# The system and processor as in the names of files, such as linux-x64-musl; `why` is set if there is none.
detect_platform() {
  why=''
  { system=$(uname -s) && machine=$(uname -m); } || fail 'uname does not say what this machine is.'
  case $machine in
    x86_64 | amd64) cpu=x64 loader=x86-64 musl=x86_64 ;;
    aarch64 | arm64) cpu=arm64 loader=aarch64 musl=aarch64 ;;
    *) why="the processor $machine" && return ;;
  esac
  case $system in
    Linux) ;;
    Darwin)
      # A shell that Rosetta translates says x86_64.
      [ "$(sysctl -n sysctl.proc_translated 2>/dev/null)" != 1 ] || cpu=arm64
      platform=darwin-$cpu
      return
      ;;
    MINGW* | MSYS* | CYGWIN*) why="$system: unpack the windows-x64 file instead" && return ;;
    *) why=$system && return ;;
  esac
  platform=linux-$cpu
  # ldd belongs to the C library. That of musl says so on stderr and fails.
  case $(ldd --version 2>&1) in
    *musl*) platform=$platform-musl ;;
    *GNU* | *GLIBC* | *glibc*) ;;
    *)
      if has ldd; then
        why='the C library that ldd names'
      elif [ -e "/lib/ld-musl-$musl.so.1" ]; then
        platform=$platform-musl
      elif [ ! -e "/lib64/ld-linux-$loader.so.2" ] && [ ! -e "/lib/ld-linux-$loader.so.1" ]; then
        why='this C library: it is neither glibc nor musl'
      fi
      ;;
  esac
}

# Ends the script unless a URL may be used: https, or http on this machine.
check_url() {
  # What is left is what no URL has, and what shells, curl and terminals may read in ways of their own.
  [ -z "$(printf %s "$1" | tr -d 'A-Za-z0-9:/?#[]@!$&()*+,;=._~%-')" ] ||
    fail 'the URL of the download has characters that a URL cannot have.'
  authority=${1#*://}
  authority=${authority%%[/?#]*}
  case $authority in
    *@*) fail 'the URL of the download has a user name or password, which other users of this machine can see. Put them into ~/.netrc.' ;;
  esac
  case $1 in
    https://*) return ;;
    http://*) ;;
    *) fail "$1 begins with neither https:// nor http://." ;;
  esac
  case $authority in
    localhost | localhost:* | 127.0.0.1 | 127.0.0.1:* | '[::1]' | '[::1]:'*) return ;;
  esac
  [ "${MAILER_DOWNLOAD_HTTP:-}" = 1 ] ||
    fail "$1 is not https, so anybody on the way could change what is installed. MAILER_DOWNLOAD_HTTP=1 allows it."
}

# fetch FILE BLOCKS: downloads it from the base URL into the working directory; a larger one is an error. A block has 512
# bytes, or 1024 in a bash that is not called sh, as for ulimit.
fetch() {
  say "Downloading $base/$1"
  if has curl; then fetch_with_curl "$@"; else fetch_with_wget "$@"; fi
  [ -s "$work/$1" ] || fail "$1 is empty."
}

# limited BLOCKS COMMAND…: runs a command that can write no larger file, as if the disk were full then.
limited() (
  trap '' XFSZ
  ulimit -f "$1"
  shift
  exec "$@"
)

fail_download() {
  [ -z "$(find "$work/$1" -size "+$(($2 - 1))")" ] || fail "$1 is too large: no release has such a file."
  fail "$1 could not be downloaded, or not written to $prefix."
}

fetch_with_curl() {
  url=$base/$1
  quiet=-s
  [ ! -t 2 ] || quiet=-#
  # curl cannot tell whether a redirect leads to this machine, so each is followed here.
  for _ in 1 2 3 4 5 6; do
    check_url "$url"
    # Without ~/.curlrc, which may follow redirects.
    result=$(limited "$2" curl -q "$quiet" -S --globoff --netrc-optional --proto '=http,https' --connect-timeout 30 \
      --speed-limit 1 --speed-time 60 --retry 2 -o "$work/$1" -w '%{http_code} %{redirect_url}' "$url") ||
      fail_download "$@"
    case $result in
      '200 '*) return ;;
      '30'[12378]' '?*) url=${result#* } ;;
      *) fail "$1 could not be downloaded: the response was ${result%% *}." ;;
    esac
  done
  fail "$1 could not be downloaded: there are too many redirects."
}

fetch_with_wget() {
  url=$base/$1
  check_url "$url"
  options=-S
  # GNU's would try 20 times; busybox has no such options.
  case $(wget --version 2>&1) in *GNU*) options='-S -t 2 -T 60' ;; esac
  # shellcheck disable=SC2086 # They are several words.
  limited "$2" wget $options -O "$work/$1" "$url" 2>"$work/responses" || {
    tail -n 3 "$work/responses" | tr -cd ' -~\n' >&2
    fail_download "$@"
  }
  # Some wgets have TLS without certificates.
  if grep -q 'certificate validation not implemented' "$work/responses"; then
    fail 'this wget checks no certificates. Install curl.'
  fi
  # Not every wget can be told not to follow redirects. What came over one that is not allowed is not used.
  tr -d '\r' <"$work/responses" | sed -n 's/^ *[Ll][Oo][Cc][Aa][Tt][Ii][Oo][Nn]: *\([^ ]*\).*/\1/p' >"$work/redirects"
  while IFS= read -r next; do
    case $next in
      //*) next=${url%%//*}$next ;;
      *://*) ;;
      *) continue ;;
    esac
    check_url "$next"
    url=$next
  done <"$work/redirects"
}

# The SHA-256 of a file in hex.
sha256() {
  if has sha256sum; then
    sha256sum <"$1"
  elif has shasum; then
    shasum -a 256 <"$1"
  else
    openssl dgst -sha256 -r <"$1"
  fi | sed 's/[^0-9a-f].*//'
}

# names N: of the executables in SHA256SUMS, mailer-V-PLATFORM.tar.gz, the versions (1) or platforms (2), in one line.
names() {
  sed -nE "s/^[0-9a-f]{64} [ *]mailer-([0-9][A-Za-z0-9.+-]*)-((linux|darwin|windows)-[a-z0-9-]+)\.(tar\.gz|zip)\$/\\$1/p" \
    "$work/SHA256SUMS" | sort -u | tr '\n' ' ' | sed 's/ $//'
}

find_version() {
  [ -z "$version" ] || return 0
  version=$(names 1)
  case $version in
    '') fail 'SHA256SUMS names no version of mailer.' ;;
    *' '*) fail "SHA256SUMS names several versions. Choose one with --version: $version" ;;
  esac
}

# Downloads the archive, checks it against SHA256SUMS, and unpacks it to $work/$name.
unpack() {
  name=mailer-$version-$platform
  if [ -n "${MAILER_SHA256:-}" ]; then
    sum=$MAILER_SHA256 source=MAILER_SHA256
  else
    sum=$(awk -v file="$name.tar.gz" '$2 == file || $2 == "*" file { print $1 }' "$work/SHA256SUMS") source=SHA256SUMS
  fi
  case $sum in
    '' | *[!0-9a-f]*)
      fail "$source does not have exactly one SHA-256 checksum for $name.tar.gz. SHA256SUMS lists $(names 1) for: $(names 2)"
      ;;
  esac
  fetch "$name.tar.gz" 1000000 # 500 MB
  [ "$(sha256 "$work/$name.tar.gz")" = "$sum" ] ||
    fail "the checksum of $name.tar.gz is not the one in $source. The file is incomplete or was changed."
  # Files and directories below one directory, and nothing else.
  { tar -tzf "$work/$name.tar.gz" >"$work/names" && tar -tvzf "$work/$name.tar.gz" >"$work/types"; } ||
    fail "$name.tar.gz cannot be read."
  if grep -v "^$name/[A-Za-z0-9._/-]*\$" "$work/names" >/dev/null || grep -q '\.\.' "$work/names" ||
    grep -q '^[^d-]' "$work/types" || grep -q -e ' link to ' -e ' -> ' "$work/types"; then
    fail "$name.tar.gz has files that an archive of mailer does not have."
  fi
  tar -xozf "$work/$name.tar.gz" -C "$work" || fail "$name.tar.gz could not be unpacked to $prefix/bin."
  rm -f "$work/$name.tar.gz"
  chmod 755 "$work/$name/bin/mailer" || fail "$name.tar.gz has no bin/mailer."
  runs=$("$work/$name/bin/mailer" --version </dev/null) || fail "$name does not run on this machine."
  [ "$runs" = "$version" ] || fail "bin/mailer in $name.tar.gz is not version $version."
}

# Moves everything to its place, the executable last.
place() {
  (cd "$work/$name" && find share -type f && say "$list" && say bin/mailer) | sort -u >"$work/list" ||
    fail "$name could not be listed."
  while IFS= read -r file; do
    [ ! -d "$prefix/$file" ] || fail "$prefix/$file is a directory."
    { mkdir -p "$prefix/${file%/*}" && [ -w "$prefix/${file%/*}" ]; } || fail "$prefix/${file%/*} cannot be written to."
  done <"$work/list"
  {
    mkdir -p "$work/$name/${list%/*}" && cp "$work/list" "$work/$name/$list" &&
      find "$work/$name/share" -type f -exec chmod 644 {} +
  } || fail "$prefix/bin cannot be written to."
  replaced=''
  [ ! -f "$prefix/bin/mailer" ] || replaced=', in place of the one that was there'
  # What an older version had and this one has not.
  : >"$work/old"
  [ ! -f "$prefix/$list" ] || grep -vxF -f "$work/list" "$prefix/$list" >"$work/old"
  # From here on nothing takes long, and half of it would be worse than all.
  trap '' INT TERM HUP
  unchanged="Files in $prefix/share may have been replaced; the executable was not. Run install.sh again."
  while IFS= read -r file; do
    [ "$file" = bin/mailer ] || mv -f "$work/$name/$file" "$prefix/$file" || fail "$prefix/$file could not be replaced."
  done <"$work/list"
  mv -f "$work/$name/bin/mailer" "$prefix/bin/mailer" || fail "$prefix/bin/mailer could not be replaced."
  remove_listed <"$work/old"
  say "Installed mailer $version ($platform) as $prefix/bin/mailer$replaced."
  say "Manual pages and completions are in $prefix/share; $prefix/$list names all files."
}

# Removes the files below PREFIX that are read from stdin, one a line, if a list of this script could have them.
remove_listed() {
  while IFS= read -r file; do
    case $file in
      *..* | *[!A-Za-z0-9._/-]*) ;;
      bin/mailer | share/*) rm -f "$prefix/$file" ;;
    esac
  done
}

uninstall() {
  [ -f "$prefix/$list" ] || fail "this script did not install mailer in $prefix: there is no $prefix/$list. Choose the directory with --dir."
  [ ! -L "$prefix/bin/mailer" ] || fail "$prefix/bin/mailer is a link of another installation."
  unchanged=''
  # The list last: whoever runs this again needs it.
  grep -vxF "$list" "$prefix/$list" | remove_listed
  remaining=$(grep -vxF "$list" "$prefix/$list" | while IFS= read -r file; do
    case $file in bin/mailer | share/*) [ ! -e "$prefix/$file" ] || say "$file" ;; esac
  done)
  [ -z "$remaining" ] || fail "mailer could not be removed completely from $prefix. Remove these, and run this again: $remaining"
  rm -f "$prefix/$list"
  rmdir "$prefix/share/doc/mailer" 2>/dev/null || :
  # Of installations that were killed.
  for left in "$prefix"/bin/.mailer-install-*; do
    case ${left##*/.mailer-install-} in *[!0-9]*) ;; *) rm -rf "$left" ;; esac
  done
  say "Removed mailer from $prefix. Your configuration and data are still there."
}

say_path() {
  bin=$prefix/bin
  found=$(command -v mailer 2>/dev/null)
  case :$PATH: in
    *":$bin:"*)
      [ "$found" = "$bin/mailer" ] || say "PATH has another mailer before it, which is used: $found"
      ;;
    *)
      say "$bin is not in PATH. For bash and zsh, add this line to ~/.profile or ~/.zprofile:"
      say "  export PATH=$(quoted "$bin"):\$PATH"
      ;;
  esac
  case ${SHELL:-} in
    */zsh)
      say 'For TAB in zsh, add this line to ~/.zshrc before compinit:'
      say "  fpath=($(quoted "$prefix/share/zsh/site-functions") \$fpath)"
      ;;
  esac
  say 'To undo this:'
  say "  cd $(quoted "$prefix") && xargs rm -f <$list && rmdir ${list%/*}"
}

main() {
  set -u
  umask 022
  LC_ALL=C
  export LC_ALL
  unset CDPATH
  version=$released_version prefix='' action=install
  while [ $# -gt 0 ]; do
    case $1 in
      --version | --dir)
        [ -n "${2:-}" ] || fail "$1 needs a value."
        case $1 in --version) version=${2#v} ;; *) prefix=$2 ;; esac
        shift
        ;;
      --version=?*) version=${1#*=} && version=${version#v} ;;
      --dir=?*) prefix=${1#*=} ;;
      --uninstall) action=uninstall ;;
      -h | --help) usage && return ;;
      *) fail "install.sh has no option $(quoted "$1"). See: sh install.sh --help" ;;
    esac
    shift
  done
  case $version in
    *[!A-Za-z0-9.+-]* | [!0-9]*) fail "$(quoted "$version") is not a version such as 1.2.3." ;;
  esac
  if [ -z "$prefix" ]; then
    [ -n "${HOME:-}" ] || fail 'HOME is not set. Choose where to install with --dir.'
    prefix=$HOME/.local
  fi
  case $prefix in /*) ;; *) prefix=$PWD/$prefix ;; esac
  prefix=${prefix%/}
  if [ "$action" = uninstall ]; then uninstall && return; fi

  # Also if it is empty: a secret that is not set must not mean that any archive will do.
  if [ -n "${MAILER_SHA256+set}" ]; then
    case $MAILER_SHA256 in *[!0-9a-f]*) digits=0 ;; *) digits=${#MAILER_SHA256} ;; esac
    [ "$digits" -eq 64 ] ||
      fail 'MAILER_SHA256 is not a SHA-256 checksum: 64 digits and letters from a to f, in lower case.'
  fi
  base=${MAILER_DOWNLOAD:-}
  if [ -z "$base" ]; then
    if [ -z "$repository" ] || [ -z "$version" ]; then
      fail 'this script does not know where the files of a release are. Give their directory:
  MAILER_DOWNLOAD=https://… sh install.sh'
    fi
    base=$repository/releases/download/v$version
  fi
  base=${base%/}
  check_url "$base"
  has curl || has wget || fail 'there is neither curl nor wget. Install one of them.'
  has sha256sum || has shasum || has openssl ||
    fail 'there is neither sha256sum nor shasum nor openssl, so no checksum can be checked. Install one of them.'
  { has tar && has gzip; } || fail 'tar or gzip is missing. Install both.'
  # An installer such as npm or Homebrew has links there, and would be confused.
  { [ ! -L "$prefix/bin/mailer" ] && [ ! -d "$prefix/bin/mailer" ]; } ||
    fail "$prefix/bin/mailer is a link or a directory of another installation. Remove that first, or choose another --dir."
  detect_platform

  # Beside the executable, so that it is replaced by a rename, and so that a full disk shows before.
  work=$prefix/bin/.mailer-install-$$
  { mkdir -p "$prefix/bin" && (umask 077 && mkdir "$work"); } 2>/dev/null ||
    fail "$prefix/bin cannot be written to. Choose another directory with --dir."
  trap 'rm -rf "$work"' EXIT
  trap 'exit 129' HUP
  trap 'exit 130' INT
  trap 'exit 143' TERM
  # Who reads what this says may stop to, as head does.
  trap 'exit 141' PIPE
  fetch SHA256SUMS 2000 # 1 MB
  find_version
  if [ -n "$why" ]; then
    fail "there is no executable of mailer for $why. There is one for: $(names 2).
With Node 22.19 or newer, you can install the npm package: npm install --global $base/mailer-cli-$version.tgz"
  fi
  unpack
  place
  say_path
}

# At the end, so that a script that was cut on its way does nothing.
main "$@"
