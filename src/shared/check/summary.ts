import { type Severity, supportCode } from './codes.ts';
import type { EmailFinding } from './finding.ts';

/** Whether one of these codes silences a finding; `support` stands for all of its kind. */
export function isIgnored({ code }: EmailFinding, ignored: readonly string[]): boolean {
  return (
    ignored.includes(code) || (code.startsWith(`${supportCode}/`) && ignored.includes(supportCode))
  );
}

/** How many findings there are of each severity. */
export function countSeverities(
  findings: readonly EmailFinding[],
): Readonly<Record<Severity, number>> {
  const count = (severity: Severity) => findings.filter((one) => one.severity === severity).length;
  return { error: count('error'), warning: count('warning'), info: count('info') };
}
