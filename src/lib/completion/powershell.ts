import { matching } from './matching.ts';
import type { Shell } from './shell.ts';

/**
 * PowerShell inserts what it gets, so all quoting is done here. The words are passed as Base64:
 * how quotes and empty words reach a program depends on the version. Nothing but an empty string
 * keeps it from offering files.
 */
const script = `# PowerShell completion for mailer

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
  if ($LASTEXITCODE -ne 0) { return }
  if ($reply.Count -eq 0) { return '' }
  $reply | ForEach-Object {
    $text, $shown, $tip = $_ -split [char]9
    [System.Management.Automation.CompletionResult]::new($text, $shown, 'ParameterValue', $tip)
  }
}
`;

export const powershell: Shell = {
  script,
  read([encoded = '']) {
    const typed = Buffer.from(encoded, 'base64').toString('utf8').split('\n');
    const current = (typed.at(-1) ?? '').replace(/^["']/, '');
    return {
      words: typed.slice(0, -1),
      current,
      answer: (candidates, prefix) =>
        matching(candidates, current.slice(prefix.length)).map(({ value, description }) =>
          [quoted(prefix + value), value, description || value].join('\t'),
        ),
    };
  },
};

/** A word of PowerShell code; typographic quotes count as quotes there. */
function quoted(word: string): string {
  return /^[\w/.:=-]+$/.test(word) ? word : `'${word.replace(/['\u2018-\u201b]/g, '$&$&')}'`;
}
