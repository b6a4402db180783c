import { codes, type Severity, severities, supportCode } from '../../shared/check/codes.ts';
import type { EmailFinding } from '../../shared/check/finding.ts';
import { countSeverities, isIgnored } from '../../shared/check/summary.ts';
import { readProjectFile } from '../account/project-file.ts';
import type { Context } from '../command/context.ts';
import { choice } from '../command/flags/choice.ts';
import { repeatableOption } from '../command/flags/repeatable.ts';
import { UsageError } from '../errors.ts';
import { nearest } from '../text/nearest.ts';
import { quantity } from '../text/quantity.ts';
import { visible } from '../text/visible.ts';

/** The words that `--fail-on` accepts. */
const failOnWords = [...severities, 'never'] as const;

export type FailOn = (typeof failOnWords)[number];

/** Declares the severity from which a check fails. */
export function failOnOption() {
  const text = 'exit with 9 at this severity or above (default: error)';
  return choice('--fail-on <severity>', failOnWords, text);
}

/** Declares the codes of findings to ignore. */
export function ignoreOption() {
  return repeatableOption(
    '--ignore <code>',
    'leave out findings with this code; repeat, or separate with commas',
  );
}

/** The codes that findings can have, and `support`, which stands for all about mail programs. */
async function knownCodes(): Promise<readonly string[]> {
  const { supportCodes } = await import('../../shared/check/support.ts');
  return [...Object.keys(codes), supportCode, ...supportCodes()];
}

/**
 * The findings that neither `--ignore` nor the project's `.mailer.json` silences. A note counts the errors that
 * each silences. An unknown code is a `UsageError` in `--ignore`, but only a warning in the file, because another
 * version may know it.
 */
export async function withoutIgnored(
  context: Context,
  findings: readonly EmailFinding[],
  words: readonly string[] = [],
): Promise<readonly EmailFinding[]> {
  const given = words.flatMap((word) => word.split(',')).map((word) => word.trim());
  const { check } = await readProjectFile(context.system);
  if (given.length + check.ignore.length === 0) return findings;
  const known = await knownCodes();
  const unknown = given.find((code) => !known.includes(code));
  if (unknown !== undefined) {
    const near = nearest(unknown, known);
    throw new UsageError(`--ignore: no finding has the code ${JSON.stringify(unknown)}`, {
      hint: near === undefined ? 'docs/check.md lists the codes.' : `Did you mean ${near}?`,
    });
  }
  const strange = check.ignore.filter((code) => !known.includes(code));
  if (strange.length > 0) {
    context.notes.warn(`.mailer.json: no finding has the code ${strange.map(visible).join(', ')}`);
  }
  const without = (all: readonly EmailFinding[], ignored: readonly string[], place: string) => {
    const kept = all.filter((finding) => !isIgnored(finding, ignored));
    const errors = countSeverities(all).error - countSeverities(kept).error;
    const are = errors === 1 ? 'is' : 'are';
    if (errors > 0) context.notes.say(`${quantity(errors, 'error')} ${are} ignored by ${place}.`);
    return kept;
  };
  return without(without(findings, given, '--ignore'), check.ignore, check.path ?? '');
}

/** Whether a finding of this severity fails a check. */
export function fails(severity: Severity, failOn: FailOn): boolean {
  return failOn !== 'never' && severities.indexOf(severity) >= severities.indexOf(failOn);
}
