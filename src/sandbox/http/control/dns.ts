import { type Context, Hono } from 'hono';
import * as z from 'zod';
import { publishDomain, publishedRecords } from '../../model/dns.ts';
import { changeRecords, dnsRecordSet, forgetChangedRecords } from '../../model/dns-changes.ts';
import { ApiError } from '../../store/errors.ts';
import type { Store } from '../../store/store.ts';
import { readJsonBody } from './read-json.ts';

const change = z.union([z.strictObject({ publish: z.string() }), dnsRecordSet]);

const expected =
  'The body is {"publish": "example.org"} for all records of a domain, or {"name": "mail.example.org", "type": "TXT", "values": ["v=spf1 ~all"]}; without values, the records are removed.';

/** Shows and sets the records in the sandbox's DNS. */
export function createDnsControl(store: Store): Hono {
  const app = new Hono();
  const state = (context: Context) => context.json({ records: publishedRecords(store) });

  app.get('/', state);
  app.put('/', async (context) => {
    const body = await readJsonBody(context, change, expected);
    store.write(() => {
      if (!('publish' in body)) return changeRecords(store, body);
      if (publishDomain(store, body.publish)) return;
      throw new ApiError('BAD_REQUEST', `The sandbox has no domain ${body.publish}.`);
    });
    return state(context);
  });
  app.delete('/', (context) => {
    store.write(() => forgetChangedRecords(store));
    return state(context);
  });
  return app;
}
