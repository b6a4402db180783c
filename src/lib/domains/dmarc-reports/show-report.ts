import { PartialError, WaitFailedError } from '../../base/errors.ts';
import { compact } from '../../base/text/compact.ts';
import { share } from '../../base/text/percent.ts';
import { grouped, quantity } from '../../base/text/quantity.ts';
import { visible } from '../../base/text/visible.ts';
import { wrapped } from '../../base/text/wrap.ts';
import { type ListResult, list } from '../../command-line/output/result.ts';
import { columnsFor } from './columns.ts';
import type { Grouping } from './flags.ts';
import { type Gate, whyFailed } from './gate.ts';
import { labelOf } from './report-group.ts';
import type { DamagedFile, DomainTotal, ReportDocument, ReportGroup } from './report-shapes.ts';
import type { Tally } from './tally.ts';

interface Shown {
  readonly tally: Tally;
  readonly by: Grouping;
  readonly damaged: readonly DamagedFile[];
  readonly otherFiles: number;
  readonly gates: readonly Gate[];
  /** Undefined if there is none. */
  readonly terminalWidth: number | undefined;
  /** Sentences below the tables. */
  readonly notes: readonly string[];
}

/** A table for each domain, below a sentence about it; in pipes one table. */
export function showReport(shown: Shown): ListResult {
  const { tally, by, damaged, otherFiles, gates, terminalWidth, notes } = shown;
  const { reports, duplicates, reporters } = tally;
  const domains = tally.totals();
  const rest: Omit<ReportDocument, 'rows'> = {
    ...{ reports, duplicates, reporters, otherFiles, damaged, domains },
  };
  const pages = domains.map(({ domain }) => ({ rows: tally.groupsOf(domain), rest }));
  const isFirst = (domain: string) => domain === domains[0]?.domain;
  return list<ReportGroup>({
    pages: pages.length === 0 ? [{ rows: [], rest }] : pages,
    rowsIn: 'rows',
    joinPages: true,
    columns: columnsFor(by, terminalWidth),
    id: labelOf,
    tablePerPage: true,
    above: async (rows, { palette }, width) => {
      const total = domains.find(({ domain }) => domain === rows[0]?.domain);
      if (total === undefined) return [];
      const lines = wrapped(inWords(total), width)
        .split('\n')
        .map((line) => palette.bold(line));
      return isFirst(total.domain) ? lines : ['', ...lines];
    },
    empty: `There are no messages in ${quantity(reports, 'aggregate report')}.`,
    note: () =>
      compact(
        domains.length !== 1 &&
          `${quantity(domains.length, 'domain')} in ${quantity(reports, 'report')}.`,
        duplicates > 0 &&
          `${quantity(duplicates, 'report')} had already been counted and ${duplicates === 1 ? 'was' : 'were'} left out.`,
        otherFiles > 0 && `${grouped(otherFiles)} of the files and messages are not reports.`,
        ...notes,
      ),
    failure: failureOf(gates, domains, damaged),
  });
}

function failureOf(
  gates: readonly Gate[],
  domains: readonly DomainTotal[],
  damaged: readonly DamagedFile[],
) {
  const reasons = gates.flatMap((gate) => whyFailed(gate, domains) ?? []);
  if (reasons.length > 0) return new WaitFailedError(reasons.join(' '));
  const [first] = damaged;
  if (first !== undefined) {
    const which = damaged.length === 1 ? ':' : ', the first:';
    return new PartialError(
      `${quantity(damaged.length, 'file')} could not be read${which} ${visible(first.file)} ${first.problem}. The others were counted.`,
    );
  }
  if (gates.length > 0 && domains.every(({ messages }) => messages === 0)) {
    return new WaitFailedError('There are no messages for --fail-on to judge.');
  }
  return undefined;
}

/** A domain in a sentence. */
function inWords(total: DomainTotal): string {
  const { domain, policy, reports, reporters, messages, aligned, firstDay, lastDay } = total;
  const period = firstDay === lastDay ? firstDay : `${firstDay} to ${lastDay}`;
  const applied = policy.p === null ? '' : `, p=${policy.p}`;
  const percent = share(aligned, messages);
  const others = messages - aligned;
  const not = others === 0 ? '' : ` (${grouped(others)} ${others === 1 ? 'is' : 'are'} not)`;
  const result = percent === undefined ? '' : `, ${percent} aligned${not}`;
  return visible(
    `${domain}${applied}, ${period}: ${quantity(messages, 'message')}${result}, in ${quantity(reports, 'report')} of ${quantity(reporters, 'receiver')}`,
  );
}
