import type { OperationId, Operations } from './operations.ts';

const campaign = () => import('./campaign.ts');
const contact = () => import('./contact.ts');
const domain = () => import('./domain.ts');
const email = () => import('./email.ts');
const reputation = () => import('./reputation.ts');

const load: { readonly [Id in OperationId]: () => Promise<Operations[Id]> } = {
  'email.send': async () => (await email()).sendEmail,
  'email.batch': async () => (await email()).sendBatch,
  'email.get': async () => (await email()).getEmail,
  'email.list': async () => (await email()).listEmails,
  'email.reschedule': async () => (await email()).rescheduleEmail,
  'email.cancel': async () => (await email()).cancelEmail,
  'campaign.create': async () => (await campaign()).createCampaign,
  'campaign.list': async () => (await campaign()).listCampaigns,
  'campaign.get': async () => (await campaign()).getCampaign,
  'campaign.schedule': async () => (await campaign()).scheduleCampaign,
  'campaign.resume': async () => (await campaign()).resumeCampaign,
  'campaign.delete': async () => (await campaign()).deleteCampaign,
  'contact.update': async () => (await contact()).updateContact,
  'contact.delete': async () => (await contact()).deleteContact,
  'contactBook.delete': async () => (await contact()).deleteContactBook,
  'domain.list': async () => (await domain()).listDomains,
  'domain.get': async () => (await domain()).getDomain,
  'domain.verify': async () => (await domain()).verifyDomain,
  'domain.delete': async () => (await domain()).deleteDomain,
  'reputation.events': async () => (await reputation()).listReputationEvents,
};

/**
 * One operation of the service, loaded without those of other resources: creating their schemas
 * takes longer than a request to a service nearby.
 */
export async function loadOperation<Id extends OperationId>(id: Id): Promise<Operations[Id]> {
  return await load[id]();
}
