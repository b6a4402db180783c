import type { Context } from '../command/context.ts';
import { grouped } from '../text/quantity.ts';
import type { DamagedFile } from './show-report.ts';
import { findInSources } from './sources.ts';
import type { Tally } from './tally.ts';

/** How many damaged files are named on stderr; JSON has all. */
const mostNamed = 20;

/** Adds up the reports in all files, and warns of those that cannot be read. */
export async function readReports(
  context: Pick<Context, 'system' | 'notes' | 'progress' | 'report'>,
  paths: readonly string[],
  tally: Tally,
): Promise<{ damaged: readonly DamagedFile[]; otherFiles: number }> {
  const { system, notes, progress } = context;
  const damaged: DamagedFile[] = [];
  let otherFiles = 0;
  const waiting = (text: string) => void context.report(text);
  await progress.during('Reading reports', async () => {
    for await (const found of findInSources(paths, system, waiting)) {
      if (found.kind === 'other') otherFiles++;
      if (found.kind === 'damaged') damaged.push({ file: found.name, problem: found.problem });
      if (found.kind !== 'report') continue;
      tally.add(found.report);
      progress.update(() => `Reading reports: ${grouped(tally.reports)}`);
    }
  });
  for (const { file, problem } of damaged.slice(0, mostNamed)) notes.warn(`${file} ${problem}.`);
  const more = damaged.length - mostNamed;
  if (more > 0) notes.warn(`${grouped(more)} more could not be read; --json names all.`);
  return { damaged, otherFiles };
}
