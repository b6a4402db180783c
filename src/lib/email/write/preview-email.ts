import type { SendBody } from '../../../api/email.ts';
import type { Context } from '../../command/context.ts';
import { UsageError } from '../../errors.ts';
import { cellOf } from '../../output/cells.ts';
import { valueAt } from '../../output/fields.ts';
import { type RecordResult, record } from '../../output/result.ts';
import { emailPage } from '../preview-page.ts';

/** The fields of an email in a preview, and their labels. */
export const previewFields = {
  ...{ to: 'To', from: 'From', subject: 'Subject', templateId: 'Template' },
  ...{ variables: 'Variables', scheduledAt: 'Scheduled', text: 'Text', html: 'HTML' },
} as const satisfies Partial<Record<keyof SendBody, string>>;

/** Shown below every preview. */
export const previewNote = 'A preview: nothing was sent.';

/** The fields for one email: also those that all rows of a file have in common. */
const previewedOfOne = {
  ...{ to: 'To', cc: 'Cc', bcc: 'Bcc', from: 'From', replyTo: 'Reply-To', subject: 'Subject' },
  ...{ templateId: 'Template', variables: 'Variables', headers: 'Headers' },
  ...{ attachments: 'Attachments', scheduledAt: 'Scheduled', text: 'Text', html: 'HTML' },
} as const satisfies Partial<Record<keyof SendBody, string>>;

/** Throws a `UsageError` if one of these other flags is given along with a flag. */
export function refuseBeside<Flags extends object>(
  flag: string,
  flags: Flags,
  others: readonly (keyof Flags & string)[],
): void {
  const given = others
    .filter((name) => name in flags)
    .map((name) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`);
  if (given.length === 0) return;
  throw new UsageError(`${flag} cannot be used together with ${given.join(', ')}`);
}

/** Shows emails in the browser, and reports the path of the page. Throws like `System.openPage`. */
export async function openPreview(
  context: Context,
  emails: readonly SendBody[],
  title: string,
): Promise<void> {
  const page = await context.system.openPage(emailPage(emails, title));
  context.notes.say(`Opened ${page}`);
}

/** Shows one email as it would be sent; with `open`, also in the browser. */
export async function previewEmail(
  context: Context,
  body: SendBody,
  open: boolean,
): Promise<RecordResult> {
  if (open) await openPreview(context, [body], 'Preview');
  return record({
    reply: body,
    quiet: [body.to].flat().join(', '),
    rows: Object.entries(previewedOfOne).map(([field, label]) => [
      field,
      label,
      field === 'attachments'
        ? body.attachments?.map(({ filename }) => filename)
        : cellOf(valueAt(body, field)),
    ]),
    note: previewNote,
  });
}
