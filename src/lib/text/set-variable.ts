/**
 * How a shell of the platform sets a variable of the environment to a path, as an example to be
 * changed and pasted: `path` goes on after the root, with slashes. On Windows it is for PowerShell.
 * No line does for cmd, too: there this one is an error, which somebody sees, while PowerShell takes
 * cmd's `set` without a word and sets no variable of the environment.
 */
export function setToPath(variable: string, path: string, platform: NodeJS.Platform): string {
  return platform === 'win32'
    ? `$env:${variable} = 'C:\\${path.replaceAll('/', '\\')}'`
    : `export ${variable}=/${path}`;
}
