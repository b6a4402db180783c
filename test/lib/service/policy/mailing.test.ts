import { expect, test } from 'vitest';
import { operations } from '../../../../src/api/operations.ts';
import { classify } from '../../../../src/lib/service/policy/mailing.ts';

test('every operation of the contract that writes is known', () => {
  const writing = Object.values(operations).filter(({ effect }) => effect !== 'reads');
  const kinds = writing.map(({ id, method, path }) => {
    const { kind } = classify({ method, path: path.replaceAll(/[{}]/g, '') });
    return `${id}: ${kind}`;
  });
  expect(new Set(kinds)).toEqual(
    new Set([
      'email.send: email',
      'email.batch: batch',
      'email.reschedule: reschedule',
      'email.cancel: none',
      'campaign.create: campaign create',
      'campaign.schedule: campaign start',
      'campaign.pause: none',
      'campaign.resume: campaign start',
      'campaign.delete: none',
      'contact.create: contact',
      'contact.bulkCreate: contacts',
      'contact.update: none',
      'contact.delete: none',
      'contactBook.create: none',
      'contactBook.update: none',
      'contactBook.delete: none',
      'domain.create: none',
      'domain.verify: none',
      'domain.delete: none',
      'segment.create: none',
      'segment.materialize: none',
      'segment.delete: none',
      'event.send: event',
      'template.create: none',
    ]),
  );
});

test.each([
  ['POST', '/v1/emails/', 'email'],
  ['POST', '/v1/emails?x=/v1/domains', 'email'],
  ['POST', '/v1//emails', 'email'],
  ['POST', '/V1/Emails', 'email'],
  ['POST', '/v1/%65mails', 'email'],
  ['POST', '/v1/%2565mails', 'email'],
  ['POST', '/v1%2Femails%2Fbatch', 'batch'],
  ['PUT', '/v1/contactBooks/b/contacts/c', 'contact'],
  ['POST', '/v1/emails;x', 'unknown'],
  ['POST', '/v1/domains/../emails', 'unknown'],
  ['POST', '/v1/contactBooks/b/../../emails', 'unknown'],
  ['POST', '/api/v1/emails', 'unknown'],
  ['POST', '/v2/emails', 'unknown'],
  ['POST', '/', 'unknown'],
  ['PUT', '/v1/emails', 'unknown'],
] as const)('%s %s is %s', (method, path, kind) => {
  expect(classify({ method, path }).kind).toBe(kind);
});
