import { type OperationId, operations } from '../../../api/operations.ts';
import type { Call, Handlers, Route } from '../call.ts';
import { type LiveInput, liveInputs } from '../live-inputs.ts';
import { campaignHandlers } from './campaign.ts';
import { contactHandlers } from './contact.ts';
import { domainHandlers } from './domain.ts';
import { emailHandlers } from './email.ts';
import { reputationHandlers } from './reputation.ts';

/** A handler for every operation of the contract: one without fails the type check. */
const handlers: Handlers = {
  ...emailHandlers,
  ...campaignHandlers,
  ...contactHandlers,
  ...domainHandlers,
  ...reputationHandlers,
};

/** The routes of the contract. */
export const contractRoutes: readonly Route[] = Object.values(operations).map(({ id }) =>
  routeOf(id),
);

function routeOf<Id extends OperationId>(id: Id): Route {
  return {
    operation: { ...operations[id], input: liveInputs[id] ?? operations[id].input },
    // The app parses the input of every call with that schema.
    handle: (call) => handlers[id](call as Call<LiveInput<Id>>),
  };
}
