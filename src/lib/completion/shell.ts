import type { Shell } from './typed.ts';

/** The shell of that name; undefined when there is none. */
export async function shellNamed(name: string | undefined): Promise<Shell | undefined> {
  switch (name) {
    case 'bash':
      return (await import('./bash.ts')).bash;
    case 'zsh':
      return (await import('./zsh.ts')).zsh;
    case 'fish':
      return (await import('./fish.ts')).fish;
    case 'powershell':
      return (await import('./powershell.ts')).powershell;
    default:
      return undefined;
  }
}
