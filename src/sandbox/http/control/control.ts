import { type Context, Hono } from 'hono';
import * as z from 'zod';
import { durationOf } from '../../../shared/duration.ts';
import { ClockOutOfRange, shownAdvanced } from '../../model/advance.ts';
import { dataId } from '../../seeds/data.ts';
import { ApiError } from '../../store/errors.ts';
import type { AccountService } from '../account-service.ts';
import { authenticate } from '../authenticate.ts';
import type { Environment } from '../environment.ts';
import { FaultSyntaxError, faultForm } from '../faults/fault.ts';
import { TooManyFaults } from '../faults/faults.ts';
import { readFault } from '../faults/read-fault.ts';
import { languages } from '../language.ts';
import { isRateLimit } from '../rate-limit.ts';
import { createDnsControl } from './dns.ts';
import { createMessages } from './messages.ts';
import { readJsonBody } from './read-json.ts';
import { createWebhookControl } from './webhooks.ts';

const newFaults = z.union([
  z.strictObject({ fault: z.string() }),
  z.strictObject({ faults: z.array(z.string()) }),
]);

const newRateLimit = z.strictObject({ perSecond: z.number().refine(isRateLimit).nullable() });

const newLanguage = z.strictObject({ language: z.enum(languages) });

const expectedAdvance =
  'The body is {"by": "1d"}, or another duration such as 30m or 1d12h, above 0.';
const advanceBody = z.strictObject({
  by: z.string().transform((text, { addIssue }) => {
    const by = durationOf(text.replaceAll(' ', ''));
    if (by !== undefined && by > 0) return by;
    addIssue(expectedAdvance);
    return z.NEVER;
  }),
});

/**
 * Endpoints with which tests of a client change an account of the running sandbox; each returns the new state.
 * They need no key, which only selects the account: `serve` rejects requests from web pages of other sites.
 */
export function createControl(service: AccountService): Hono<Environment> {
  const { store, account, clock, faults, rateLimit, speech, advance, reset, startOver } = service;
  const control = new Hono<Environment>();

  const state = (context: Context<Environment>) =>
    context.json({
      now: new Date(clock()).toISOString(),
      account: account ?? null,
      data: dataId(store),
      faults: faults.list().map(({ fault, left, used }) => ({ fault: fault.text, left, used })),
      rateLimit: { perSecond: rateLimit.perSecond() ?? null },
      language: speech.language(),
    });

  control.use(async ({ req }, next) => {
    // Otherwise a misspelt key would change another account.
    const header = req.header('Authorization');
    if (header !== undefined) authenticate(header);
    await next();
  });
  control.get('/', state);
  control.post('/faults', async (context) => {
    const body = await readJsonBody(
      context,
      newFaults,
      'The body is {"fault": "POST /v1/emails 503 x2"}, or {"faults": […]} for several.',
    );
    const texts = 'fault' in body ? [body.fault] : body.faults;
    orBadRequest(() => faults.add(texts.map(readFault)));
    return state(context);
  });
  control.delete('/faults', (context) => {
    faults.clear();
    return state(context);
  });
  control.put('/rate-limit', async (context) => {
    const { perSecond } = await readJsonBody(
      context,
      newRateLimit,
      'The body is {"perSecond": 2}, a whole number from 1, or {"perSecond": null} for no limit.',
    );
    rateLimit.set(perSecond ?? undefined);
    return state(context);
  });
  control.put('/language', async (context) => {
    const { language } = await readJsonBody(
      context,
      newLanguage,
      'The body is {"language": "pt"}, or {"language": "en"}.',
    );
    speech.speak(language);
    return state(context);
  });
  control.post('/reset', (context) => {
    reset();
    return state(context);
  });
  control.delete('/account', (context) => {
    if (context.req.header('Authorization') === undefined) {
      throw new ApiError(
        'BAD_REQUEST',
        'Authorization is missing: it says which account to reset.',
      );
    }
    startOver();
    return state(context);
  });
  control.post('/advance', async (context) => {
    const { by } = await readJsonBody(context, advanceBody, expectedAdvance);
    const advanced = await advance(by, new URL(context.req.url).origin).catch((error) => {
      throw error instanceof ClockOutOfRange ? new ApiError('BAD_REQUEST', error.message) : error;
    });
    return context.json(shownAdvanced(advanced));
  });
  control.route('/dns', createDnsControl(store));
  control.route('/messages', createMessages(store, account));
  control.route('/webhooks', createWebhookControl(store, clock));
  control.all('*', ({ req }) => {
    throw new ApiError('NOT_FOUND', `There is no ${req.method} ${req.path}.`);
  });
  return control;
}

function orBadRequest(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof FaultSyntaxError || error instanceof TooManyFaults)) throw error;
    const form = error instanceof FaultSyntaxError ? ` ${faultForm}` : '';
    throw new ApiError('BAD_REQUEST', `${error.message}${form}`);
  }
}
