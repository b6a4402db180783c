import { domainCodes } from '../../../shared/check/domain-codes.ts';
import { type Severity, severities } from '../../../shared/check/severity.ts';
import {
  countSeverities,
  isIgnored,
  type Judged,
  supportCode,
} from '../../../shared/check/summary.ts';
import { UsageError } from '../../base/errors.ts';
import { nearest } from '../../base/text/nearest.ts';
import { quantity } from '../../base/text/quantity.ts';
import { visible } from '../../base/text/visible.ts';
import type { Context } from '../../command-line/command/context.ts';
import { choice } from '../../command-line/command/flags/choice.ts';
import { repeatableOption } from '../../command-line/command/flags/repeatable.ts';
import { readProjectFile } from '../../service/account/project-file.ts';

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

/** The codes of one kind of check. */
export interface CheckScope {
  /** The page that lists them. */
  readonly page: string;
  codes(): Promise<readonly string[]>;
}

/** Checks of emails. Their codes include `support`, which stands for all about mail programs. */
export const emailScope: CheckScope = {
  page: 'docs/check.md',
  async codes() {
    const [{ codes }, { supportCodes }] = await Promise.all([
      import('../../../shared/check/table.ts'),
      import('../../../shared/check/support.ts'),
    ]);
    return [...Object.keys(codes), supportCode, ...supportCodes()];
  },
};

/** Checks of domains. */
export const domainScope: CheckScope = {
  page: 'docs/domain-check.md',
  codes: async () => Object.keys(domainCodes),
};

/**
 * The findings that neither `--ignore` nor the project's `.mailer.json` silences. A note counts the errors that
 * each silences. A code that the check does not have is a `UsageError` in `--ignore`, but in the file, which all checks
 * share, only a warning if no check has it, because another version may know it.
 */
export async function withoutIgnored<Finding extends Judged>(
  context: Pick<Context, 'system' | 'notes'>,
  scope: CheckScope,
  findings: readonly Finding[],
  words: readonly string[] = [],
): Promise<readonly Finding[]> {
  const given = words.flatMap((word) => word.split(',')).map((word) => word.trim());
  const { check } = await readProjectFile(context.system);
  if (given.length + check.ignore.length === 0) return findings;
  const known = await scope.codes();
  const unknown = given.find((code) => !known.includes(code));
  if (unknown !== undefined) {
    const near = nearest(unknown, known);
    throw new UsageError(`--ignore: no finding has the code ${JSON.stringify(unknown)}`, {
      hint: near === undefined ? `${scope.page} lists the codes.` : `Did you mean ${near}?`,
    });
  }
  const all = (await Promise.all([emailScope.codes(), domainScope.codes()])).flat();
  const strange = check.ignore.filter((code) => !all.includes(code));
  if (strange.length > 0) {
    context.notes.warn(`.mailer.json: no finding has the code ${strange.map(visible).join(', ')}`);
  }
  const without = (all: readonly Finding[], ignored: readonly string[], place: string) => {
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
