import type { Bench, Figure } from './lib/bench.ts';
import { type FilledSandbox, startFilledSandbox } from './lib/filled-sandbox.ts';

/** The budget of a page, in milliseconds at the median. */
const most = 100;

/** Requests per page, after one to warm up. */
const asked = 20;

type Pages = Readonly<Record<string, (sandbox: FilledSandbox, messages: number) => string>>;

const pages: Pages = {
  'inbox, first page': () => '/',
  'inbox, search that finds one': () => '/?q=%22Kim+Example+77%22+person77@example.org',
  'inbox, search that finds all': () => '/?q=workshop+bergen',
  'inbox, search that finds none': () => '/?q=nothing+like+it',
  'inbox, filters that find none': () =>
    '/?q=from:nobody+status:delivered+is:unread+before:2100-01-01',
  'inbox, filters and a word': () =>
    '/?q=status:delivered+after:2000-01-01+is:unread+nothing+like+it',
  'inbox, filter that finds none': () => '/?q=status:complained',
  'inbox, attachments': () => '/?q=has:attachment',
  'inbox, a message': ({ id }) => `/messages/${id}`,
  'API, first page': () => '/api/v1/emails',
  'API, last page': (_, messages) => `/api/v1/emails?page=${messages / 50}`,
  'API, first page of a domain': () => '/api/v1/emails?domainId=1',
  'API, first page of a time': () => '/api/v1/emails?startDate=2020-01-01T00:00:00Z',
  'API, an email': ({ id }) => `/api/v1/emails/${id}`,
};

const countsOf = (quick: boolean) => (quick ? ([200, 100] as const) : ([50_000, 100] as const));

export const bench: Bench = {
  summary: (quick) =>
    `sandbox start, its pages and lists with ${countsOf(quick)[0].toLocaleString('en')} messages`,
  async run({ quick }) {
    const counts = countsOf(quick);
    // A quick run has too few messages for a goal.
    const goal = (ratio: number) => (quick ? {} : { atMost: ratio });
    const [many, few] = [await measured(counts[0], quick), await measured(counts[1], quick)];
    const fewMessages = `${counts[1]} messages`;
    const of = (times: Times, name: string) => times.pages.get(name) ?? [];
    return [
      ...Object.keys(pages).map(
        (name): Figure => ({
          what: name,
          measured: of(many, name),
          unit: 'ms',
          baselines: [
            { name: 'budget', measured: [most], ...goal(1) },
            { name: fewMessages, measured: of(few, name) },
          ],
        }),
      ),
      {
        what: '100 stored, of the last 2,500',
        measured: many.batches.slice(-25),
        unit: 'ms',
        baselines: [
          { name: '100, of the first 2,500', measured: many.batches.slice(0, 25), ...goal(3) },
        ],
      },
      {
        what: 'peak memory',
        measured: [many.memory],
        unit: 'KiB',
        baselines: [{ name: fewMessages, measured: [few.memory], ...goal(3) }],
      },
    ];
  },
};

interface Times {
  readonly pages: ReadonlyMap<string, readonly number[]>;
  readonly batches: readonly number[];
  readonly memory: number;
}

async function measured(messages: number, quick: boolean): Promise<Times> {
  process.stderr.write(`  ${messages} messages\n`);
  const sandbox = await startFilledSandbox(messages);
  const taken = new Map<string, readonly number[]>();
  for (const [name, pathOf] of Object.entries(pages)) {
    const path = pathOf(sandbox, messages);
    await sandbox.time(path);
    const times: number[] = [];
    for (let round = 0; round < (quick ? 1 : asked); round++) times.push(await sandbox.time(path));
    taken.set(name, times);
  }
  return { pages: taken, batches: sandbox.batches, memory: await sandbox.stop() };
}
