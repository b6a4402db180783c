import type { OperationId, Operations } from './operations.ts';

/** The part of an `OperationId` before the dot. */
type Resource = OperationId extends `${infer Name}.${string}` ? Name : never;

const resources: Readonly<Record<Resource, () => Promise<object>>> = {
  account: () => import('./account.ts'),
  campaign: () => import('./campaign.ts'),
  contact: () => import('./contact.ts'),
  contactBook: () => import('./contact.ts'),
  domain: () => import('./domain.ts'),
  email: () => import('./email.ts'),
  event: () => import('./event.ts'),
  reputation: () => import('./reputation.ts'),
  service: () => import('./service.ts'),
  stats: () => import('./stats.ts'),
  segment: () => import('./segment.ts'),
  template: () => import('./template.ts'),
};

/** Loads one operation without those of other resources, whose schemas take long to create. */
export async function loadOperation<Id extends OperationId>(id: Id): Promise<Operations[Id]> {
  const [resource] = id.split('.', 1) as [Resource];
  const exported: object[] = Object.values(await resources[resource]());
  // A resource exports each of its operations under the id it has in `operations`.
  return exported.find((one) => 'id' in one && one.id === id) as Operations[Id];
}
