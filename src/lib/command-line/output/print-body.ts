import { attempt } from '../../../shared/attempt.ts';
import { parseExact } from '../../base/json/exact-numbers.ts';
import { isTooMuch } from '../../base/json/nesting.ts';
import type { WireReply } from '../../base/system/wire.ts';
import { escapeJson, visible, visibleLines } from '../../base/text/visible.ts';
import { indentedJson, type PrintOptions, print } from './print-text.ts';
import type { BodyResult } from './result.ts';

/**
 * Shows a response as received. On a terminal, JSON is indented and hidden characters are escaped.
 */
export async function printBody(result: BodyResult, options: PrintOptions): Promise<void> {
  const { answer, include, failure } = result;
  const { format, stdout } = options;
  const forTerminal = stdout.isTTY === true;
  if (format === 'quiet') return;
  if (format === 'json' && include) {
    // For a rejection, scripts get only the error.
    if (failure !== undefined) return;
    return await print(options, shownBody(wholeDocument(answer), forTerminal));
  }
  if (include) await print(options, await headText(answer));
  await print(options, shownBody(answer.body, forTerminal));
}

/** Status and headers as lines, and an empty line. The HTTP version is unknown. */
async function headText({ status, headers }: WireReply): Promise<string> {
  const { STATUS_CODES } = await import('node:http');
  const statusLine = `HTTP ${status} ${STATUS_CODES[status] ?? ''}`.trimEnd();
  const lines = Object.entries(headers).map(([name, value]) => visible(`${name}: ${value}`));
  return `${[statusLine, ...lines, ''].join('\n')}\n`;
}

/** The response as JSON text; a JSON body stays as received. */
function wholeDocument({ status, headers, body }: WireReply): string {
  const json = isJson(body) ? body.trim() : JSON.stringify(body === '' ? null : body);
  return `{"status":${status},"headers":${JSON.stringify(headers)},"body":${json}}`;
}

function shownBody(text: string, forTerminal: boolean): string {
  if (text === '') return '';
  if (!forTerminal) return isJson(text) ? withLineEnd(text) : text;
  return withLineEnd(indented(text) ?? visibleLines(text));
}

/** JSON text for a person; undefined if it is not JSON, or too large for that. */
function indented(text: string): string | undefined {
  if (isTooMuch(text) !== undefined) return undefined;
  return attempt(() => escapeJson(indentedJson(parseExact(text))), undefined);
}

function withLineEnd(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}

/** Whether a text is JSON, at any depth, with no more parts than this program reads. */
function isJson(text: string): boolean {
  const isRead = isTooMuch(text, Number.POSITIVE_INFINITY) === undefined;
  return isRead && attempt(() => JSON.parse(text), undefined) !== undefined;
}
