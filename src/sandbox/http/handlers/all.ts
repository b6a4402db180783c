import { type OperationId, operations } from '../../../api/operations.ts';
import { teamId, teamName } from '../../model/api-account.ts';
import type { Call, Handlers, Route } from '../call.ts';
import { type LiveInput, liveInputs } from '../live-inputs.ts';
import { openApi } from '../openapi.ts';
import { campaignHandlers } from './campaign.ts';
import { contactHandlers } from './contact.ts';
import { domainHandlers } from './domain.ts';
import { emailHandlers } from './email.ts';
import { eventHandlers } from './event.ts';
import { reputationHandlers } from './reputation.ts';
import { segmentHandlers } from './segment.ts';
import { statsHandlers } from './stats.ts';
import { templateHandlers } from './template.ts';
import { undocumentedRoutes } from './undocumented.ts';

/** The handlers of all operations of the contract; the type check reports missing ones. */
const handlers: Handlers = {
  ...emailHandlers,
  ...campaignHandlers,
  ...contactHandlers,
  ...domainHandlers,
  ...reputationHandlers,
  ...statsHandlers,
  ...segmentHandlers,
  ...eventHandlers,
  ...templateHandlers,
  'account.get': () => ({ teamId, teamName, scopes: null }),
  'service.doc'() {
    const others = undocumentedRoutes.map(({ operation }) => operation);
    return openApi([...Object.values(operations), ...others]);
  },
};

export const contractRoutes: readonly Route[] = Object.values(operations).map(({ id }) =>
  routeOf(id),
);

function routeOf<Id extends OperationId>(id: Id): Route {
  return {
    operation: { ...operations[id], input: liveInputs[id] ?? operations[id].input },
    // See `Route`.
    handle: (call) => handlers[id](call as Call<LiveInput<Id>>),
  };
}
