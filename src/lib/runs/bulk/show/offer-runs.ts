import type { OwnOffer } from '../../../command-line/completion/offer.ts';
import type { ShownRun } from './run-shapes.ts';

/** The runs, newest first: each by its short name, if no other run has the same. */
export const offerRuns: OwnOffer = offer(() => true);

/** Only the runs that can be resumed, or all if there is none. */
export const offerIncompleteRuns: OwnOffer = offer(({ state }) => state === 'incomplete');

function offer(fits: (run: ShownRun) => boolean): OwnOffer {
  return {
    one: 'Run',
    several: 'runs',
    ifNone: 'To start one: mailer email batch FILE',
    find: async (flags, system) => {
      // Not loaded for a help page.
      const [{ shortRunName }, { runsOf }, { readRuns }] = await Promise.all([
        import('../journal/named-run.ts'),
        import('../journal/run-store.ts'),
        import('./read-runs.ts'),
      ]);
      const runs = readRuns(runsOf({ flags, system }));
      const first = runs.filter(fits);
      const chosen = first.length > 0 ? first : runs;
      const offered = chosen.map(({ run, state, file, emails, accepted }) => {
        const short = shortRunName(run);
        const isClear = runs.every((one) => one.run === run || shortRunName(one.run) !== short);
        const done = emails === undefined ? undefined : `${accepted} of ${emails} accepted`;
        return {
          value: isClear ? short : run,
          description: [state, done, file].filter(Boolean).join(', '),
        };
      });
      return [...offered, { value: '@last', description: 'the newest one', second: true }];
    },
  };
}
