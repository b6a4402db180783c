/** The script that each shell loads, by its name: it calls `mailer __complete SHELL …` when TAB is pressed. */
export const shellScripts = {
  bash: `# bash completion for mailer

_mailer() {
  local reply line
  COMPREPLY=()
  reply=$(command mailer __complete bash "$COMP_TYPE" "\${COLUMNS-}" \\
    "\${COMP_LINE:0:COMP_POINT}" "$2" 2>/dev/null </dev/null)
  if (( $? == 1 )); then
    compopt -o default 2>/dev/null
  else
    while IFS= read -r line; do
      [[ -n $line ]] && COMPREPLY+=("$line")
    done <<<"$reply"
  fi
}

complete -o nosort -F _mailer mailer 2>/dev/null || complete -o default -F _mailer mailer
`,
  zsh: `#compdef mailer
# zsh completion for mailer

_mailer() {
  local reply line
  local -a values shown
  reply=$(command mailer __complete zsh "$COLUMNS" \\
    "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null </dev/null)
  local wants_files=$(( $? == 1 ))
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
`,
  fish: `# fish completion for mailer

function __mailer_complete
    set -l words (commandline -xpc 2>/dev/null; or commandline -opc)
    set -l current (commandline -ct)
    set -g __mailer_candidates (command mailer __complete fish $words[2..] "$current" 2>/dev/null </dev/null)
    test $status -ne 1
end

complete -c mailer -n __mailer_complete -f -k -a '$__mailer_candidates'
`,
  powershell: `# PowerShell completion for mailer

Register-ArgumentCompleter -Native -CommandName mailer -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements | Select-Object -Skip 1 |
    Where-Object { $_.Extent.EndOffset -lt $cursorPosition } |
    ForEach-Object {
      if ($_ -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $_.Value }
      else { $_.Extent.Text }
    })
  $typed = ($words + "$wordToComplete") -join [char]10
  $encoded = [Convert]::ToBase64String([Text.Encoding]::UTF8.GetBytes($typed))
  $previous = [Console]::OutputEncoding
  try {
    [Console]::OutputEncoding = [Text.Encoding]::UTF8
    $reply = @($null | mailer __complete powershell $encoded 2>$null)
  } finally {
    [Console]::OutputEncoding = $previous
  }
  if ($LASTEXITCODE -eq 1) { return }
  if ($reply.Count -eq 0) { return '' }
  $reply | ForEach-Object {
    $text, $shown, $tip = $_ -split [char]9
    [System.Management.Automation.CompletionResult]::new($text, $shown, 'ParameterValue', $tip)
  }
}
`,
};
