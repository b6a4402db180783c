import { Hono } from 'hono';
import * as z from 'zod';
import { durationOf } from '../../../shared/duration.ts';
import { inVain, UnknownMessage, waitForArrivals } from '../../arrivals/wait-for-arrivals.ts';
import type { AccountName } from '../../model/api-account.ts';
import { ApiError } from '../../store/errors.ts';
import type { Store } from '../../store/store.ts';

const mostMessages = 100;
const longestMinutes = 10;

const duration = z.string().transform((text, { addIssue }) => {
  const milliseconds = durationOf(text);
  if (milliseconds !== undefined && milliseconds <= longestMinutes * 60_000) return milliseconds;
  addIssue(`timeout is a duration of at most ${longestMinutes}m, such as 500ms, 10s or 1m`);
  return z.NEVER;
});

const count = z.string().transform((text, { addIssue }) => {
  if (/^\d{1,3}$/.test(text) && Number(text) <= mostMessages) return Number(text);
  addIssue(`count is a whole number from 0 to ${mostMessages}`);
  return z.NEVER;
});

const since = z.string().transform((text) => {
  const at = Date.parse(text);
  return /^\d{4}-\d\d-\d\dT/.test(text) && !Number.isNaN(at) ? at : text;
});

// With a misspelt address, nothing would come for certain. A plus that is not encoded arrives as a space, which no address
// has.
const address = (name: string) =>
  z
    .string()
    .refine((text) => text.includes('@'), `${name} is an address, such as ana@example.org`)
    .transform((text) => (text.includes('<') ? text : text.trim().replaceAll(' ', '+')));

const query = z.strictObject({
  to: address('to').optional(),
  from: address('from').optional(),
  subject: z.string().optional(),
  since: since.optional(),
  code: z
    .literal('true', 'code can only be true')
    .transform(() => true)
    .optional(),
  link: z.string().optional(),
  count: count.prefault('1'),
  timeout: duration.prefault('10s'),
});

/** Waits for messages, and shows them with their links and codes. */
export function createMessages(store: Store, account: AccountName): Hono {
  const app = new Hono();
  app.get('/wait', async ({ req }) => {
    const { count, timeout, ...wanted } = readQuery(new URL(req.url).searchParams);
    const { signal } = req.raw;
    const how = { count, timeout, signal, account };
    const { met, total, messages } = await arrivals(store, wanted, how);
    if (met) return Response.json({ messages, total });
    const message = inVain(store, wanted, { count, total, timeout });
    // In vain is 404. That something came is not: it is there.
    const [status, code] = count === 0 ? [409, 'CONFLICT'] : [404, 'NOT_FOUND'];
    return Response.json({ error: { code, message }, messages, total }, { status });
  });
  return app;
}

function readQuery(given: URLSearchParams): z.infer<typeof query> {
  const names = [...given.keys()];
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new ApiError('BAD_REQUEST', `${twice} is given twice.`);
  const result = query.safeParse(Object.fromEntries(given));
  if (result.success) return result.data;
  const [{ code, message } = { code: '', message: '' }] = result.error.issues;
  const known = `The query may have ${Object.keys(query.shape).join(', ')}.`;
  throw new ApiError('BAD_REQUEST', code === 'unrecognized_keys' ? known : `${message}.`);
}

async function arrivals(...given: Parameters<typeof waitForArrivals>) {
  try {
    return await waitForArrivals(...given);
  } catch (error) {
    if (!(error instanceof UnknownMessage)) throw error;
    throw new ApiError(
      'BAD_REQUEST',
      `${error.message}. since is a time such as 2026-01-31T12:00:00Z, or the id of a message.`,
    );
  }
}
