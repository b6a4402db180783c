import type { System } from '../system/system.ts';

/** Whether questions may be asked: stdin and stderr are terminals, without `--no-input` and `CI`. */
export function canAsk(system: System, { ask }: { readonly ask?: boolean }): boolean {
  return (
    system.stdin.isTTY === true &&
    system.stderrIsTerminal &&
    ask !== false &&
    (system.env.CI ?? '') === ''
  );
}
