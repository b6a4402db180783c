import * as z from 'zod';
import { lenientObject, nullish, nullishNumber, nullishString } from './lenient.ts';
import { operation } from './operation.ts';

/**
 * The account of the key, and what the key may do: `none`, `read` or `write` by kind, and of `send` true or false.
 * Keys without scopes are not limited.
 */
export const getAccount = operation('account.get', {
  route: 'GET /v1/mcp/me',
  beyond: true,
  input: z.strictObject({}),
  reply: lenientObject({
    teamId: nullishNumber,
    teamName: nullishString,
    scopes: nullish(z.looseObject({})),
  }),
});
