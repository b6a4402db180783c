import { type OperationId, operations } from '../../../api/operations.ts';
import type { Call, Handlers, Route } from '../call.ts';
import { type LiveInput, liveInputs } from '../live-inputs.ts';
import { accountHandlers } from './account.ts';
import { campaignHandlers } from './campaign.ts';
import { contactHandlers } from './contact.ts';
import { domainHandlers } from './domain.ts';
import { emailHandlers } from './email.ts';
import { eventHandlers } from './event.ts';
import { reputationHandlers } from './reputation.ts';
import { segmentHandlers } from './segment.ts';
import { serviceHandlers } from './service.ts';
import { statsHandlers } from './stats.ts';
import { templateHandlers } from './template.ts';

/** The handlers of all operations of the contract; the type check reports missing ones. */
const handlers: Handlers = {
  ...accountHandlers,
  ...emailHandlers,
  ...campaignHandlers,
  ...contactHandlers,
  ...domainHandlers,
  ...reputationHandlers,
  ...serviceHandlers,
  ...statsHandlers,
  ...segmentHandlers,
  ...eventHandlers,
  ...templateHandlers,
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
