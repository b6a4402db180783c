import { teamId, teamName } from '../../model/api-account.ts';
import type { Handlers } from '../call.ts';

export const accountHandlers: Handlers<'account.get'> = {
  'account.get': () => ({ teamId, teamName, scopes: null }),
};
