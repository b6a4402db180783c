import type { SendBody } from '../../api/email.ts';
import { fileSize } from '../../shared/file-size.ts';
import type { Context } from '../command/context.ts';
import { formatInstant } from '../text/local-time.ts';
import { quantity } from '../text/quantity.ts';
import { visible } from '../text/visible.ts';
import { wrapped } from '../text/wrap.ts';

/** Lines of the body that are shown. */
const mostLines = 5;

/** Columns before the values. */
const indent = 13;

/**
 * Shows what goes to whom, and when, and asks whether to send it, unless `--yes` or `--dry-run` is
 * given. Throws a `UsageError` on a no.
 */
export async function confirmSend(body: SendBody, context: Context): Promise<void> {
  const question = body.scheduledAt === undefined ? 'Send it?' : 'Schedule it?';
  await context.prompts.confirm(question, undefined, ['', ...(await summaryOf(body, context)), '']);
}

async function summaryOf(body: SendBody, context: Context): Promise<readonly string[]> {
  const { attachments = [] } = body;
  const content = body.text ?? body.html;
  const rows: readonly (readonly [label: string, lines: readonly string[]])[] = [
    ['From', [body.from]],
    ['To', addresses(body.to)],
    ['Cc', addresses(body.cc)],
    ['Bcc', addresses(body.bcc)],
    ['Reply-To', addresses(body.replyTo)],
    ['Subject', body.subject === undefined ? [] : [body.subject]],
    ['Template', body.templateId === undefined ? [] : [body.templateId]],
    [body.text === undefined ? 'HTML' : 'Text', content === undefined ? [] : beginning(content)],
    [
      'Attachments',
      attachments.map(({ filename, content }) => `${filename} (${fileSize(bytesIn(content))})`),
    ],
    ['Size', [fileSize(sizeOf(body))]],
    ['When', [await timeOf(body.scheduledAt, context)]],
  ];
  const columns = Math.max(20, (context.system.stderr.columns || 80) - indent - 1);
  return rows.flatMap(([label, lines]) =>
    lines
      .flatMap((line) => wrapped(visible(line), columns).split('\n'))
      .map((line, index) => `${(index === 0 ? label : '').padEnd(indent)}${line}`.trimEnd()),
  );
}

function addresses(value: SendBody['cc']): readonly string[] {
  return [value ?? []].flat();
}

function beginning(content: string): readonly string[] {
  const lines = content.trimEnd().split(/\r?\n/);
  const rest = lines.length - mostLines;
  if (rest <= 1) return lines;
  return [...lines.slice(0, mostLines), `… and ${quantity(rest, 'more line')}`];
}

/** Bytes that a text in base64 stands for. */
function bytesIn(base64: string): number {
  return Buffer.byteLength(base64, 'base64');
}

/** Bytes of the body and of the files with it. */
function sizeOf({ text = '', html = '', attachments = [] }: SendBody): number {
  const files = attachments.reduce((sum, { content }) => sum + bytesIn(content), 0);
  return Buffer.byteLength(text) + Buffer.byteLength(html) + files;
}

async function timeOf(scheduledAt: string | undefined, context: Context): Promise<string> {
  return scheduledAt === undefined
    ? 'now'
    : formatInstant(new Date(scheduledAt), await context.timeZone());
}
