import type { System } from '../system/system.ts';

/** Variables by which a program that acts for a person makes itself known to what it starts. */
export const programVariables = [
  ...['AI_AGENT', 'CLAUDECODE', 'CODEX_SANDBOX', 'CURSOR_AGENT', 'GEMINI_CLI'],
] as const;

/** The variable by which a program acts for the person; undefined if a terminal has a person. */
export function actingProgram({ env }: Pick<System, 'env'>): string | undefined {
  return programVariables.find((name) => (env[name] ?? '') !== '');
}

/**
 * Whether questions may be asked: stdin and stderr are terminals, without `--no-input`, `CI`, or a program that acts for
 * the person: a question would wait for an answer that only the person may give.
 */
export function canAsk(system: System, { ask }: { readonly ask?: boolean }): boolean {
  return (
    system.stdin.isTTY === true &&
    system.stderrIsTerminal &&
    ask !== false &&
    (system.env.CI ?? '') === '' &&
    actingProgram(system) === undefined
  );
}
