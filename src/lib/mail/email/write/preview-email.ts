import type { SendBody } from '../../../../api/email.ts';
import { UsageError } from '../../../base/errors.ts';
import type { Context } from '../../../command-line/command/context.ts';
import { cellOf } from '../../../command-line/output/cells.ts';
import { valueAt } from '../../../command-line/output/fields.ts';
import { type RecordResult, record } from '../../../command-line/output/result.ts';
import { htmlReader } from '../../content/html-reader.ts';
import { openPreview, previewNote } from '../../content/preview-page.ts';

/** The fields of an email in a preview, and their labels. */
export const previewFields = {
  ...{ to: 'To', from: 'From', subject: 'Subject', templateId: 'Template' },
  ...{ variables: 'Variables', scheduledAt: 'Scheduled', text: 'Text', html: 'HTML' },
} as const satisfies Partial<Record<keyof SendBody, string>>;

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

/** Shows one email as it would be sent; with `open`, also in the browser. */
export async function previewEmail(
  context: Context,
  body: SendBody,
  open: boolean,
): Promise<RecordResult> {
  if (open) await openPreview(context, [body], 'Preview');
  const shown = { ...body, html: body.html && (await htmlReader())(body.html) };
  return record({
    reply: body,
    quiet: [body.to].flat().join(', '),
    rows: Object.entries(previewedOfOne).map(([field, label]) => [
      field,
      label,
      field === 'attachments'
        ? body.attachments?.map(({ filename }) => filename)
        : cellOf(valueAt(shown, field)),
    ]),
    note: previewNote,
  });
}
