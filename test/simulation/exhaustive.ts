import type { History, Outcome } from './history.ts';
import type { Trouble } from './machine.ts';
import type { RequestTrouble } from './service.ts';

/** A run of three requests, one of them of several emails. */
export const small: History = {
  seed: 1,
  rows: ['template a', 'template a', 'plain', 'alone'],
  names: 'in order',
  concurrency: 1,
  retries: 1,
  troubles: [],
  requests: [],
};

const powerCuts: readonly Trouble[] = ['power, a day', 'power, all lost', 'power, some lost'];

const troubles: readonly Trouble[] = [
  ...(['kill', 'kill, a day', 'full', 'fails', 'tear', 'twin', 'a day'] as const),
  ...powerCuts,
];

const ofRequests: readonly RequestTrouble[] = [
  ...(['unreachable', 'cut', 'lost', 'late', 'twice', 'silence', 'fails', 'fails after'] as const),
  ...(['garbage after', 'bad gateway', 'busy', 'limit', 'conflict', 'quota', 'short'] as const),
];

/** What a history without any trouble did: where troubles may happen. */
type Calm = Pick<Outcome, 'steps' | 'requests'>;

/** Every history of the small run with one trouble at a request, and those without any. */
export function withOneRequest({ requests }: Pick<Calm, 'requests'>): History[] {
  const places = Array.from({ length: requests }, (_, index) => index + 1);
  const withRejected: History = { ...small, rows: [...small.rows, 'rejected'] };
  const troubled = places.flatMap((place) =>
    ofRequests.map((trouble): History => ({ ...small, requests: [[place, trouble]] })),
  );
  return [small, withRejected, ...troubled];
}

/** Every history of the small run with one trouble at a step. */
export function withOneStep({ steps }: Pick<Calm, 'steps'>): History[] {
  const atSteps = (run: History, all: readonly Trouble[]) =>
    steps.flatMap(({ kind }, index) =>
      all
        .filter((trouble) => trouble !== 'tear' || kind === 'write')
        .filter((trouble) => trouble !== 'fails' || kind !== 'net')
        .filter((trouble) => trouble !== 'a day' || kind === 'net')
        .map((trouble): History => ({ ...run, troubles: [[index + 1, trouble]] })),
    );
  const eachAlone = { ...small, names: 'each alone' } as const;
  return [...atSteps(small, troubles), ...atSteps(eachAlone, powerCuts)];
}

/** Every history of the small run with a trouble at a request, and a death or another one after that. */
export function withTwoTroubles({ steps, requests }: Calm): History[] {
  const first = steps.findIndex(({ what }) => what.startsWith('POST'));
  const places = Array.from({ length: requests }, (_, index) => index + 1);
  const deaths = ['kill', 'kill, a day', 'power, a day'] as const;
  return places.flatMap((request) =>
    ofRequests.flatMap((trouble) => {
      // A process that gives up at once leaves most to the next one.
      const one: History = { ...small, retries: 0, requests: [[request, trouble]] };
      const died = deaths.flatMap((death) =>
        // A history is another one after its first trouble: some steps more.
        Array.from({ length: steps.length + 12 - first }, (_, index): History => {
          return { ...one, troubles: [[first + index, death]] };
        }),
      );
      // The next process asks for the time before it sends.
      const again = [1, 2].flatMap((later) =>
        ofRequests.map((other): History => {
          return { ...one, requests: [...one.requests, [request + later, other]] };
        }),
      );
      return [...again, ...died];
    }),
  );
}
