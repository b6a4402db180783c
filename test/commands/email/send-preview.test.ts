import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { connected, errorOf } from '../../support/connected.ts';
import { createWorld } from '../../support/run.ts';

const line =
  'email send --to ana@example.org,ben@example.org --from hello@example.com --subject Hi --html <b>Hello</b>';
const email = {
  to: ['ana@example.org', 'ben@example.org'],
  from: 'hello@example.com',
  subject: 'Hi',
  html: '<b>Hello</b>',
  text: 'Hello',
};

test('--preview shows the email, needs no account and sends nothing', async () => {
  const { exitCode, stdout, stderr } = await createWorld().run(`${line} --preview`);
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^to\tana@example\.org, ben@example\.org\n/);
  expect(stdout).toMatch(/^html\t<b>Hello<\/b>$/m);
  expect(stderr).toBe('A preview: nothing was sent.\n');
  const { run, requests } = await connected();
  expect(JSON.parse((await run(`${line} --preview --json`)).stdout)).toEqual(email);
  expect(requests()).toEqual([]);
  const fields = await run(`${line} --preview --fields subject,from`);
  expect(fields.stdout).toBe('subject\tHi\nfrom\thello@example.com\n');
});

test('--open shows it in the browser', async () => {
  const world = createWorld();
  const { exitCode, stderr } = await world.run(`${line} --preview --open`);
  expect(exitCode).toBe(0);
  expect(stderr).toContain('Opened ');
  expect(readFileSync(`${world.home}/page.html`, 'utf8')).toContain(
    '<iframe sandbox="" srcdoc="&lt;b&gt;Hello&lt;/b&gt;"></iframe>',
  );
});

test.each([
  [`${line} --open`, '--open needs --preview'],
  [`${line} --preview --wait`, '--preview cannot be used together with --wait'],
  ['email send --to ana@example.org --from a@example.com --text x --preview', 'Missing --subject'],
  [`${line.replace('hello@', '')} --preview`, '--from: "example.com" is not an email address'],
])('%s: a usage error', async (words, message) => {
  const outcome = await createWorld().run(`${words} --json`);
  expect(outcome.exitCode).toBe(2);
  expect(errorOf(outcome).message).toContain(message);
});

test('a redirected email with a stored template is shown as the service makes it', async () => {
  const stored = { body: { id: 'tmpl_1', name: 'News', subject: 'News', html: '<p>Hello</p>' } };
  const { run } = await connected(stored);
  const words = 'email send --to ana@example.org --from a@example.com --template tmpl_1 --preview';
  const env = { MAILER_REDIRECT_TO: 'team@example.org' };
  const { exitCode, stdout } = await run(`${words} --json`, { env });
  expect(exitCode).toBe(0);
  // The subject of a template takes the place of any other, so it cannot say whom the email was for.
  expect(JSON.parse(stdout)).toMatchObject({ to: 'team@example.org', subject: 'News' });
});

test('on a terminal, HTML is shown as text with links, of one email and of a file', async () => {
  const world = createWorld({ NO_COLOR: '1' });
  writeFileSync(join(world.home, 'people.csv'), 'to\nana@example.org\n');
  const html = ['--html', '<style>p{}</style><p>Read <a href="https://example.com/a">more</a></p>'];
  const rest = ['--from', 'hello@example.com', '--subject', 'Hi', '--sandbox', ...html];
  for (const words of [
    ['email', 'send', '--to', 'ana@example.org', '--preview', ...rest],
    ['email', 'batch', 'people.csv', '--preview', '1', ...rest],
  ]) {
    const { stdout } = await world.run(words, { terminal: 100 });
    expect(stdout).toContain('Read more (https://example.com/a)');
    expect(stdout).not.toContain('<p>');
    expect((await world.run(words)).stdout).toContain('<p>Read');
  }
});

test.each([
  ['an image of this machine', '![img](./a.png)', 'Recipients cannot load this image:'],
  ['a link of this machine', '[x](/pricing)', 'Recipients cannot open this link:'],
  ['a placeholder of another service', 'Hello *|FNAME|*', 'Nothing fills in this placeholder'],
  ['lost characters', 'Hello \ufffd', 'Characters were lost here'],
])('a preview of %s shows it, and ends as the send would', async (_, text, message) => {
  const world = createWorld();
  writeFileSync(join(world.home, 'news.md'), text);
  writeFileSync(join(world.home, 'rows.csv'), 'to\nana@example.org\nben@example.org\n');
  const body = '--from hello@example.com --subject Hi --markdown-file news.md --sandbox';
  for (const [sent, previewed] of [
    [`email send --to ana@example.org ${body} --dry-run`, '--preview'],
    [`email batch rows.csv ${body} --dry-run`, '--preview 1'],
  ]) {
    const send = await world.run(sent ?? '');
    const preview = await world.run(`${sent?.replace('--dry-run', '')}${previewed}`);
    expect([send.exitCode, preview.exitCode]).toEqual([2, 2]);
    expect(send.stderr.toLowerCase()).toContain(message.split(' here')[0]?.toLowerCase());
    expect(preview.stderr.toLowerCase()).toContain(message.split(' here')[0]?.toLowerCase());
    expect(preview.stdout !== '').toBe(sent?.startsWith('email send') || !text.includes('\ufffd'));
  }
});

test('a preview of HTML with nothing to see ends as the send would', async () => {
  const world = createWorld();
  const words = 'email send --to a@example.org --from b@example.com --subject Hi --html <p></p>';
  expect((await world.run(`${words} --preview`)).exitCode).toBe(2);
  expect((await world.run(`${words} --preview --literal`)).exitCode).toBe(0);
});

test('a preview of rows refuses values that the run refuses', async () => {
  const world = createWorld();
  writeFileSync(
    join(world.home, 'rows.csv'),
    'to,name\na@example.org,JÃ¼rgen\nb@example.org,Ben\n',
  );
  const words =
    'email batch rows.csv --from hello@example.com --subject Hi --text {{name}} --sandbox';
  for (const flag of ['--preview 1', '--preview 5', '--dry-run']) {
    const { exitCode, stderr } = await world.run(`${words} ${flag}`);
    expect({ flag, exitCode }).toEqual({ flag, exitCode: 2 });
    expect(stderr).toContain('was read in the wrong charset');
  }
});
