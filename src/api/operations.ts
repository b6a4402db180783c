import type * as z from 'zod';
import * as account from './account.ts';
import * as campaign from './campaign.ts';
import * as contact from './contact.ts';
import * as domain from './domain.ts';
import * as email from './email.ts';
import * as event from './event.ts';
import * as reputation from './reputation.ts';
import * as segment from './segment.ts';
import * as service from './service.ts';
import * as stats from './stats.ts';
import * as template from './template.ts';

/** All operations of the service that commands call, by id. */
export const operations = {
  'email.send': email.sendEmail,
  'email.batch': email.sendBatch,
  'email.get': email.getEmail,
  'email.list': email.listEmails,
  'email.reschedule': email.rescheduleEmail,
  'email.cancel': email.cancelEmail,
  'campaign.create': campaign.createCampaign,
  'campaign.list': campaign.listCampaigns,
  'campaign.get': campaign.getCampaign,
  'campaign.schedule': campaign.scheduleCampaign,
  'campaign.pause': campaign.pauseCampaign,
  'campaign.resume': campaign.resumeCampaign,
  'campaign.delete': campaign.deleteCampaign,
  'contact.list': contact.listContacts,
  'contact.get': contact.getContact,
  'contact.create': contact.createContact,
  'contact.bulkCreate': contact.bulkCreateContacts,
  'contact.update': contact.updateContact,
  'contact.delete': contact.deleteContact,
  'contactBook.list': contact.listContactBooks,
  'contactBook.get': contact.getContactBook,
  'contactBook.create': contact.createContactBook,
  'contactBook.update': contact.updateContactBook,
  'contactBook.delete': contact.deleteContactBook,
  'domain.create': domain.createDomain,
  'domain.list': domain.listDomains,
  'domain.get': domain.getDomain,
  'domain.verify': domain.verifyDomain,
  'domain.delete': domain.deleteDomain,
  'reputation.status': reputation.getReputationStatus,
  'reputation.history': reputation.listReputationDays,
  'reputation.bounces': reputation.getBounces,
  'reputation.events': reputation.listReputationEvents,
  'account.get': account.getAccount,
  'service.doc': service.describeService,
  'stats.byDay': stats.countByDay,
  'stats.total': stats.countAll,
  'segment.list': segment.listSegments,
  'segment.create': segment.createSegment,
  'segment.preview': segment.previewSegment,
  'segment.materialize': segment.materializeSegment,
  'segment.delete': segment.deleteSegment,
  'event.send': event.sendEvent,
  'template.list': template.listTemplates,
  'template.get': template.getTemplate,
  'template.create': template.createTemplate,
  'template.render': template.renderTemplate,
} as const;

export type Operations = typeof operations;
export type OperationId = keyof Operations;

/** The input of operation `Id`: `params`, `query` and `body`, if it has them. */
export type Input<Id extends OperationId> = z.infer<Operations[Id]['input']>;

/** The response of operation `Id`. */
export type Reply<Id extends OperationId> = z.infer<Operations[Id]['reply']>;
