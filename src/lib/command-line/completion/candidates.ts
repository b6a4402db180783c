import type { EmailListItem } from '../../../api/email.ts';
import { looksLikeMadeId } from '../../base/text/looks-like-id.ts';
import { quantity } from '../../base/text/quantity.ts';
import { visible } from '../../base/text/visible.ts';
import type { Client } from '../../service/http/client.ts';
import type { AccountSource, Candidate } from './offer.ts';
import { findSenders } from './senders.ts';

/**
 * What an account has of a kind, newest first where the service sorts so. `book` is the id or name of the
 * contact book whose contacts are wanted. Throws the typed errors of the requests.
 */
export async function candidatesOf(
  source: AccountSource,
  call: Client['call'],
  book?: string,
): Promise<Candidate[]> {
  switch (source) {
    case 'domains':
      return (await call('domain.list', {})).flatMap(({ id, name, status }) => [
        { value: name, description: status ?? '' },
        { value: String(id), description: name, second: true },
      ]);
    case 'campaigns':
      return namedCandidates(
        (await call('campaign.list', { query: {} })).campaigns.map((one) => [
          one.id,
          one.name ?? '',
          one.status ?? '',
        ]),
      );
    case 'books':
      return namedCandidates(
        (await call('contactBook.list', {})).map(({ id, name, _count }) => [
          id,
          name,
          typeof _count?.contacts === 'number' ? quantity(_count.contacts, 'contact') : '',
        ]),
      );
    case 'templates':
      return namedCandidates(
        (await call('template.list', {})).map(({ id, name, subject }) => [id, name, subject ?? '']),
        (name) => !looksLikeMadeId(name),
      );
    case 'segments':
      return namedCandidates(
        (await call('segment.list', {})).map(({ id, name }) => [id, name ?? '', '']),
      );
    case 'contacts':
      return book ? await contactCandidates(call, book) : [];
    case 'senders': {
      const { recent, domains } = await findSenders(call);
      return [
        ...recent.map((value) => ({ value, description: 'used recently' })),
        ...domains.map((name) => ({ value: `@${name}`, description: 'verified', second: true })),
      ];
    }
    case 'emails':
      return (await call('email.list', { query: {} })).data.map(emailCandidate);
    case 'scheduled emails':
      return (
        (await call('email.list', { query: {} })).data
          // Some servers omit the status in the list.
          .filter(({ latestStatus }) => (latestStatus ?? 'SCHEDULED') === 'SCHEDULED')
          .map(emailCandidate)
      );
  }
}

/** Names, with the id as an alternative; the id alone if the name is empty, ambiguous or cannot be typed. */
function namedCandidates(
  things: readonly (readonly [id: string, name: string, about: string])[],
  isName: (name: string) => boolean = () => true,
): Candidate[] {
  return things.flatMap(([id, name, about]) => {
    const isClear =
      name.trim() !== '' &&
      visible(name) === name &&
      !name.startsWith('-') &&
      isName(name) &&
      things.every((other) => other[0] === id || other[1] !== name);
    return isClear
      ? [
          { value: name, description: about },
          { value: id, description: name, second: true },
        ]
      : [{ value: id, description: [name, about].filter(Boolean).join(', ') }];
  });
}

async function contactCandidates(call: Client['call'], book: string): Promise<Candidate[]> {
  const books = await call('contactBook.list', {});
  const found = books.find(({ id }) => id === book) ?? books.find(({ name }) => name === book);
  if (found === undefined) return [];
  const input = { params: { contactBookId: found.id }, query: {} };
  return (await call('contact.list', input)).map(({ email, firstName, lastName, subscribed }) => ({
    value: email,
    description: [
      [firstName, lastName].filter(Boolean).join(' '),
      subscribed === false ? 'not subscribed' : '',
    ]
      .filter(Boolean)
      .join(', '),
  }));
}

function emailCandidate({ id, subject, to, latestStatus }: EmailListItem): Candidate {
  const recipients = [to ?? []].flat().join(', ');
  return {
    value: id,
    description: [subject, recipients, latestStatus].filter(Boolean).join('; '),
  };
}
