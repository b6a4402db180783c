import { withHint } from '../../base/errors.ts';
import { parseExact } from '../../base/json/exact-numbers.ts';
import type { Output } from '../../base/system/system.ts';
import type { Notes } from '../../base/terminal/notes.ts';
import { write } from '../../base/terminal/write.ts';
import { quotedNames } from '../../base/text/quoted-names.ts';
import { escapeJson, visibleLines } from '../../base/text/visible.ts';
import { isObject } from './fields.ts';
import type { Jq } from './jq.ts';
import { indentedJson } from './print-text.ts';

/** Takes JSON and writes to stdout what a jq expression returns for it. */
export interface FilteredOutput extends Output {
  /** Filters the rest. Throws a `UsageError` if the expression fails. */
  end(): Promise<void>;
  /** How many values were printed. */
  printed(): number;
  /** Ends jq. */
  close(): void;
}

interface FilterOptions {
  readonly jq: Jq;
  readonly expression: string;
  readonly stdout: Output;
  readonly signal: AbortSignal;
  readonly notes: Notes;
  /** Whether each line is filtered as it arrives, instead of all together at the end. */
  readonly byLine: boolean;
}

/** Filters JSON as `gh` does: strings are printed without quotes, null as an empty line. */
export function filterOutput(options: FilterOptions): FilteredOutput {
  const { jq, expression, stdout, signal, notes, byLine } = options;
  let waiting = '';
  let printed = 0;
  const pass = async (json: string) => {
    const { lines, notes: said, error } = await jq.apply(expression, json);
    printed += lines.length;
    const text = lines.map((line) => `${shown(line, stdout.isTTY === true)}\n`).join('');
    await write(stdout, text, signal);
    if (said !== '') notes.warn(...said.split('\n'));
    if (error !== undefined)
      throw byLine ? error : withHint(error, (one) => one.details.hint ?? namesIn(json));
  };
  return {
    write(text, done) {
      waiting += text;
      const end = byLine ? waiting.lastIndexOf('\n') + 1 : 0;
      if (end === 0) return done();
      const complete = waiting.slice(0, end);
      waiting = waiting.slice(end);
      pass(complete).then(() => done(), done);
    },
    async end() {
      const rest = waiting;
      waiting = '';
      if (rest !== '') await pass(rest);
    },
    printed: () => printed,
    close: () => jq.close(),
  };
}

/** What an expression that fails may have overlooked: that the document is not an array. */
function namesIn(json: string): string | undefined {
  const document = parseExact(json);
  if (!isObject(document)) return undefined;
  return `The document is an object with ${quotedNames(Object.keys(document))}.`;
}

/** A JSON value for a reader. People get it indented, with hidden characters escaped. */
function shown(json: string, forTerminal: boolean): string {
  if (json === 'null') return '';
  if (!json.startsWith('"')) {
    return escapeJson(forTerminal ? indentedJson(parseExact(json)) : json);
  }
  const text: unknown = JSON.parse(json);
  return forTerminal ? visibleLines(String(text)) : String(text);
}
