import { teamId, teamName } from '../../model/account.ts';
import type { Handlers } from '../call.ts';

export const accountHandlers: Handlers<'account.get'> = {
  'account.get': () => ({ teamId, teamName, scopes: null }),
};
