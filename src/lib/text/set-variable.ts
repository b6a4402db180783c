import { isForPowerShell, type ShellSystem, shellQuote } from './shell-quote.ts';

/**
 * How a shell sets a variable of the environment to a path, as an example to be changed and pasted:
 * `path` goes on after the root, with slashes. For PowerShell no line does for cmd, too: there this
 * one is an error, which somebody sees, while PowerShell takes cmd's `set` without a word and sets no
 * variable of the environment. fish reads `export` as other shells do.
 */
export function setToPath(variable: string, path: string, system: ShellSystem): string {
  const whole = system.platform === 'win32' ? `C:\\${path.replaceAll('/', '\\')}` : `/${path}`;
  return isForPowerShell(system)
    ? `$env:${variable} = '${whole}'`
    : `export ${variable}=${shellQuote([whole], system)}`;
}
