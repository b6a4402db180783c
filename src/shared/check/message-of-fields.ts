import type { MessageContent } from './message.ts';

/** The fields of a request. A file may have any values in them. */
type Fields = Readonly<Record<string, unknown>>;

/** What recipients get, from the fields of a request that are not checked yet, or of what the service stores. */
export function messageOfFields(fields: Fields, kind: MessageContent['kind']): MessageContent {
  const { headers, attachments, templateId, content, name, variables } = fields;
  return {
    kind,
    subject: textIn(fields.subject),
    previewText: textIn(fields.previewText),
    html: textIn(fields.html),
    text: textIn(fields.text),
    content: isObject(content) ? JSON.stringify(content) : textIn(content),
    // As with a template, the service creates the HTML from the editor's content.
    hasTemplate: templateId !== undefined || content !== undefined,
    headers: kind === 'email' && isObject(headers) ? textsIn(headers) : undefined,
    attachments: Array.isArray(attachments) ? attachments.flatMap(attachmentOf) : undefined,
    addresses: Object.fromEntries(
      (['from', 'to', 'replyTo', 'cc', 'bcc'] as const).map((part) => [
        part,
        [fields[part]].flat().filter((one) => typeof one === 'string'),
      ]),
    ),
    name: textIn(name),
    variables: isObject(variables) ? variables : undefined,
  };
}

function textIn(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function textsIn(headers: Fields): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}

function attachmentOf(one: unknown) {
  if (!isObject(one) || typeof one.filename !== 'string') return [];
  const { filename, content } = one;
  const bytes = typeof content === 'string' ? Buffer.byteLength(content, 'base64') : 0;
  return [{ filename, bytes }];
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
