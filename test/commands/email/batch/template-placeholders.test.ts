import { expect, test } from 'vitest';
import { accept } from '../../../support/batch-service.ts';
import { connected, connectedWithoutTemplates, errorOf } from '../../../support/connected.ts';

const html = '<p>Hi {{ name }}</p><a href="https://a.example/?n=%7B%7Bname%7D%7D">x</a>';
const common = ['--from', 'hello@example.com', '--subject', 'Hi', '--html', html];

test('a placeholder that an editor has encoded stops a batch, because no row fills it in', async () => {
  const { run, service, file } = await connectedWithoutTemplates(accept);
  file('people.csv', 'to,name\nana@example.org,Ana\n');
  const batch = ['email', 'batch', 'people.csv', ...common, '--yes'];
  const outcome = await run([...batch, '--json']);
  expect(outcome.exitCode).toBe(2);
  expect(errorOf(outcome)).toMatchObject({
    message: expect.stringContaining('--html, line 1: %7B%7Bname%7D%7D'),
    hint: expect.stringContaining('--literal'),
  });
  expect(service.requests.filter(({ method }) => method === 'POST')).toEqual([]);
  expect(await run([...batch, '--literal'])).toMatchObject({ exitCode: 0 });
});

test('it stops email send with --var, too', async () => {
  const { run, requests } = await connected({ body: { emailId: 'em_1' } });
  const send = ['email', 'send', '--to', 'ana@example.org', ...common, '--var', 'name=Ana'];
  const outcome = await run(send);
  expect(outcome).toMatchObject({ exitCode: 2, stdout: '' });
  expect(outcome.stderr).toContain('%7B%7Bname%7D%7D');
  expect(requests()).toEqual([]);
});

test('braces that are no Liquid say how they are sent as they are', async () => {
  const { run, file } = await connected();
  file('people.csv', 'to\nana@example.org\n');
  const text = ['--from', 'hello@example.com', '--subject', 'Hi', '--text', 'if: {{ a && b }}'];
  const outcome = await run(['email', 'batch', 'people.csv', ...text]);
  expect(outcome.exitCode).toBe(2);
  expect(outcome.stderr).toContain('{% raw %}');
});
