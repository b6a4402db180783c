import { checkEmail, findingsIn } from '../../../shared/check/check-email.ts';
import { placeholderBlank } from '../../../shared/check/checks/placeholder-blank.ts';
import type { FoundAt } from '../../../shared/check/collect.ts';
import type { EmailFinding } from '../../../shared/check/finding.ts';
import type { MessageContent } from '../../../shared/check/message.ts';
import { messageOfFields } from '../../../shared/check/message-of-fields.ts';
import { WaitFailedError } from '../../base/errors.ts';
import type { Context } from '../../command-line/command/context.ts';
import { emailScope, withoutIgnored } from './check-gate.ts';
import { findingLine, summaryInWords } from './show-check.ts';

/** An email to be sent, as the fields of a request. */
export interface Outgoing {
  readonly fields: object;
  /** Its name in messages, if it is one of several. */
  readonly name?: string;
  /** For whom a placeholder is empty, if that was looked up. */
  readonly blankFor?: MessageContent['blankFor'];
  /** Finds where it is written; without it, places are those in its HTML and text. */
  readonly places?: (email: MessageContent) => (found: FoundAt) => Promise<EmailFinding>;
}

interface Checking {
  readonly kind: MessageContent['kind'];
  /** Whether placeholders are meant as they are written. */
  readonly literal?: boolean;
  /** Whether a placeholder that is empty for some stops it. */
  readonly refusesBlanks?: boolean;
  /** Says what did not happen, if there is an error. */
  readonly nothing?: string;
}

/** Checks emails just before they are sent. Throws the error that `checkOutgoing` returns. */
export async function checkBeforeSending(
  context: Context,
  emails: readonly Outgoing[],
  checking: Checking,
): Promise<void> {
  const failure = await checkOutgoing(context, emails, checking);
  if (failure !== undefined) throw failure;
}

/**
 * Checks emails for `--check` and reports each finding once on stderr. Returns an error if one is an error.
 */
export async function checkOutgoing(
  context: Context,
  emails: readonly Outgoing[],
  { kind, literal = false, refusesBlanks = false, nothing = 'Nothing was sent.' }: Checking,
): Promise<WaitFailedError | undefined> {
  const all: { readonly finding: EmailFinding; readonly where: string }[] = [];
  const seen = new Set<string>();
  for (const { fields, name, places, blankFor } of emails) {
    const email = { ...messageOfFields({ ...fields }, kind), literal, blankFor };
    const findings =
      places === undefined
        ? checkEmail(email)
        : await Promise.all(findingsIn(email).map(places(email)));
    for (const one of findings) {
      const isError = refusesBlanks && one.code === placeholderBlank.code;
      const finding: EmailFinding = isError ? { ...one, severity: 'error' } : one;
      const id = `${finding.code} ${finding.where} ${finding.message}`;
      if (seen.has(id)) continue;
      seen.add(id);
      const part = finding.file ?? finding.where;
      const where = name === undefined ? part : `${name}: ${part}`;
      all.push({ finding, where });
    }
  }
  const kept = new Set(
    await withoutIgnored(
      context,
      emailScope,
      all.map(({ finding }) => finding),
    ),
  );
  // Before a send, mere notes would hide what matters; `email check` shows them.
  const shown = all.filter(({ finding }) => kept.has(finding) && finding.severity !== 'info');
  for (const { finding, where } of shown) {
    context.notes.say(findingLine(finding, undefined, where));
  }
  const errors = shown.filter(({ finding }) => finding.severity === 'error');
  if (errors.length === 0) return undefined;
  const found = summaryInWords(shown.map(({ finding }) => finding));
  return new WaitFailedError(`The check found ${found}. ${nothing}`, {
    hint: 'Correct the errors, or ignore their codes in .mailer.json: see docs/check.md',
    issues: errors.map(({ finding }) => ({
      path: [finding.where, ...(finding.line === undefined ? [] : [finding.line])],
      message: `${finding.message} [${finding.code}]`,
    })),
  });
}
