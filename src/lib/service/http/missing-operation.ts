import type { Operation } from '../../../api/operation.ts';

/**
 * The message for an operation that the service does not have, in words for people; perhaps also a similar one that every
 * service has, with the words of its command.
 */
export function missingOperation({ id, method, path }: Pick<Operation, 'id' | 'method' | 'path'>) {
  const [resource = ''] = id.split('.', 1);
  const words = ofOperation[id] ?? ofResource[resource];
  const message = `This service ${words ?? `does not offer ${method} ${path}`}.`;
  return resource === 'reputation'
    ? { message, instead: { what: 'For delivered and bounced emails', words: ['stats'] } }
    : { message };
}

/** By resource: the id of an operation up to the dot. */
const ofResource: Readonly<Record<string, string>> = {
  template: 'has no templates',
  segment: 'has no segments',
  event: 'takes no events',
  stats: 'has no statistics',
  reputation: 'does not report the reputation of accounts',
  account: 'does not tell what a key may do',
  service: 'does not describe its API',
  contactBook: 'does not have this operation for contact books',
  contact: 'does not have this operation for contacts',
};

/** Operations that may be missing although every service has the resource. */
const ofOperation: Readonly<Record<string, string>> = {
  'campaign.get': 'cannot show a single campaign',
  'campaign.pause': 'cannot pause campaigns',
  'contact.list': 'cannot list contacts',
  'contact.get': 'cannot show a single contact',
  'contact.create': 'cannot add contacts',
  'contact.bulkCreate': 'cannot import contacts',
  'contactBook.get': 'cannot show a single contact book',
  'contactBook.list': 'cannot list contact books',
  'contactBook.create': 'cannot create contact books',
  'contactBook.update': 'cannot change contact books',
  'domain.create': 'cannot add domains',
  'domain.get': 'cannot show a single domain',
  'template.create': 'cannot create templates',
  'template.render': 'cannot render templates',
};
