import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { runHere } from '../../support/here.ts';
import { createPlace, type Place } from '../../support/process.ts';
import { startRecorder } from '../../support/recorder.ts';
import { ctrlC, ctrlD, enter, openTerminal } from '../../support/terminal.ts';

const domain = {
  id: 7,
  name: 'example.net',
  status: 'SUCCESS',
  region: 'us-east-1',
  createdAt: '2026-01-10T10:00:00.000Z',
  updatedAt: '2026-01-10T10:00:00.000Z',
  dnsRecords: [],
};

/** The environment of a user whose editor does this with the file `$1`. */
function editorThat(place: Place, script: string) {
  const path = join(place.home, 'editor');
  writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return { EDITOR: path };
}

async function emailCount(place: Place): Promise<number> {
  const { stdout } = await runHere(place, 'email list --sandbox --quiet');
  return stdout.trimEnd().split('\n').length;
}

describe('questions', () => {
  test('for missing values of a send, repeated until the answer is valid; then a yes; sent once', async () => {
    const place = createPlace();
    const editor = editorThat(place, `printf 'Grüße, naïve Welt\n' > "$1"`);
    const terminal = openTerminal(place, 'mailer email send --sandbox', { env: editor });
    await terminal.shows('? To');
    terminal.type(`nobody${enter}`);
    await terminal.shows('> "nobody" is not an email address.');
    terminal.type(`@example.org, "Ana, B" <ana@example.org>${enter}`);
    // A recent sender, and a verified domain to which a name can be typed.
    await terminal.shows('❯ Example Shop <shop@example.com>  used recently\n  @example.com');
    terminal.type('hello');
    await terminal.shows('❯ hello@example.com');
    terminal.type(enter);
    await terminal.shows('? Subject');
    terminal.type(`Grüße${enter}`);
    await terminal.shows('? Text (one line, or Enter for editor)');
    terminal.type(enter);
    await terminal.shows('? Send it? (y/N)');
    expect(terminal.text().replace(/^[\s\S]*editor\)\n/, '')).toBe(`
From         hello@example.com
To           nobody@example.org
             "Ana, B" <ana@example.org>
Subject      Grüße
Text         Grüße, naïve Welt
Size         21 bytes
When         now

Account: the sandbox
? Send it? (y/N)`);
    expect(await emailCount(place)).toBe(2);
    terminal.type(`y${enter}`);
    expect(await terminal.end()).toBe(0);
    expect(terminal.screen().cursorVisible).toBe(true);
    const id = /^(\w+)\nAccepted\./m.exec(terminal.text())?.[1];
    expect(await emailCount(place)).toBe(3);
    const { stdout } = await runHere(place, `email get ${id} --sandbox --json`);
    expect(JSON.parse(stdout)).toMatchObject({
      to: ['nobody@example.org', '"Ana, B" <ana@example.org>'],
      from: 'hello@example.com',
      subject: 'Grüße',
      text: 'Grüße, naïve Welt\n',
    });
  });

  const exceptSubject = '--to ana@example.org --from hello@example.com --text Hello';

  test('only for missing values', async () => {
    const place = createPlace();
    const terminal = openTerminal(place, `mailer email send --sandbox ${exceptSubject}`);
    await terminal.shows('? Subject');
    expect(terminal.text()).toBe('Account: the sandbox\n? Subject');
    terminal.type(`Hi${enter}`);
    await terminal.shows('Send it?');
    terminal.type(`y${enter}`);
    expect(await terminal.end()).toBe(0);
  });

  test('of a send end with a no, and nothing is sent', async () => {
    const place = createPlace();
    const terminal = openTerminal(place, `mailer email send --sandbox ${exceptSubject}`);
    await terminal.shows('? Subject');
    terminal.type(`Hi${enter}`);
    await terminal.shows('Send it?');
    terminal.type(enter);
    expect(await terminal.end()).toBe(2);
    expect(terminal.text()).toContain('Error: Not confirmed. Nothing was sent.');
    expect(await emailCount(place)).toBe(2);
  });

  test('of a send need no yes with --yes, and none are asked when nothing is missing', async () => {
    const place = createPlace();
    const terminal = openTerminal(place, `mailer email send --sandbox ${exceptSubject} --yes`);
    await terminal.shows('? Subject');
    terminal.type(`Hi${enter}`);
    expect(await terminal.end()).toBe(0);
    const complete = `mailer email send --sandbox ${exceptSubject} --subject Hi`;
    const other = openTerminal(place, complete);
    expect(await other.end()).toBe(0);
    expect(terminal.text() + other.text()).not.toContain('Send it?');
    expect(await emailCount(place)).toBe(4);
  });

  test('show files, copies and the time of a scheduled email before the yes', async () => {
    const place = createPlace();
    writeFileSync(join(place.home, 'plan.txt'), 'x'.repeat(3000));
    const flags =
      '--cc ben@example.org --bcc eve@example.org --attach plan.txt --scheduled-at 2099-01-05T09:00:00Z';
    const line = `mailer email send --sandbox ${exceptSubject} ${flags}`;
    const terminal = openTerminal(place, line, { env: { TZ: 'UTC' } });
    await terminal.shows('? Subject');
    terminal.type(`Hi${enter}`);
    await terminal.shows('? Schedule it? (y/N)');
    expect(terminal.text()).toMatch(/^Cc {11}ben@example.org$/m);
    expect(terminal.text()).toMatch(/^Bcc {10}eve@example.org$/m);
    expect(terminal.text()).toMatch(/^Attachments {2}plan.txt \(2.9 KiB\)$/m);
    expect(terminal.text()).toMatch(/^When {9}.*2099.*09:00/m);
  });

  test('show HTML as its reader sees it, with the targets of links', async () => {
    const place = createPlace();
    const html =
      '<html>\n<head>\n<style>\np { color: red }\n</style>\n</head>\n<body>\n<h1>News</h1>\n<p>Read <a href="https://example.com/news">it</a></p></body></html>\n';
    const request = { to: 'ana@example.org', from: 'hello@example.com', html };
    writeFileSync(join(place.home, 'news.json'), JSON.stringify(request));
    const terminal = openTerminal(place, 'mailer email send --sandbox --file news.json');
    await terminal.shows('? Subject');
    terminal.type(`Hi${enter}`);
    await terminal.shows('? Send it? (y/N)');
    expect(terminal.text()).toContain(`
Subject      Hi
HTML         News

             Read it (https://example.com/news)
Size `);
    const campaign = `<p>Hello</p><p><a href="{{usesend_unsubscribe_url}}">Leave</a></p>`;
    writeFileSync(join(place.home, 'campaign.html'), campaign);
    const create =
      'campaign create --sandbox --name News --subject Hi --book Customers --from hello@example.com --html-file campaign.html';
    expect((await place.run(create)).exitCode).toBe(0);
    const start = openTerminal(place, 'mailer campaign schedule News --now --sandbox');
    await start.shows('Start it? (y/N)');
    expect(start.text()).toContain(`
Subject      Hi
HTML         Hello

             Leave ({{usesend_unsubscribe_url}})

Account: the sandbox
? Campaign "News"`);
  });

  test('show who gets a redirected email before the yes', async () => {
    const place = createPlace();
    const terminal = openTerminal(place, `mailer email send --sandbox ${exceptSubject}`, {
      env: { MAILER_REDIRECT_TO: 'team@example.org' },
    });
    await terminal.shows('? Subject');
    terminal.type(`Hi${enter}`);
    await terminal.shows('? Send it? (y/N)');
    expect(terminal.text()).toContain(`
To           team@example.org
Instead of   ana@example.org
Redirected   by MAILER_REDIRECT_TO (redirect-to)
Subject      [to ana@example.org] Hi
`);
  });

  test('of a send come after the error of a wrong flag', async () => {
    const line = 'mailer email send --sandbox --to ana@example.org --from hello --subject Hi';
    const terminal = openTerminal(createPlace(), line);
    expect(await terminal.end()).toBe(2);
    expect(terminal.text()).toBe('Error: --from: "hello" is not an email address');
  });

  test('end without the yes if the policy does not allow the email', async () => {
    const place = createPlace();
    const terminal = openTerminal(place, `mailer email send --sandbox ${exceptSubject}`, {
      env: { MAILER_ALLOW_TO: '*@example.com' },
    });
    await terminal.shows('? Subject');
    terminal.type(`Hi${enter}`);
    expect(await terminal.end()).toBe(2);
    expect(terminal.text()).toContain('allow-to in MAILER_ALLOW_TO does not allow this.');
    expect(terminal.text()).not.toContain('Send it?');
  });

  test('for the sender take verified domains only, and say so at once', async () => {
    const place = createPlace();
    const line = 'mailer email send --sandbox --to ana@example.org --subject Hi --text Hello';
    const terminal = openTerminal(place, line);
    await terminal.shows('? From');
    terminal.type('shop@nowhere.example');
    await terminal.shows(
      /^\? From shop@nowhere\.example\n > The domain "nowhere\.example" is not verified\. Verified: "example\.com"$/m,
    );
    terminal.type(enter);
    terminal.type('\x15ana@EXAMPLE.com');
    await terminal.shows('❯ ana@example.com\n  ana@EXAMPLE.com');
    terminal.type(enter);
    await terminal.shows('Send it?');
  });

  test('for the sender warn where no domain is verified', async () => {
    const service = await startRecorder({ body: [] }, { body: { data: [], count: 0 } });
    const env = { MAILER_BASE_URL: service.baseUrl, MAILER_API_KEY: 'us_key_0123456789' };
    const terminal = openTerminal(createPlace(env), 'mailer email send --to ana@example.org');
    await terminal.shows('? From');
    expect(terminal.text()).toContain(
      'Warning: No domain is verified, so the service will reject the sender.',
    );
  });

  test('of a send are not asked without an account, which is reported first', async () => {
    const terminal = openTerminal(createPlace(), 'mailer email send');
    expect(await terminal.end()).toBe(3);
    expect(terminal.text()).toContain('mailer login');
    expect(terminal.text()).not.toContain('?');
  });

  test('for a text are repeated when it is empty, or when there is no editor', async () => {
    const place = createPlace();
    const line = `mailer email send --sandbox ${exceptSubject.replace('--text Hello', '')} --subject Hi`;
    const empty = openTerminal(place, line, { env: editorThat(place, 'true') });
    await empty.shows('? Text (one line');
    empty.type(enter);
    await empty.shows('? The text is empty. Text (one line, or Enter for editor)');
    empty.type(`Hello${enter}`);
    await empty.shows('Send it?');
    const missing = openTerminal(place, line, { env: { EDITOR: '/nowhere/editor --wait' } });
    await missing.shows('? Text (one line');
    missing.type(enter);
    await missing.shows('editor could not be started; set EDITOR to use another one.');
  });

  test('for a text are answered in a private file, which is removed, also when it is cancelled', async () => {
    const place = createPlace();
    const where = join(place.home, 'where');
    const look = `echo "$1" > ${where}; stat -c %a "$1" "$(dirname "$1")" >> ${where}; exit 1`;
    const line = `mailer email send --sandbox ${exceptSubject.replace('--text Hello', '')} --subject Hi`;
    const terminal = openTerminal(place, line, { env: editorThat(place, look) });
    await terminal.shows('? Text (one line');
    terminal.type(enter);
    expect(await terminal.end()).toBe(2);
    expect(terminal.text()).toContain('Error: editor was cancelled. Nothing was sent.');
    const [path = '', ...modes] = readFileSync(where, 'utf8').split('\n');
    expect(modes).toEqual(['600', '700', '']);
    expect(existsSync(dirname(path))).toBe(false);
    expect(await emailCount(place)).toBe(2);
  });

  test.each([
    ['with --no-input', '--no-input', {}],
    ['with CI set', '', { CI: '1' }],
    ['with stdin redirected', '< /dev/null', {}],
    ['with stderr redirected', '2> error; cat error; exit 2', {}],
  ])('are not asked %s; all missing values are named', async (_, how, env) => {
    const place = createPlace();
    const terminal = openTerminal(place, `mailer email send --sandbox ${how}`, { env });
    expect(await terminal.end()).toBe(2);
    expect(terminal.text()).toMatch(
      /^Error: Missing --to, --from, --subject, --text\nHint: Instead of --text, /,
    );
    expect(await emailCount(place)).toBe(2);
  });

  test('go to stderr, so that the result can be piped', async () => {
    const place = createPlace();
    const line = `mailer email send --sandbox ${exceptSubject} | tr a-z A-Z`;
    const terminal = openTerminal(place, line);
    await terminal.shows('? Subject');
    terminal.type(`Hi${enter}`);
    await terminal.shows('Send it?');
    terminal.type(`y${enter}`);
    expect(await terminal.end()).toBe(0);
    expect(terminal.text()).toMatch(/^[A-Z0-9]+$/m);
  });
});

