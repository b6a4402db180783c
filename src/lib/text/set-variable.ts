import {
  inPowerShellQuotes,
  isForPowerShell,
  type ShellSystem,
  shellQuote,
} from './shell-quote.ts';

/**
 * How a shell sets a variable of the environment, as a line to be pasted. For PowerShell no line does
 * for cmd, too: there this one is an error, which somebody sees, while PowerShell takes cmd's `set`
 * without a word and sets no variable of the environment. fish reads `export` as other shells do.
 */
export function setVariable(variable: string, value: string, system: ShellSystem): string {
  return isForPowerShell(system)
    ? `$env:${variable} = ${inPowerShellQuotes(value)}`
    : `export ${variable}=${shellQuote([value], system)}`;
}

/** The same for a path, as an example to be changed: `path` goes on after the root, with slashes. */
export function setToPath(variable: string, path: string, system: ShellSystem): string {
  const whole = system.platform === 'win32' ? `C:\\${path.replaceAll('/', '\\')}` : `/${path}`;
  return setVariable(variable, whole, system);
}
