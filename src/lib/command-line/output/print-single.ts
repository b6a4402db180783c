import { visibleLines } from '../../base/text/visible.ts';
import { plainCell } from './cells.ts';
import { checkFields, chooseFields, dataOf } from './chosen-fields.ts';
import { pick } from './fields.ts';
import {
  jsonDocument,
  jsonLine,
  type PrintOptions,
  printConverted,
  printJson,
  printTsv,
} from './print-text.ts';
import type { Column } from './result.ts';

/** One value, and what is known about it. */
interface Single {
  readonly reply: unknown;
  /** Shown unless JSON or some of its fields are asked for. */
  readonly text: string;
  /** The columns for output by fields, if any. */
  readonly columns?: readonly Column<unknown>[];
  readonly afterWriting?: boolean | undefined;
}

/** Prints JSON or the chosen fields if asked for, else the text. */
export async function printSingle(
  { reply, text, columns = [], afterWriting }: Single,
  options: PrintOptions,
): Promise<void> {
  const { format, known } = options;
  const chosen = options.fields && chooseFields(options.fields, { columns, known });
  if (chosen !== undefined) checkFields(chosen, [reply], { columns, afterWriting }, options);
  const shown = () => (chosen === undefined ? reply : pick(reply, chosen));
  if (format === 'json') return await printJson(options, jsonDocument(shown(), options));
  if (format === 'jsonl') return await printJson(options, jsonLine(shown()));
  if (chosen === undefined) return await printText(text, options);
  for (const { name, column } of chosen) {
    const value = plainCell(dataOf(column, reply));
    if (format === 'quiet') await printText(value, options, '\n');
    else await printTsv(options, [name, value]);
  }
}

/** Prints a text that ends with a line break, or `empty` if it is empty. */
async function printText(text: string, options: PrintOptions, empty = ''): Promise<void> {
  await printConverted(options, text === '' ? empty : `${text}\n`, visibleLines);
}
