import { visibleLines } from '../text/visible.ts';
import { cellOf, plainCell } from './cells.ts';
import { pick, unknownFields, valueAt } from './fields.ts';
import type { Cell } from './result.ts';
import {
  jsonDocument,
  jsonLine,
  type PrintOptions,
  printConverted,
  printJson,
  printTsv,
} from './sink.ts';

/** JSON where it was asked for, else the text. `beside` are cells, by name, that JSON does not have. */
export async function printSingle(
  reply: unknown,
  text: string,
  options: PrintOptions,
  beside: ReadonlyMap<string, Cell> = new Map(),
): Promise<void> {
  const { fields = [], format } = options;
  const shown = options.fields === undefined ? reply : pick(reply, fields);
  const isJson = format === 'json' || format === 'jsonl';
  const ofReply = isJson ? fields : fields.filter((field) => !beside.has(field));
  const problem = unknownFields([reply], ofReply);
  if (problem !== undefined) options.notes.warn(problem);
  switch (format) {
    case 'json':
      return await printJson(options, jsonDocument(shown, options));
    case 'jsonl':
      return await printJson(options, jsonLine(shown));
    default:
      if (options.fields !== undefined) {
        for (const field of fields) await printTsv(options, [field, plainCell(cellFor(field))]);
        return;
      }
      return await printConverted(options, text === '' ? '' : `${text}\n`, visibleLines);
  }

  function cellFor(field: string): Cell {
    const value = valueAt(reply, field);
    return value === undefined ? beside.get(field) : cellOf(value);
  }
}