test('the question before a batch comes after its first email, as it leaves', async () => {
  const place = createPlace();
  writeFileSync(
    join(place.home, 'people.csv'),
    'to,name\nana@example.org,Ana & Co\nben@example.org,Ben\n',
  );
  writeFileSync(
    join(place.home, 'news.html'),
    '<h1>News</h1><p>Hi {{ name }}, <a href="https://example.com">read</a></p>',
  );
  const flags = "--from hello@example.com --subject 'For {{ name }}' --no-text";
  const line = `mailer email batch people.csv --sandbox ${flags} --html-file news.html`;
  const terminal = openTerminal(place, line);
  await terminal.shows('? Send 2 emails in 1 request? (y/N)');
  expect(terminal.text()).toContain(`
Email        the first one, of row 1
From         hello@example.com
To           ana@example.org
Subject      For Ana & Co
HTML         News

             Hi Ana & Co, read (https://example.com)
Size         `);
  terminal.type(enter);
  expect(await terminal.end()).toBe(2);
  expect(terminal.text()).toContain('Error: Not confirmed. Nothing was sent.');
});

describe('questions for a campaign', () => {
  const html = '<a href="{{usesend_unsubscribe_url}}">x</a>';
  const given = '--sandbox --name News --subject Hi --book Customers';

  test('ask for its sender and body as those for an email do, and for a yes before it starts', async () => {
    const place = createPlace();
    const where = join(place.home, 'where');
    const editor = editorThat(place, `echo "$1" > ${where}; printf '%s\n' '${html}' > "$1"`);
    const terminal = openTerminal(place, `mailer campaign create ${given} --now`, {
      env: editor,
    });
    await terminal.shows('❯ Example Shop <shop@example.com>  used recently\n  @example.com');
    terminal.type(enter);
    await terminal.shows('? HTML (one line, or Enter for editor)');
    terminal.type(enter);
    await terminal.shows('Create it and start it? (y/N)');
    expect(readFileSync(where, 'utf8')).toMatch(/\.html\n$/);
    expect(terminal.text().replace(/^[\s\S]*editor\)\n/, '')).toBe(`
Subject      Hi
HTML         x ({{usesend_unsubscribe_url}})

Account: the sandbox
? Campaign "News" from Example Shop <shop@example.com> starts now and
  goes to at most 11 subscribed contacts of contact book "Customers".
  Create it and start it? (y/N)`);
    terminal.type(enter);
    expect(await terminal.end()).toBe(2);
    expect(terminal.text()).toContain('Error: Not confirmed. Nothing was created.');
    expect((await runHere(place, 'campaign list --sandbox --search News --quiet')).stdout).toBe('');
    const again = openTerminal(place, `mailer campaign create ${given} --now --yes`);
    await again.shows('❯ Example Shop');
    again.type(enter);
    await again.shows('? HTML');
    again.type(`${html}${enter}`);
    expect(await again.end()).toBe(0);
    expect(again.text()).toContain('Sending to');
  });

  test('are not asked about placeholders that would be sent as they are written', async () => {
    const place = createPlace();
    const unfilled = `--subject 'Hi {{nick}}' --html '${html}' --from hello@example.com`;
    const create = `mailer campaign create ${given.replace('--subject Hi', unfilled)}`;
    const starts = openTerminal(place, `${create} --now`);
    expect(await starts.end()).toBe(2);
    expect(starts.text()).toContain('does not fill in this placeholder');
    expect(starts.text()).toContain('Nothing was created.');
    // Without a start, a warning is enough.
    expect(await openTerminal(place, create).end()).toBe(0);
    for (const start of ['schedule News --now', 'resume News']) {
      const terminal = openTerminal(place, `mailer campaign ${start} --sandbox`);
      expect(await terminal.end()).toBe(2);
      expect(terminal.text()).toContain('subject: {{nick}}');
    }
    const add = 'contact book update Customers --add-variable nick --sandbox';
    expect((await place.run(add)).exitCode).toBe(0);
    const filled = openTerminal(place, 'mailer campaign schedule News --now --sandbox');
    await filled.shows('Start it? (y/N)');
    expect(filled.text()).not.toContain('Warning');
    filled.type(`y${enter}`);
    expect(await filled.end()).toBe(0);
  });

  test('come after what can be checked without answers', async () => {
    const missing = given.replace('--subject Hi', "--html '<p>Hi</p>'");
    const terminal = openTerminal(createPlace(), `mailer campaign create ${missing}`);
    expect(await terminal.end()).toBe(2);
    expect(terminal.text()).toContain('a campaign needs an unsubscribe link');
    expect(terminal.text()).not.toContain('?');
  });

  test('are answered only once: an error has the command with the answers', async () => {
    const place = createPlace();
    const editor = editorThat(place, `printf '<p>\\n${html}</p>\\n' > "$1"`);
    const line = 'mailer campaign create --sandbox --name News --book Customers --now';
    const options = { env: editor, columns: 400 };
    const terminal = openTerminal(place, `${line} --from hello@example.com`, options);
    await terminal.shows('? Subject');
    terminal.type(`Hi you${enter}`);
    await terminal.shows('? HTML');
    terminal.type(enter);
    await terminal.shows('(y/N)');
    terminal.type(enter);
    expect(await terminal.end()).toBe(2);
    const again = /^mailer campaign create .*--subject 'Hi you' --html-file \S+$/m.exec(
      terminal.text(),
    )?.[0];
    const repeated = openTerminal(place, `${again} --yes`, options);
    expect(await repeated.end()).toBe(0);
    const campaign = JSON.parse(
      (await runHere(place, 'campaign get News --sandbox --json')).stdout,
    );
    expect(campaign).toMatchObject({ subject: 'Hi you', html: `<p>\n${html}</p>\n` });
  });

  test('need no yes for a draft', async () => {
    const place = createPlace();
    const line = `mailer campaign create ${given} --from hello@example.com`;
    const terminal = openTerminal(place, line);
    await terminal.shows('? HTML');
    terminal.type(`${html}${enter}`);
    expect(await terminal.end()).toBe(0);
    expect(terminal.text()).toContain(' as a draft.');
  });

  test('come after the error of a wrong flag, and not without an account', async () => {
    const wrong = openTerminal(
      createPlace(),
      `mailer campaign create ${given} --scheduled-at yesterday`,
    );
    expect(await wrong.end()).toBe(2);
    expect(wrong.text()).toContain('is in the past');
    const nobody = openTerminal(createPlace(), 'mailer campaign create');
    expect(await nobody.end()).toBe(3);
    expect(wrong.text() + nobody.text()).not.toContain('?');
  });
});

