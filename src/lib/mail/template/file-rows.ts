import type { ReadonlyInfer } from '../../base/json/readonly-infer.ts';
import { quantity } from '../../base/text/quantity.ts';
import { type List, type ListResult, list } from '../../command-line/output/result.ts';
import type { PlanDocument } from '../../service/http/plan-shape.ts';
import type { fileRow } from './file-row-shape.ts';

export type FileRow = ReadonlyInfer<typeof fileRow>;

/** The files of a directory, as the result of a command. */
export function fileList(
  rows: readonly FileRow[],
  options: Partial<Pick<List<FileRow>, 'note' | 'failure' | 'empty'>> & {
    /** Of a dry run. */
    readonly plan?: PlanDocument;
  },
): ListResult {
  const { plan, ...others } = options;
  const made = withResult(rows, 'created', 'written');
  const ids = withResult(made, 'created').flatMap(({ id }) => id ?? []);
  return list<FileRow>({
    pages: [{ rows, ...(plan && { rest: plan }) }],
    ...(plan && { rowsIn: 'data' }),
    columns: [
      { field: 'file', header: 'File', flexible: true },
      { field: 'name', header: 'Name', flexible: true },
      { field: 'id', header: 'Id' },
      { field: 'result', header: 'Result' },
    ],
    id: ({ file }) => file,
    empty: 'The service has no templates.',
    afterWriting: true,
    ...(made.length > 0 ? { carriedOut: { ids, what: whatWas(made) } } : {}),
    ...others,
  });
}

function whatWas(made: readonly FileRow[]): string {
  return made[0]?.result === 'created'
    ? `Created ${quantity(made.length, 'template')}.`
    : `Wrote ${quantity(made.length, 'file')}.`;
}

/** The rows with this result. */
export function withResult(rows: readonly FileRow[], ...results: readonly FileRow['result'][]) {
  return rows.filter(({ result }) => results.includes(result));
}
