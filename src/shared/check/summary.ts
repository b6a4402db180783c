import type { Severity } from './severity.ts';

/** The code that silences all findings about missing support, and the prefix of their codes. */
export const supportCode = 'support';

/** What all findings have. */
export interface Judged {
  readonly code: string;
  readonly severity: Severity;
}

/** Whether one of these codes silences a finding; `support` stands for all of its kind. */
export function isIgnored({ code }: Pick<Judged, 'code'>, ignored: readonly string[]): boolean {
  return (
    ignored.includes(code) || (code.startsWith(`${supportCode}/`) && ignored.includes(supportCode))
  );
}

/** How many findings there are of each severity. */
export function countSeverities(
  findings: readonly Pick<Judged, 'severity'>[],
): Readonly<Record<Severity, number>> {
  const count = (severity: Severity) => findings.filter((one) => one.severity === severity).length;
  return { error: count('error'), warning: count('warning'), info: count('info') };
}
