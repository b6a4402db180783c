import { visibleLines } from '../text/visible.ts';
import { plainCell } from './cells.ts';
import { checkFields } from './check-fields.ts';
import { chooseFields, dataOf } from './chosen-fields.ts';
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

/** One value, and what is known of it. */
interface Single {
  readonly reply: unknown;
  /** What is shown where neither JSON nor some of its fields are asked for. */
  readonly text: string;
  /** What it is shown by, if by fields. */
  readonly columns?: readonly Column<unknown>[];
  readonly afterWriting?: boolean | undefined;
}

/** JSON where it was asked for, the fields that were asked for, else the text. */
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

/** A text on lines of its own; for an empty one, what is given. */
async function printText(text: string, options: PrintOptions, empty = ''): Promise<void> {
  await printConverted(options, text === '' ? empty : `${text}\n`, visibleLines);
}
