import { Hono } from 'hono';
import * as z from 'zod';
import { durationOf } from '../../../shared/duration.ts';
import { type Advanced, ClockOutOfRange, shownAdvanced } from '../../model/advance.ts';
import { ApiError } from '../../store/errors.ts';
import { readJsonBody } from './read-json.ts';

export interface AdvanceOptions {
  /** Advances the clock by milliseconds; links in mail start with `origin`. */
  readonly advance: (by: number, origin: string) => Promise<Advanced>;
}

const expected = 'The body is {"by": "1d"}, or another duration such as 30m or 1d12h, above 0.';
const body = z.strictObject({
  by: z.string().transform((text, { addIssue }) => {
    const by = durationOf(text.replaceAll(' ', ''));
    if (by !== undefined && by > 0) return by;
    addIssue(expected);
    return z.NEVER;
  }),
});

/** Advances the sandbox's clock, and returns what happened. */
export function createAdvance({ advance }: AdvanceOptions): Hono {
  const app = new Hono();
  app.post('/', async (context) => {
    const { by } = await readJsonBody(context, body, expected);
    try {
      return context.json(shownAdvanced(await advance(by, new URL(context.req.url).origin)));
    } catch (error) {
      if (error instanceof ClockOutOfRange) throw new ApiError('BAD_REQUEST', error.message);
      throw error;
    }
  });
  return app;
}
