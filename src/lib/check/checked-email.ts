import type { CheckedEmail } from '../../shared/check/finding.ts';
import { isObject } from '../output/fields.ts';

/** The fields of a request that are checked. A file may have any values in them. */
type Fields = Readonly<Record<string, unknown>>;

/** The email to check, from the fields of a send or a campaign. */
export function emailOfFields(fields: Fields, kind: CheckedEmail['kind']): CheckedEmail {
  const { headers, attachments, templateId, content } = fields;
  return {
    kind,
    subject: textIn(fields.subject),
    previewText: textIn(fields.previewText),
    html: textIn(fields.html),
    text: textIn(fields.text),
    // As with a template, the service creates the HTML from the editor's content.
    hasTemplate: templateId !== undefined || content !== undefined,
    headers: kind === 'email' && isObject(headers) ? textsOf(headers) : undefined,
    attachments: Array.isArray(attachments) ? attachments.flatMap(attachmentOf) : undefined,
  };
}

function textIn(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function textsOf(headers: Fields): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}

function attachmentOf(one: unknown) {
  if (!isObject(one) || typeof one.filename !== 'string') return [];
  const { filename, content } = one;
  const bytes = typeof content === 'string' ? Buffer.byteLength(content, 'base64') : 0;
  return [{ filename, bytes }];
}
