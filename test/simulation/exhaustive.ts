import type { Outcome } from './happen.ts';
import type { History } from './history.ts';
import type { Trouble } from './machine.ts';
import { type RequestTrouble, workOf } from './service.ts';

const common = {
  ...({ seed: 1, names: 'in order', concurrency: 1, retries: 1 } as const),
  ...{ troubles: [], requests: [] },
};

/** A run of three requests, one of them of several emails. */
export const emails: History = {
  ...common,
  rows: ['template a', 'template a', 'plain', 'alone'],
};

/** An import of three requests, into a book that asks new contacts to confirm. */
export const contacts: History = {
  ...common,
  rows: ['new', 'changed', 'new', 'pending'],
  book: 'asks',
};

/** The worst come first: by the time of a retry, the service has forgotten the request. */
const longDeaths: readonly Trouble[] = ['power, a day', 'kill, a day'];
const otherTroubles: readonly Trouble[] = [
  ...(['power, all lost', 'power, some lost', 'kill', 'full', 'fails', 'tear', 'twin'] as const),
  'a day',
];

/** Troubles in which the service accepts the request, but the program gets no response. */
const unheard = [
  ...(['lost', 'silence', 'late', 'fails after', 'garbage after'] as const),
  ...(['works', 'works, 504', 'works, lost', 'much later'] as const),
];
const atWork = ['works', 'works, 504', 'works, lost', 'works, short', 'much later'] as const;
const ofRequests: readonly RequestTrouble[] = [
  ...(['short', 'lost', 'quota', 'silence', 'conflict', 'fails after', 'limit'] as const),
  ...(['late', 'busy', 'bad gateway', 'garbage after', 'fails', 'cut', 'unreachable'] as const),
  ...(['twice', 'slow', 'works', 'works, 504', 'works, lost', 'works, short'] as const),
  ...(['much later', 'stands still'] as const),
];

/** The steps and requests of a history without troubles, where troubles may happen. */
type Calm = Pick<Outcome, 'steps' | 'requests'>;

/** All histories of a small run with one trouble or two, in groups. */
export function smallHistories(run: History, calm: Calm) {
  const requests = ofRequests.filter((trouble) => !isBeyond(run, trouble));
  return {
    one: [
      withOneRequest(run, calm, requests),
      withCutAfterName(run, calm),
      withOneStep(run, calm, longDeaths),
      withOneStep(run, calm, otherTroubles),
    ],
    two: [
      withSlowTwin(run, calm),
      ...(run.book === undefined
        ? [
            withStartAtWork(run, calm),
            withLateLastTry(run, calm),
            withQuotaAtRepetition(run, calm),
            withKillAmongLooks(run, calm),
          ]
        : []),
      withTwoRequests(run, calm, requests),
      withRequestAndStep(run, calm, requests),
    ],
  };
}

/**
 * Whether no program could keep its promises: contacts have no keys, so that the network must not duplicate a request; and a
 * request that creates nothing within two minutes can only be waited for.
 */
export function isBeyond({ book, troubles }: History, trouble: RequestTrouble): boolean {
  if (book !== undefined) return trouble === 'twice' || workOf(trouble) !== undefined;
  return trouble === 'stands still' && troubles.length > 0;
}

const upTo = (most: number) => Array.from({ length: most }, (_, index) => index + 1);

/** Histories with one trouble at a request, and without any. */
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

/** Histories with one trouble at a step. */
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

/** Histories with a power cut right after a name has changed: the file behind it may not be on the disk. */
function withCutAfterName(run: History, { steps }: Calm): History[] {
  return steps.flatMap(({ kind }, index): History[] =>
    kind === 'name' ? [{ ...run, troubles: [[index + 2, 'power, content lost']] }] : [],
  );
}

