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

/**
 * JSON where it was asked for, else the text. `beside` are cells that are shown beside what the reply
 * has, by name: they can be asked for too, but in JSON there is the reply alone.
 */
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
        const cells = fields.map((field) => [field, cellFor(field)] as const);
        return await printFields(cells, options);
      }
      return await printConverted(options, text === '' ? '' : `${text}\n`, visibleLines);
  }

  function cellFor(field: string): Cell {
    const value = valueAt(reply, field);
    return value === undefined ? beside.get(field) : cellOf(value);
  }
}

/** One record reduced to some fields: name and value, a line each. */
async function printFields(
  cells: readonly (readonly [field: string, cell: Cell])[],
  options: PrintOptions,
): Promise<void> {
  for (const [field, cell] of cells) await printTsv(options, [field, plainCell(cell)]);
}
