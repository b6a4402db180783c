/**
 * `args` as one command line to paste into a shell that yields them again: a POSIX shell, or with
 * `win32` cmd and PowerShell. Safe words stay bare. No quoting suits both Windows shells for a
 * word with one of `"`, `$`, `%`, `!`, a backtick or a trailing backslash: that one is quoted for
 * PowerShell. Control characters stay as they are.
 */
export function shellQuote(args: readonly string[], platform: NodeJS.Platform): string {
  return args.map(platform === 'win32' ? quoteForWindows : quoteForPosix).join(' ');
}

function quoteForPosix(word: string, index: number): string {
  // As the first word, name=value is an assignment and not a command.
  const bare = index === 0 ? /^[\w/:@%+,.-]+$/ : /^[\w/:@%+,.=-]+$/;
  return bare.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

function quoteForWindows(word: string): string {
  // PowerShell takes a bare -word apart at a dot or colon.
  if (/^(?!-.*[.:])[\w/\\:=+.-]+$/.test(word)) return word;
  return /["$%!`]|\\$/.test(word) ? `'${word.replaceAll("'", "''")}'` : `"${word}"`;
}