/** Histories with a second process that overtakes the first one, which waits for a response. */
function withSlowTwin(run: History, { steps }: Calm): History[] {
  return steps
    .flatMap(({ kind, what }, index) =>
      kind === 'net' && !what.startsWith('response') ? [index + 1] : [],
    )
    .map((step, index): History => {
      return { ...run, troubles: [[step, 'twin']], requests: [[index + 1, 'slow']] };
    });
}

/** Histories with a request that the service works on, and a start before the lock of its key is over, or after. */
function withStartAtWork(run: History, { requests }: Calm): History[] {
  return upTo(requests).flatMap((place) =>
    [35, 61].flatMap((pause) =>
      atWork.map(
        (trouble): History => ({ ...run, pause, retries: 0, requests: [[place, trouble]] }),
      ),
    ),
  );
}

/** Histories with a request that is accepted and put off because of a 500, and a day before its last try. */
function withLateLastTry(run: History, { steps, requests }: Calm): History[] {
  const places = steps.flatMap(({ kind }, index) => (kind === 'net' ? [index + 1] : []));
  return upTo(requests).flatMap((request) =>
    places.map(
      (place): History => ({
        ...{ ...run, retries: 0, requests: [[request, 'fails after']] },
        troubles: [[place, 'a day']],
      }),
    ),
  );
}

/** Histories with a request that is accepted without a response, and rejected when it is repeated. */
function withQuotaAtRepetition(run: History, { requests }: Calm): History[] {
  return upTo(requests).flatMap((place) =>
    (['lost', 'late', 'silence'] as const).map(
      (first): History => ({
        ...run,
        requests: [
          [place, first],
          [place + 1, 'quota'],
        ],
      }),
    ),
  );
}

/** Histories in which emails that the service left out are found by showing each of the others, and a kill meanwhile. */
function withKillAmongLooks(run: History, { steps }: Calm): History[] {
  const first = steps.findIndex(({ what }) => what.startsWith('POST'));
  const before = steps.slice(0, first + 1);
  const request = before.filter(({ what }) => /^(GET|HEAD|POST) /.test(what)).length;
  const several: History = { ...run, rows: ['template a', 'template a', 'template a', 'plain'] };
  return upTo(steps.length + 12 - first).map(
    (place): History => ({
      ...{ ...several, retries: 0, list: 'none', requests: [[request, 'short']] },
      troubles: [[first + place - 1, 'kill']],
    }),
  );
}

/** Histories with a request without a response, and a trouble at one of the next requests. */
function withTwoRequests(
  run: History,
  { requests }: Calm,
  troubles: readonly RequestTrouble[],
): History[] {
  return upTo(requests).flatMap((place) =>
    unheard
      .filter((trouble) => !isBeyond(run, trouble))
      .flatMap((first) =>
        troubles.flatMap((second) =>
          // The same process sends it again; or the next one does, after asking for the time.
          [0, 1].map((retries): History => {
            const later = place + (retries === 1 ? 1 : 2);
            return { ...run, retries, requests: [...[[place, first] as const], [later, second]] };
          }),
        ),
      ),
  );
}

/** Histories with a trouble at a request, and the end of the process after that. */
function withRequestAndStep(
  run: History,
  { steps, requests }: Calm,
  troubles: readonly RequestTrouble[],
): History[] {
  const first = steps.findIndex(({ what }) => what.startsWith('POST'));
  const deaths = ['kill', 'kill, a day', 'power, a day'] as const;
  // After its first trouble, a history may have some more steps.
  const places = upTo(steps.length + 12 - first).map((index) => first + index - 1);
  const survived = troubles.filter((trouble) => trouble !== 'stands still');
  return upTo(requests).flatMap((request) =>
    survived.flatMap((trouble) =>
      deaths.flatMap((death) =>
        places.map((place): History => {
          // A process without retries leaves the most to the next one.
          const died = [[place, death]] as const;
          return { ...run, retries: 0, requests: [[request, trouble]], troubles: died };
        }),
      ),
    ),
  );
}
