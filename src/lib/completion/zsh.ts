import { described } from './described.ts';
import type { Shell } from './shell.ts';

/**
 * Zsh quotes what it inserts, and chooses what matches, as its user has set it up. Not `_describe`:
 * it has no way to write a value with a backslash before a colon.
 */
const script = `#compdef mailer
# zsh completion for mailer

_mailer() {
  local reply line
  local -a values shown
  reply=$(command mailer __complete zsh "$COLUMNS" \\
    "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null </dev/null)
  local wants_files=$?
  [[ $PREFIX == --*=* ]] && compset -P 1 '*='
  if (( wants_files )); then
    _files
    return
  fi
  for line in "\${(@f)reply}"; do
    [[ -n $line ]] || continue
    values+=("\${line%%$'\\t'*}")
    shown+=("\${line#*$'\\t'}")
  done
  (( $#values )) || return 1
  _wanted -V mailer expl mailer \\
    compadd -M 'm:{[:lower:]}={[:upper:]}' -l -d shown -a values
}

if [[ $funcstack[1] == _mailer ]]; then
  _mailer "$@"
else
  compdef _mailer mailer
fi
`;

export const zsh: Shell = {
  script,
  read([columns = '', ...typed]) {
    return {
      words: typed.slice(0, -1),
      current: typed.at(-1) ?? '',
      async answer(candidates) {
        const shown = await described(
          candidates,
          Number(columns),
          ({ description }) => `-- ${description}`,
        );
        return candidates.map(({ value }, index) => `${value}\t${shown[index]}`);
      },
    };
  },
};
