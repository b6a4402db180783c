import type { Outcome } from './happen.ts';
import type { History } from './history.ts';
import type { Trouble } from './machine.ts';
import type { RequestTrouble } from './service.ts';

const common = {
  ...({ seed: 1, names: 'in order', concurrency: 1, retries: 1 } as const),
  ...{ troubles: [], requests: [] },
};

/** A run of three requests, one of them of several emails. */
export const emails: History = {
  ...common,
  rows: ['template a', 'template a', 'plain', 'alone'],
};

/** An import of three requests, into a book that asks who is new to confirm. */
export const contacts: History = {
  ...common,
  rows: ['new', 'changed', 'new', 'pending'],
  book: 'asks',
};

/** The worst first: what is asked again later is not known to the service any more. */
const longDeaths: readonly Trouble[] = ['power, a day', 'kill, a day'];
const otherTroubles: readonly Trouble[] = [
  ...(['power, all lost', 'power, some lost', 'kill', 'full', 'fails', 'tear', 'twin'] as const),
  'a day',
];

/** Of these, the service accepts the request and the program does not hear of it. */
const unheard = ['lost', 'silence', 'late', 'fails after', 'garbage after'] as const;
const ofRequests: readonly RequestTrouble[] = [
  ...(['short', 'lost', 'quota', 'silence', 'conflict', 'fails after', 'limit'] as const),
  ...(['late', 'busy', 'bad gateway', 'garbage after', 'fails', 'cut', 'unreachable'] as const),
  'twice',
];

/** What a history without any trouble did: where troubles may happen. */
type Calm = Pick<Outcome, 'steps' | 'requests'>;

/** Every history of a small run with one trouble, in groups; and those with two. */
export function smallHistories(run: History, calm: Calm) {
  const requests = ofRequests.filter((trouble) => !isBeyond(run, trouble));
  return {
    one: [
      withOneRequest(run, calm, requests),
      withOneStep(run, calm, longDeaths),
      withOneStep(run, calm, otherTroubles),
    ],
    two: [withTwoRequests(run, calm, requests), withRequestAndStep(run, calm, requests)],
  };
}

/** A request that the network repeats by itself asks contacts twice, whatever the program does. */
function isBeyond({ book }: History, trouble: RequestTrouble): boolean {
  return book !== undefined && trouble === 'twice';
}

const upTo = (most: number) => Array.from({ length: most }, (_, index) => index + 1);

/** With one trouble at a request, and those without any. */
function withOneRequest(
  run: History,
  { requests }: Pick<Calm, 'requests'>,
  troubles: readonly RequestTrouble[],
): History[] {
  const withRejected: History = { ...run, rows: [...run.rows, 'rejected'] };
  const troubled = troubles.flatMap((trouble) =>
    upTo(requests).map((place): History => ({ ...run, requests: [[place, trouble]] })),
  );
  return [run, withRejected, ...troubled];
}

/** With one trouble at a step. */
function withOneStep(run: History, { steps }: Calm, troubles: readonly Trouble[]): History[] {
  const at = (one: History, all: readonly Trouble[]) =>
    steps.flatMap(({ kind }, index) =>
      all
        .filter((trouble) => trouble !== 'tear' || kind === 'write')
        .filter((trouble) => trouble !== 'fails' || kind !== 'net')
        .filter((trouble) => trouble !== 'a day' || kind === 'net')
        .map((trouble): History => ({ ...one, troubles: [[index + 1, trouble]] })),
    );
  const powerCuts = troubles.filter((trouble) => trouble.startsWith('power'));
  return [...at(run, troubles), ...at({ ...run, names: 'each alone' }, powerCuts)];
}

/** With a request of which nothing is heard, and a trouble at one of the next. */
function withTwoRequests(
  run: History,
  { requests }: Calm,
  troubles: readonly RequestTrouble[],
): History[] {
  return upTo(requests).flatMap((place) =>
    unheard.flatMap((first) =>
      troubles.flatMap((second) =>
        // It is sent again by the same process; or by the next one, which asks for the time before.
        [0, 1].map((retries): History => {
          const later = place + (retries === 1 ? 1 : 2);
          return { ...run, retries, requests: [...[[place, first] as const], [later, second]] };
        }),
      ),
    ),
  );
}

/** With a trouble at a request, and a death after that. */
function withRequestAndStep(
  run: History,
  { steps, requests }: Calm,
  troubles: readonly RequestTrouble[],
): History[] {
  const first = steps.findIndex(({ what }) => what.startsWith('POST'));
  const deaths = ['kill', 'kill, a day', 'power, a day'] as const;
  // A history is another one after its first trouble: some steps more.
  const places = upTo(steps.length + 12 - first).map((index) => first + index - 1);
  return upTo(requests).flatMap((request) =>
    troubles.flatMap((trouble) =>
      deaths.flatMap((death) =>
        places.map((place): History => {
          // A process that gives up at once leaves most to the next one.
          const died = [[place, death]] as const;
          return { ...run, retries: 0, requests: [[request, trouble]], troubles: died };
        }),
      ),
    ),
  );
}
