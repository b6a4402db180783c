import { expect, test } from 'vitest';
import { accept, emailsIn } from '../support/batch-service.ts';
import { connected, errorOf } from '../support/connected.ts';

const text = ['--subject', 'S', '--text', 'T'];
const common = ['--from', 'hello@example.com'];
const send = ['email', 'send', '--to', 'ana@example.org', ...common];
const batch = ['email', 'batch', 'in', '--yes', ...common, '--template', 'tmpl_1'];
const contact = ['contact', 'update', 'c_1', '--book', 'b_1'];
// Text, because in an object literal this name would set the prototype.
const values = '{"__proto__":"x","a":"b"}';
const csv = 'to,__proto__\nana@example.org,x\n';

test.each([
  [
    '--var.__proto__',
    [...send, '--template', 'tmpl_1', '--var', '__proto__=x', '--var', 'a=b'],
    '',
  ],
  ['--vars-file.__proto__', [...send, '--template', 'tmpl_1', '--vars-file', 'in'], values],
  ['--header.__proto__', [...send, ...text, '--header', '__proto__: x'], ''],
  ['--file: headers.__proto__', [...send, ...text, '--file', 'in'], `{"headers":${values}}`],
  ['row 1: variables.__proto__', batch, csv],
  ['row 1: variables.__proto__', [...batch, '--var', '__proto__=x'], 'to\nana@example.org\n'],
  ['row 1: variables.__proto__', batch, `[{"to":"ana@example.org","variables":${values}}]`],
  ['row 1: headers.__proto__', batch, `[{"to":"ana@example.org","headers":${values}}]`],
  ['--property.__proto__', [...contact, '--property', '__proto__=x'], ''],
  ['--property.__proto__', [...contact, '--properties-file', 'in'], values],
])('a name that services drop is an error: %s', async (where, words, content) => {
  const { run, service, file } = await connected({ body: { id: 'tmpl_1', html: '<p>x</p>' } });
  file('in', content);
  const outcome = await run([...words, '--json']);
  expect(outcome.exitCode).toBe(2);
  const { message } = errorOf(outcome);
  expect(message).toContain(where);
  expect(message).toContain('__proto__: services drop this name');
  expect(service.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
});

test('a value inside another one, and in a template that is rendered here, keeps the name', async () => {
  const { run, sent, file } = await connected({ body: { emailId: 'em_1' } });
  file('in', `{"n":${values}}`);
  expect(
    (await run([...send, '--template', 'tmpl_1', '--vars-file', 'in', '--literal'])).exitCode,
  ).toBe(0);
  expect(JSON.stringify(sent(0).variables)).toBe(`{"n":${values}}`);

  const bulk = await connected(accept);
  bulk.file('in', csv);
  const words = ['email', 'batch', 'in', '--yes', ...common, '--subject', 'S'];
  expect((await bulk.run([...words, '--text', 'Hi {{ __proto__ }}'])).exitCode).toBe(0);
  expect(bulk.service.requests.flatMap(emailsIn)).toMatchObject([{ text: 'Hi x' }]);
});

test('api sends every name unmodified', async () => {
  const { run, service } = await connected({ body: {} });
  const fields = ['-f', '__proto__=x', '-f', 'a[__proto__]=y', '-f', 'a[b]=z'];
  expect((await run(['api', 'POST', '/v1/x', ...fields])).exitCode).toBe(0);
  expect(service.requests[0]?.body).toBe('{"__proto__":"x","a":{"__proto__":"y","b":"z"}}');
});
