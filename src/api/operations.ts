import type * as z from 'zod';
import * as account from './account.ts';
import * as campaign from './campaign.ts';
import * as contact from './contact.ts';
import * as domain from './domain.ts';
import * as email from './email.ts';
import * as event from './event.ts';
import type { Operation } from './operation.ts';
import * as reputation from './reputation.ts';
import * as segment from './segment.ts';
import * as service from './service.ts';
import * as stats from './stats.ts';
import * as template from './template.ts';

const resources = {
  // In the order in which errors and lists name them.
  ...{ email, campaign, contact, domain, reputation, account },
  ...{ service, stats, segment, event, template },
};

type Exported<Resource> = Resource extends object ? Resource[keyof Resource] : never;

/** Any operation: each is an export of its resource. */
type Any = Extract<Exported<Exported<typeof resources>>, Operation>;

/** All operations of the service that commands call, by id. */
export type Operations = { readonly [One in Any as One['id']]: One };
export type OperationId = keyof Operations;

export const operations = Object.fromEntries(
  Object.values(resources)
    .flatMap((resource): object[] => Object.values(resource))
    .flatMap((one) => ('id' in one && 'effect' in one ? [[String(one.id), one]] : [])),
  // Each has the id that its type says.
) as unknown as Operations;

/** The input of operation `Id`: `params`, `query` and `body`, if it has them. */
export type Input<Id extends OperationId> = z.infer<Operations[Id]['input']>;

/** The response of operation `Id`. */
export type Reply<Id extends OperationId> = z.infer<Operations[Id]['reply']>;
