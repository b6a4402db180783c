import type { OperationId, Operations } from './operations.ts';

const account = () => import('./account.ts');
const campaign = () => import('./campaign.ts');
const contact = () => import('./contact.ts');
const domain = () => import('./domain.ts');
const email = () => import('./email.ts');
const event = () => import('./event.ts');
const reputation = () => import('./reputation.ts');
const service = () => import('./service.ts');
const stats = () => import('./stats.ts');
const segment = () => import('./segment.ts');
const template = () => import('./template.ts');

/** The part of an `OperationId` before the dot. */
type Resource = OperationId extends `${infer Name}.${string}` ? Name : never;

const resources: Readonly<Record<Resource, () => Promise<object>>> = {
  account,
  campaign,
  contact,
  contactBook: contact,
  domain,
  email,
  event,
  reputation,
  service,
  stats,
  segment,
  template,
};

/** Loads one operation without those of other resources, whose schemas take long to create. */
export async function loadOperation<Id extends OperationId>(id: Id): Promise<Operations[Id]> {
  const [resource] = id.split('.', 1) as [Resource];
  const exported: object[] = Object.values(await resources[resource]());
  // A resource exports each of its operations under the id it has in `operations`.
  return exported.find((one) => 'id' in one && one.id === id) as Operations[Id];
}
