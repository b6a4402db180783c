import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startRecorder } from '../support/recorder.ts';
import { createWorld } from '../support/run.ts';

const from = ['--from', 'hello@example.com'];
const bad = '<p>Hi {{ name }}';
const warned = '<meta name="color-scheme"><img src="https://a.example/a.png">';
const send = (html: string) => [
  ...['email', 'send', ...from, '--to', 'ana@example.org', '--subject', 'Hi', '--text', 'Hi'],
  ...['--html', html, '--check'],
];
const create = (html: string) => [
  ...['campaign', 'create', ...from, '--name', 'N', '--subject', 'Hi', '--book', 'book_customers'],
  ...['--html', html, '--check'],
];
const batch = ['email', 'batch', 'p.csv', ...from, '--subject', 'Hi', '--yes', '--check'];

/** A service that counts requests. */
async function connectedWorld() {
  const recorder = await startRecorder();
  const world = createWorld({ MAILER_BASE_URL: recorder.baseUrl, MAILER_API_KEY: 'us_key_1' });
  writeFileSync(join(world.home, 'p.csv'), 'to,name\nana@example.org,Ana\nbob@example.org,Bob\n');
  return { ...world, recorder };
}

describe('an error stops', () => {
  test.each([
    ['email send', send(bad), 'Nothing was sent.'],
    ['campaign create', create(`${bad}{% if x %}`), 'Nothing was created.'],
    ['email batch', [...batch, '--html', '<p onclick="x">{{ name }}'], 'Nothing was sent.'],
  ])('%s, before any request that does more than read', async (_, line, nothing) => {
    const { run, recorder } = await connectedWorld();
    const { exitCode, stdout, stderr } = await run(line);
    expect({ exitCode, stdout }).toEqual({ exitCode: 9, stdout: '' });
    expect(stderr).toContain(nothing);
    expect(stderr).toMatch(/^(row 1: )?html:1:\d+: error: /m);
    // A campaign's check also reads whom its book has.
    expect(recorder.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  test('with --json: the errors are in the error', async () => {
    const { run } = await connectedWorld();
    const { stderr, exitCode } = await run([...send(bad), '--json']);
    expect(exitCode).toBe(9);
    expect(JSON.parse(stderr)).toMatchObject({
      error: {
        code: 'wait_failed',
        issues: [{ path: ['html', 1], message: '"{{ name }}" is sent literally. [placeholder]' }],
      },
    });
  });

  test('unless .mailer.json silences it', async () => {
    const { run, home } = createWorld();
    const ignore = { check: { ignore: ['active-content'] } };
    writeFileSync(join(home, '.mailer.json'), JSON.stringify(ignore));
    const ignored = await run([...send('<p onclick="x">Hi'), '--sandbox']);
    expect(ignored.exitCode).toBe(0);
  });

  test('a placeholder that .mailer.json silences is an error all the same; --literal is the way', async () => {
    const { run, home } = createWorld();
    const ignore = { check: { ignore: ['placeholder'] } };
    writeFileSync(join(home, '.mailer.json'), JSON.stringify(ignore));
    expect((await run([...send(bad), '--sandbox'])).exitCode).toBe(2);
  });

  test('--literal: a placeholder is no finding', async () => {
    const { run } = createWorld();
    const { exitCode, stderr } = await run([...send(bad), '--literal', '--sandbox']);
    expect(exitCode).toBe(0);
    expect(stderr).not.toContain('placeholder');
  });
});

test('a warning is reported, and the email sent', async () => {
  const { run } = createWorld();
  const { stdout, stderr, exitCode } = await run([...send(warned), '--sandbox']);
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^\w+\n$/);
  expect(stderr).toContain('html:1:27: warning: The image has no alt text');
});

test('notes are left to email check', async () => {
  const { run } = createWorld();
  const html = '<a href="https://a.example/?utm_source=x">Hi</a>';
  const { exitCode, stderr } = await run([...send(html), '--sandbox']);
  expect(exitCode).toBe(0);
  expect(stderr).not.toContain('info:');
});

const leave = '<a href="{{usesend_unsubscribe_url}}">Leave</a>';

test.each([
  ['email send', send('<img alt="" src="cid:logo">').slice(0, -1)],
  ['campaign create', create(`<img src=cid:logo>${leave}`).slice(0, -1)],
  ['email batch', [...batch.slice(0, -1), '--html', "<img src='cid:logo'>"]],
])('%s warns of images that nobody would see, also without --check', async (_, line) => {
  const { run, home } = createWorld();
  writeFileSync(join(home, 'p.csv'), 'to\nana@example.org\n');
  expect((await run([...line, '--sandbox'])).stderr).toContain(
    '"cid:logo" is never shown, because attachments have no Content-ID',
  );
});

test('a campaign may have the placeholders of the service', async () => {
  const { run } = createWorld();
  const html = '<a href="{{usesend_unsubscribe_url}}">{{firstName}}</a>';
  const { exitCode, stderr } = await run([...create(html), '--sandbox']);
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
});

test('a run is sent once its emails have no error; what all rows have is reported once', async () => {
  const { run, home } = createWorld();
  writeFileSync(join(home, 'p.csv'), 'to,name\nana@example.org,Ana\nbob@example.org,Bob\n');
  const { exitCode, stderr } = await run([...batch, '--html', warned, '--sandbox']);
  expect(exitCode).toBe(0);
  expect(stderr.match(/image-alt/g)).toHaveLength(1);
});

test('without --check, nothing is checked', async () => {
  const { run } = createWorld();
  const line = send('<p onclick="x">Hi').filter((word) => word !== '--check');
  const { exitCode, stderr } = await run([...line, '--sandbox']);
  expect(exitCode).toBe(0);
  expect(stderr).not.toContain('active-content');
});

describe('with --preview', () => {
  test.each([
    ['email send', [...send(bad), '--preview']],
    [
      'email batch',
      [...batch.slice(0, -2), '--check', '--html', '<p onclick="x">Hi', '--preview', '2'],
    ],
  ])('%s: the preview is shown, and the exit code is 9', async (_, line) => {
    const { run, recorder } = await connectedWorld();
    const { exitCode, stdout, stderr } = await run(line);
    expect(exitCode).toBe(9);
    expect(stdout).toContain('ana@example.org');
    expect(stderr).toMatch(/^(row 1: )?html:1:\d+: error: /m);
    expect(stderr).toContain('Error: The check found ');
    expect(recorder.requests).toEqual([]);
  });

  test('warnings are reported, and are no failure', async () => {
    const { run } = createWorld();
    const { exitCode, stdout, stderr } = await run([...send(warned), '--preview', '--sandbox']);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('ana@example.org');
    expect(stderr).toContain('image-alt');
    expect(stderr).toContain('A preview: nothing was sent.');
  });
});

test('a started run is not checked again, and this is reported', async () => {
  const { run, home } = createWorld();
  writeFileSync(join(home, 'p.csv'), 'to,name\nana@example.org,Ana\n');
  const line = [...batch, '--html', warned, '--sandbox'];
  expect((await run(line)).stderr).not.toContain('no effect');
  const { exitCode, stderr } = await run(line);
  expect(exitCode).toBe(0);
  expect(stderr).toContain('The run has already started, so --check has no effect.');
  expect(stderr).not.toContain('image-alt');
});

test.each([
  'email send --from a@example.com --to b@example.org --subject Hi --markdown-file news.md --layout l.html',
  'campaign create --from a@example.com --name N --subject Hi --book b --markdown-file news.md --layout l.html',
])('%s: findings name the lines of the files', async (words) => {
  const { run, home, recorder } = await connectedWorld();
  writeFileSync(join(home, 'news.md'), '---\nlang: en\n---\n\nHello [x](http://a.example)\n');
  writeFileSync(
    join(home, 'l.html'),
    '<meta name="color-scheme">\n{{ content }}\n<p onclick="x">\n<a href="{{usesend_unsubscribe_url}}">y</a>',
  );
  const { exitCode, stderr } = await run(`${words} --check --dry-run --literal`);
  expect([exitCode, recorder.requests]).toEqual([9, []]);
  expect(stderr).toMatch(/^news\.md:5:11: warning: .*\[link-http\]/m);
  expect(stderr).toMatch(/^l\.html:3:4: error: .*\[active-content\]/m);
});
