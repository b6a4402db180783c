import { tsvRow } from '../text/csv.ts';
import { visibleLines } from '../text/visible.ts';
import { cellOf, plainCell } from './cells.ts';
import { pick, unknownFields, valueAt } from './fields.ts';
import { jsonDocument, jsonLine, type PrintOptions, print } from './sink.ts';

/** JSON where it was asked for, else the text. */
export async function printSingle(
  reply: unknown,
  text: string,
  options: PrintOptions,
): Promise<void> {
  const shown = options.fields === undefined ? reply : pick(reply, options.fields);
  const problem = unknownFields([reply], options.fields ?? []);
  if (problem !== undefined) options.notes.warn(problem);
  switch (options.format) {
    case 'json':
      return await print(options, jsonDocument(shown, options));
    case 'jsonl':
      return await print(options, jsonLine(shown));
    default:
      if (options.fields !== undefined) {
        return await printFields(reply, options.fields, options);
      }
      return await print(options, text === '' ? '' : `${visibleLines(text)}\n`);
  }
}

/** One record reduced to some fields: name and value, a line each. */
async function printFields(
  reply: unknown,
  fields: readonly string[],
  options: PrintOptions,
): Promise<void> {
  for (const field of fields) {
    await print(options, tsvRow([field, plainCell(cellOf(valueAt(reply, field)))]));
  }
}
