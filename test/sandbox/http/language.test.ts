import { describe, expect, test } from 'vitest';
import { parseFault } from '../../../src/sandbox/http/faults/fault.ts';
import { blockedApiKey } from '../../../src/sandbox/model/api-account.ts';
import {
  campaign,
  email,
  type RawReply,
  type RequestOptions,
  startSandbox,
  type TestSandbox,
} from '../harness.ts';

type Asked = readonly [method: string, path: string, options?: RequestOptions];

/** Sends the requests to an English and to a Portuguese sandbox. */
async function inBoth(...requests: readonly Asked[]) {
  const ask = async ({ request }: TestSandbox) => {
    const replies: RawReply[] = [];
    for (const asked of requests) replies.push(await request(...asked));
    return replies.at(-1) ?? expect.fail('nothing was asked');
  };
  return {
    english: await ask(startSandbox()),
    portuguese: await ask(startSandbox({ language: 'pt' })),
  };
}

/** A response's messages, and the response without them. */
function parts(value: unknown): { texts: string[]; rest: unknown } {
  const texts: string[] = [];
  const rest = JSON.parse(JSON.stringify(value), (name, part: unknown) => {
    if (typeof part !== 'string' || (name !== 'message' && name !== 'error')) return part;
    texts.push(part);
    return '…';
  });
  return { texts, rest };
}

const emails = '/emails';
const contacts = '/contactBooks/book_customers/contacts';
const keyed = (body: object) => ({ body, headers: { 'Idempotency-Key': 'order-1' } });

describe('a rejection', () => {
  test.each<[string, RegExp, ...Asked[]]>([
    ['no key', /Authorization/, ['GET', emails, { key: null }]],
    ['a wrong key', /inválido/, ['GET', emails, { key: 'us_a_b' }]],
    ['a blocked account', /bloqueada/, ['POST', emails, { body: email(), key: blockedApiKey }]],
    ['no JSON', /malformado/, ['POST', emails, { rawBody: '{' }]],
    ['nothing of an email', /Valor inválido/, ['POST', emails, { body: {} }]],
    ['no text', /text ou html/, ['POST', emails, { body: email({ text: undefined }) }]],
    [
      'another domain',
      /O domínio x\.test /,
      ['POST', emails, { body: email({ from: 'a@x.test' }) }],
    ],
    [
      'a domain that is not verified',
      /O domínio example\.org não/,
      ['POST', emails, { body: email({ from: 'a@example.org' }) }],
    ],
    ['no such email', /E-mail não/, ['GET', '/emails/nobody']],
    ['an email that is sent', /já foi/, ['POST', '/emails/email_receipt/cancel', { body: {} }]],
    ['a reply to none', /inReplyToId/, ['POST', emails, { body: email({ inReplyToId: 'x-1' }) }]],
    ['page 0', /inesperado/, ['GET', '/emails?page=0']],
    [
      'another body under a key',
      /outro corpo/,
      ['POST', emails, keyed(email())],
      ['POST', emails, keyed(email({ subject: 'Other' }))],
    ],
    [
      'a key that is too long',
      /1 a 256/,
      ['POST', emails, { ...keyed(email()), headers: { 'Idempotency-Key': 'a'.repeat(257) } }],
    ],
    ['an item of a batch', /Valor inválido/, ['POST', '/emails/batch', { body: [{}] }]],
    ['no such campaign', /Campanha/, ['POST', '/campaigns/nobody/resume', { body: {} }]],
    [
      'no book of a campaign',
      /./,
      ['POST', '/campaigns', { body: campaign({ contactBookId: 'x' }) }],
    ],
    [
      'a campaign that nobody can leave',
      /cancelar a inscrição: \{\{usesend/,
      ['POST', '/campaigns', { body: campaign({ html: '<p>Hi</p>' }) }],
    ],
    [
      'a date that is none',
      /data inválido: someday\./,
      ['POST', '/campaigns', { body: campaign({ scheduledAt: 'someday' }) }],
    ],
    ['no such book', /Lista de contatos/, ['DELETE', '/contactBooks/nobody']],
    ['no such contact', /Contato/, ['DELETE', `${contacts}/nobody`]],
    ['a contact of nothing', /Valor inválido/, ['POST', contacts, { body: {} }]],
    ['no such domain', /Domínio não/, ['DELETE', '/domains/99']],
    ['no verification', /Domínio não/, ['PUT', '/domains/99/verify']],
    ['no id', /Valor inválido/, ['PUT', '/domains/x/verify']],
  ])('for %s has the same status, codes and paths', async (_, words, ...requests) => {
    const { english, portuguese } = await inBoth(...requests);
    expect(english.status).toBeGreaterThanOrEqual(400);
    expect(portuguese.status).toBe(english.status);
    const [one, other] = [parts(english.body), parts(portuguese.body)];
    expect(other.rest).toEqual(one.rest);
    expect(one.texts.length).toBeGreaterThan(0);
    expect(other.texts.join('\n')).toMatch(words);
    expect(one.texts.filter((text) => other.texts.includes(text))).toEqual([]);
  });

  test.each(['429', '500', '404:bare', '400:zod', '503:envelope', 'expired-key'])(
    'by the fault %s too',
    async (effect) => {
      const faults = [parseFault(`* * ${effect}`)];
      const english = await startSandbox({ faults }).request('GET', '/domains');
      const portuguese = await startSandbox({ faults, language: 'pt' }).request('GET', '/domains');
      expect(portuguese.status).toBe(english.status);
      expect(portuguese.headers.get('X-Sandbox-Fault')).toBe(`* * ${effect}`);
      const [one, other] = [parts(english.body), parts(portuguese.body)];
      expect(other.rest).toEqual(one.rest);
      expect(one.texts.filter((text) => other.texts.includes(text))).toEqual([]);
    },
  );
});

test('messages are Portuguese, too, and stored data is unmodified', async () => {
  const { request } = startSandbox({ language: 'pt' });
  expect((await request('PUT', '/domains/3/verify')).body).toEqual({
    message: 'Verificação do domínio iniciada',
  });
  expect((await request('DELETE', '/domains/3')).body).toEqual({
    id: 3,
    success: true,
    message: 'Domínio excluído com sucesso',
  });
  const book = {
    name: 'Own',
    properties: { message: 'Email not found', error: 'Email not found' },
  };
  const { body } = await request('POST', '/contactBooks', { body: book });
  expect(body).toMatchObject(book);
});