test('login asks for URL and key, and never shows the key', async () => {
  const key = 'us_secret_0123456789';
  const service = await startRecorder({ body: [] });
  const place = createPlace();
  const terminal = openTerminal(place, 'mailer login');
  await terminal.shows('? Base URL');
  terminal.type(`${service.baseUrl}${enter}`);
  await terminal.shows('? API key');
  terminal.type(key);
  await terminal.shows(/API key \*+/);
  terminal.type(enter);
  expect(await terminal.end()).toBe(0);
  expect(service.requests[0]?.headers.authorization).toBe(`Bearer ${key}`);
  expect(terminal.text()).toContain('Logged in to');
  expect(terminal.output()).not.toContain('secret');
});

test('sandbox reset asks, and keeps the data on a no', async () => {
  const place = createPlace();
  await runHere(place, 'sandbox reset --empty --yes');
  const terminal = openTerminal(place, 'mailer sandbox reset');
  await terminal.shows('(y/N)');
  terminal.type(enter);
  expect(await terminal.end()).toBe(2);
  expect(terminal.text()).toContain('Error: Not confirmed. Nothing was deleted.');
  expect((await runHere(place, 'email list --sandbox --quiet')).stdout).toBe('');
});

describe('a confirmation', () => {
  async function asked() {
    const service = await startRecorder({ body: [domain] }, { body: { success: true } });
    const env = { MAILER_BASE_URL: service.baseUrl, MAILER_API_KEY: 'us_key_0123456789' };
    const terminal = openTerminal(createPlace(env), 'mailer domain delete example.net');
    await terminal.shows('Delete it? (y/N)');
    expect(terminal.text()).toContain('domain example.net (id 7)');
    const methods = () => service.requests.map(({ method, path }) => `${method} ${path}`);
    expect(methods()).toEqual(['GET /api/v1/domains']);
    return { terminal, methods };
  }

  test.each([
    ['no', `n${enter}`],
    ['nothing', enter],
  ])('that is answered with %s sends nothing', async (_, keys) => {
    const { terminal, methods } = await asked();
    terminal.type(keys);
    expect(await terminal.end()).toBe(2);
    expect(terminal.text()).toContain('Not confirmed. Nothing was deleted.');
    expect(methods()).toEqual(['GET /api/v1/domains']);
  });

  test.each([
    ['a line', `y${enter}`],
    ['the beginning of a line', 'y'],
  ])('is not answered by %s that was typed before it is shown', async (_, keys) => {
    let respond = () => {};
    const service = await startRecorder((response) => {
      respond = () => void response.end(JSON.stringify([domain]));
    });
    const env = { MAILER_BASE_URL: service.baseUrl, MAILER_API_KEY: 'us_key_0123456789' };
    const terminal = openTerminal(createPlace(env), 'mailer domain delete example.net');
    await vi.waitFor(() => expect(service.requests).toHaveLength(1), { timeout: 20_000 });
    terminal.type(keys);
    // The terminal shows what is typed as soon as it has it.
    await terminal.shows('y');
    respond();
    await terminal.shows('Delete it? (y/N)');
    terminal.type(`n${enter}`);
    expect(await terminal.end()).toBe(2);
    expect(terminal.text()).toContain('Not confirmed. Nothing was deleted.');
    expect(service.requests).toHaveLength(1);
  });

  test('names the profile and the host; the first of several questions does, too', async () => {
    const service = await startRecorder({ body: [] }, { body: [domain] });
    const place = createPlace();
    const login = ['login', '--profile', 'work', '--base-url', service.baseUrl, '--with-token'];
    await place.run(login, { input: 'us_key_0123456789' });
    const { host } = new URL(service.baseUrl);
    const terminal = openTerminal(place, 'mailer domain delete example.net --profile work');
    await terminal.shows('Delete it? (y/N)');
    expect(terminal.text()).toContain(
      `Account: work at ${host}\n? This deletes domain example.net`,
    );
    const other = openTerminal(place, 'mailer email send --profile work --from a@example.net');
    await other.shows('? To');
    expect(other.text()).toBe(`Account: work at ${host}\n? To`);
  });

  test('names the variable that has the key', async () => {
    const { terminal } = await asked();
    expect(terminal.text()).toMatch(/^Account: MAILER_API_KEY at 127\.0\.0\.1:\d+$/m);
  });

  test('of a segment names it, and is not asked if there is none', async () => {
    const body = [{ id: 'seg_1', name: 'Pro' }];
    const service = await startRecorder({ body }, { body });
    const env = { MAILER_BASE_URL: service.baseUrl, MAILER_API_KEY: 'us_key_0123456789' };
    const place = createPlace(env);
    const absent = openTerminal(place, 'mailer segment delete Free');
    expect(await absent.end()).toBe(4);
    expect(absent.text()).toContain('There is no segment "Free".');
    const terminal = openTerminal(place, 'mailer segment delete seg_1');
    await terminal.shows(
      'This deletes segment Pro (id seg_1); its contacts stay. Delete it? (y/N)',
    );
    terminal.type(enter);
    expect(await terminal.end()).toBe(2);
    expect(service.requests.map(({ method }) => method)).toEqual(['GET', 'GET']);
  });

  test('of @last names what is deleted, not only its id', async () => {
    const id = 'cm3k9x2f8000008l4';
    const campaign = { id, name: 'Spring news', status: 'DRAFT' };
    const service = await startRecorder({ body: campaign }, { body: campaign }, { body: campaign });
    const env = { MAILER_BASE_URL: service.baseUrl, MAILER_API_KEY: 'us_key_0123456789' };
    const place = createPlace(env);
    await place.run('api POST /v1/campaigns -f name=Spring');
    const terminal = openTerminal(place, 'mailer campaign delete @last', { columns: 200 });
    await terminal.shows(`This deletes campaign "Spring news" (${id}, DRAFT) with`);
    expect(service.requests.at(-1)?.method).toBe('GET');
    terminal.type(`y${enter}`);
    expect(await terminal.end()).toBe(0);
    expect(service.requests.at(-1)).toMatchObject({
      method: 'DELETE',
      path: `/api/v1/campaigns/${id}`,
    });
  });

  test('breaks its lines between words; ended with Ctrl-D, it sends nothing', async () => {
    const { terminal, methods } = await asked();
    expect(terminal.text().replaceAll(/\s+/g, ' ')).toContain(
      '? This deletes domain example.net (id 7): it can no longer send, and API keys restricted to it lose the restriction. Delete it? (y/N)',
    );
    terminal.type(ctrlD);
    expect(await terminal.end()).toBe(130);
    expect(terminal.text()).not.toContain('Warning');
    expect(methods()).toEqual(['GET /api/v1/domains']);
  });

  test('that is answered with yes', async () => {
    const { terminal, methods } = await asked();
    terminal.type(`y${enter}`);
    expect(await terminal.end()).toBe(0);
    // Not yellow, blue or cyan, which are unreadable on white or on black.
    expect(terminal.output().replaceAll('\x1b', 'ESC')).not.toMatch(/ESC\[[\d;]*\b[39][346]m/);
    expect(terminal.text()).toContain('Deleted domain example.net.');
    expect(methods()).toEqual(['GET /api/v1/domains', 'DELETE /api/v1/domains/7']);
  });
});

test.each([
  ['n', 2, []],
  ['y', 0, ['DELETE /api/v1/things/1']],
])('api DELETE asks first: %s', async (answer, exitCode, sent) => {
  const service = await startRecorder({ body: {} });
  const env = { MAILER_BASE_URL: service.baseUrl, MAILER_API_KEY: 'us_key_0123456789' };
  const terminal = openTerminal(createPlace(env), 'mailer api DELETE /v1/things/1');
  await terminal.shows('(y/N)');
  expect(terminal.text()).toContain('DELETE /v1/things/1');
  terminal.type(`${answer}${enter}`);
  expect(await terminal.end()).toBe(exitCode);
  expect(service.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(sent);
});

describe('Ctrl-C', () => {
  const after = 'echo "exit code $?"; stty -a';

  test.each([
    ['a question', 'mailer email send --sandbox', '? To'],
    ['a list', 'mailer domain get --sandbox', '? Domain'],
    ['the sender', 'mailer email send --sandbox --to a@example.org', '? From'],
    [
      'the text',
      'mailer email send --sandbox --to a@example.org --from a@example.com --subject Hi',
      '? Text',
    ],
    ['a secret', 'mailer login --base-url http://127.0.0.1:9/api', '? API key'],
    ['a confirmation', 'mailer domain delete example.com --sandbox', 'Delete it?'],
  ])('at %s is 130 and restores the terminal', async (_, line, question) => {
    const place = createPlace();
    const terminal = openTerminal(place, `${line}; ${after}`);
    await terminal.shows(question);
    terminal.type(`x${ctrlC}`);
    await terminal.end();
    expect(terminal.text()).toContain('exit code 130');
    // Neither raw nor silent, and with a cursor.
    expect(terminal.text()).toMatch(/[^-]icanon/);
    expect(terminal.text()).toMatch(/[^-]echo\b/);
    expect(terminal.screen().cursorVisible).toBe(true);
    expect(terminal.text()).not.toContain('Error');
    expect(await emailCount(place)).toBe(2);
  });

  test('at the yes to a send, or in the editor, is 130 and sends nothing', async () => {
    const place = createPlace();
    const line = 'mailer email send --sandbox --to a@example.org --from a@example.com --subject Hi';
    const env = editorThat(place, 'echo "$1" > where; echo editing; read answer');
    const terminal = openTerminal(place, `${line}; ${line}; ${after}`, { env });
    await terminal.shows('? Text');
    terminal.type(`Hello${enter}`);
    await terminal.shows('Send it?');
    terminal.type(ctrlC);
    await terminal.shows(/Send it\?[\s\S]*\? Text/);
    terminal.type(enter);
    await terminal.shows('editing');
    terminal.type(ctrlC);
    await terminal.end();
    expect(terminal.text()).toContain('exit code 130');
    const path = readFileSync(join(place.home, 'where'), 'utf8').trim();
    expect(existsSync(dirname(path))).toBe(false);
    expect(await emailCount(place)).toBe(2);
  });

  test('during a question of a key command ends both', async () => {
    const place = createPlace();
    const keyCommand = "echo 'Passphrase:' >&2; read answer; echo key-of-nobody";
    const line = `mailer login --base-url http://127.0.0.1:9/api --key-command "${keyCommand}"`;
    const terminal = openTerminal(place, `${line}; ${after}`);
    await terminal.shows('Passphrase:');
    terminal.type(ctrlC);
    await terminal.end();
    expect(terminal.text()).toContain('exit code 130');
  });
});
