import type { Bench, Figure } from './lib/bench.ts';
import { type FilledSandbox, startFilledSandbox } from './lib/filled-sandbox.ts';

/** Milliseconds that a page may take at the median. */
const most = 100;

/** How often each page is asked for, after once to warm up. */
const asked = 20;

type Pages = Readonly<Record<string, (sandbox: FilledSandbox, messages: number) => string>>;

const pages: Pages = {
  'inbox, first page': () => '/',
  'inbox, what a search finds one of': () => '/?q=%22Kim+Example+77%22+person77@example.org',
  'inbox, what a search finds all of': () => '/?q=workshop+bergen',
  'inbox, what a search finds none of': () => '/?q=nothing+like+it',
  'inbox, a message': ({ id }) => `/messages/${id}`,
  'API, first page': () => '/api/v1/emails',
  'API, last page': (_, messages) => `/api/v1/emails?page=${messages / 50}`,
  'API, first page of a domain': () => '/api/v1/emails?domainId=1',
  'API, first page of a time': () => '/api/v1/emails?startDate=2020-01-01T00:00:00Z',
  'API, an email': ({ id }) => `/api/v1/emails/${id}`,
};

export const bench: Bench = {
  summary: 'sandbox start: its pages and lists with many messages, and with few',
  async run({ quick }) {
    const counts = quick ? ([200, 100] as const) : ([50_000, 100] as const);
    // So few messages say nothing about a goal.
    const goal = (ratio: number) => (quick ? {} : { atMost: ratio });
    const [many, few] = [await measured(counts[0], quick), await measured(counts[1], quick)];
    const total = counts[0].toLocaleString('en');
    const fewMessages = `${counts[1]} messages`;
    const of = (times: Times, name: string) => times.pages.get(name) ?? [];
    return [
      ...Object.keys(pages).map(
        (name): Figure => ({
          what: `${total} messages, ${name}`,
          measured: of(many, name),
          unit: 'ms',
          baseline: { name: 'what it may take', measured: [most] },
          ...goal(1),
        }),
      ),
      ...Object.keys(pages).map(
        (name): Figure => ({
          what: `${total} messages, ${name}`,
          measured: of(many, name),
          unit: 'ms',
          baseline: { name: fewMessages, measured: of(few, name) },
        }),
      ),
      {
        what: `${total} messages: to store the last 2,500, a hundred at once`,
        measured: many.batches.slice(-25),
        unit: 'ms',
        baseline: { name: 'the first 2,500', measured: many.batches.slice(0, 25) },
        ...goal(3),
      },
      {
        what: `${total} messages: peak memory`,
        measured: [many.memory],
        unit: 'KiB',
        baseline: { name: fewMessages, measured: [few.memory] },
        ...goal(3),
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
