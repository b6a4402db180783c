import { type ListResult, list } from '../output/result.ts';
import type { Context } from './context.ts';
import { type Feature, featuresOf, unknownFeatures } from './features.ts';

/** Lists what the account's service offers. The request needs no key and sends none. */
export async function showFeatures(context: Context): Promise<ListResult> {
  const { service } = await context.account();
  const client = await context.clientFor({ baseUrl: service(), apiKey: undefined });
  const known = await context.progress.during('Waiting for the service', () => featuresOf(client));
  const rows = known ?? unknownFeatures();
  const quiet = context.flags.quiet === true && context.flags.fields === undefined;
  return list<Feature>({
    pages: [{ rows: quiet ? rows.filter(({ offered }) => offered) : rows }],
    columns: [
      { field: 'feature', header: 'Feature' },
      {
        field: 'offered',
        header: 'Offered',
        inWords: true,
        cell: ({ offered, missing }) =>
          offered === null ? 'not known' : offered && missing.length > 0 ? 'in part' : offered,
      },
      { field: 'missing', header: 'Missing', flexible: true },
    ],
    id: ({ feature }) => feature,
    empty: 'None.',
    note: () =>
      known === undefined
        ? 'The service does not describe its API, so what it offers is not known.'
        : undefined,
  });
}
