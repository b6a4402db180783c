import { describe, expect, test } from 'vitest';
import { fileIn } from '../../support/connected.ts';
import { startRecorder } from '../../support/recorder.ts';
import { createWorld } from '../../support/run.ts';
import { serveIn } from '../../support/serving.ts';

/** A world in which Ana was sent messages with these texts, oldest first. */
async function worldWithMail(...texts: readonly string[]) {
  const world = createWorld();
  for (const text of texts) {
    const { exitCode, stderr } = await world.run([
      ...'email send --sandbox --from hello@example.com --to ana@example.org --subject Hi'.split(
        ' ',
      ),
      ...['--text', text],
    ]);
    expect(exitCode, stderr).toBe(0);
    world.clock.advance(1000);
  }
  return world;
}

const wait = 'sandbox wait --to ana@example.org --timeout 1ms';

test('prints the message that is there, with its codes and links', async () => {
  const world = await worldWithMail('Your code: 483920\nhttps://shop.test/confirm/1');
  const { exitCode, stdout } = await world.run(`${wait} --json`);
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject([
    {
      to: ['ana@example.org'],
      subject: 'Hi',
      code: '483920',
      codes: [{ code: '483920', named: true }],
      links: [{ url: 'https://shop.test/confirm/1', unsubscribes: false }],
    },
  ]);
  expect((await world.run(wait)).stdout).toContain('ana@example.org\tHi\t483920');
});

test('mail with any number of elements and codes hides no other', async () => {
  const world = createWorld();
  const codes = Array.from({ length: 150_000 }, (_, at) => `Code: ${30_000_000 + at}`).join('\n');
  const bodies = [
    { html: `<p>Hi${'<div>'.repeat(200_000)}</p>` },
    { text: codes },
    { text: 'Your code: 483920' },
  ];
  const sandbox = ['--sandbox', '--literal', '--file', 'mail.json'];
  for (const body of bodies) {
    const email = { from: 'a@example.com', to: 'ana@example.org', subject: 'Hi', ...body };
    fileIn(world, 'mail.json', email);
    const { exitCode, stderr } = await world.run(['email', 'send', ...sandbox]);
    expect(exitCode, stderr).toBe(0);
    world.clock.advance(1000);
  }
  const { exitCode, stdout, stderr } = await world.run(`${wait} --count 3 --json`);
  expect(exitCode, stderr).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject([{ code: '483920' }, { code: null }, { code: null }]);
});

describe('--code', () => {
  test('prints the code of the newest message that has one', async () => {
    const world = await worldWithMail('Your code: 483920', 'Your code: 777123', 'Welcome');
    const { exitCode, stdout, stderr } = await world.run(`${wait} --code`);
    expect({ exitCode, stdout, stderr }).toEqual({ exitCode: 0, stdout: '777123\n', stderr: '' });
    const { stdout: json } = await world.run(`${wait} --code --json`);
    expect(JSON.parse(json)).toEqual({ code: '777123', messageId: expect.any(String) });
  });

  test('says that no word names the code', async () => {
    const world = await worldWithMail('Hello,\n\n483920\n');
    const { exitCode, stdout, stderr } = await world.run(`${wait} --code`);
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '483920\n' });
    expect(stderr).toContain('No word such as "code" is near 483920');
  });

  test('ends with 9 if several codes may be meant, and with 10 if there is none', async () => {
    const several = await worldWithMail('Your code: 483920. Your code: 483921.');
    const unclear = await several.run(`${wait} --code`);
    expect(unclear).toMatchObject({ exitCode: 9, stdout: '' });
    expect(unclear.stderr).toMatch(/It is not clear which code is meant: .* 483920, 483921\./);
    const none = await (await worldWithMail('Welcome')).run(`${wait} --code`);
    expect(none).toMatchObject({ exitCode: 10, stdout: '' });
    expect(none.stderr).toContain(
      'No message to "ana@example.org" with a code came within 0.001 s.',
    );
    expect(none.stderr).toContain('The newest here: "Hi" to ana@example.org');
  });
});

describe('--link', () => {
  test('prints the link that contains the text', async () => {
    const world = await worldWithMail('https://shop.test/confirm/1 https://shop.test/help');
    expect(await world.run(`${wait} --link confirm`)).toMatchObject({
      exitCode: 0,
      stdout: 'https://shop.test/confirm/1\n',
    });
    const { exitCode, stderr } = await world.run(`${wait} --link shop.test`);
    expect(exitCode).toBe(9);
    expect(stderr).toContain('has 2 with "shop.test"');
    expect(await world.run(`${wait} --link nowhere`)).toMatchObject({ exitCode: 10 });
  });
});

test('--count 0 ends with 0 if nothing comes, and with 9 if something does', async () => {
  const world = await worldWithMail('Hello');
  expect(
    await world.run('sandbox wait --to ben@example.org --count 0 --timeout 1ms'),
  ).toMatchObject({ exitCode: 0, stderr: 'No message came.\n' });
  const { exitCode, stderr } = await world.run(`${wait} --count 0`);
  expect(exitCode).toBe(9);
  expect(stderr).toContain('A message came to "ana@example.org".');
});

test('--since and --after leave out earlier messages', async () => {
  const world = await worldWithMail('Your code: 483920', 'Your code: 777123');
  const [{ id }] = JSON.parse((await world.run(`${wait} --json`)).stdout);
  expect(await world.run(`${wait} --after ${id}`)).toMatchObject({ exitCode: 10 });
  expect(await world.run(`${wait} --since 1s --code`)).toMatchObject({ stdout: '777123\n' });
  expect(await world.run(`${wait} --since 1h --count 2 --quiet`)).toMatchObject({ exitCode: 0 });
  const unknown = await world.run(`${wait} --after nothing`);
  expect(unknown).toMatchObject({ exitCode: 2 });
  expect(unknown.stderr).toContain('There is no message "nothing"');
});

test('finds scheduled mail once it is due', async () => {
  const world = await worldWithMail();
  const later = '--to ana@example.org --subject Later --text Hi --scheduled-at 1h';
  await world.run(`email send --sandbox --from hello@example.com ${later}`);
  expect(await world.run(wait)).toMatchObject({ exitCode: 10 });
  world.clock.advance(2 * 60 * 60 * 1000);
  expect(await world.run(wait)).toMatchObject({ exitCode: 0 });
});

test('looks into the account of MAILER_API_KEY', async () => {
  const world = await worldWithMail('Your code: 483920');
  world.env.MAILER_API_KEY = 'us_sandbox_test_worker';
  expect(await world.run(wait)).toMatchObject({ exitCode: 10 });
});

test.each([
  ['--from ana', '--from: "ana" is not an address'],
  ['--code --link x', '--code and --link cannot be used together'],
  ['--code --count 2', '--code waits for one message, without --count'],
  ['--since 1h --after x', '--since and --after cannot be used together'],
])('refuses %s', async (flags, message) => {
  const { exitCode, stderr } = await createWorld().run(`${wait} ${flags}`);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(message);
});

describe('a sandbox elsewhere', () => {
  /** A machine without data of its own, and the sandbox that another one serves. */
  async function twoMachines() {
    const there = await worldWithMail('Your code: 483920\nhttps://shop.test/confirm/1');
    const { env, baseUrl } = await serveIn(there);
    const here = createWorld(env);
    return { here, there, baseUrl };
  }

  test('is that of MAILER_BASE_URL or --base-url', async () => {
    const { here, baseUrl } = await twoMachines();
    expect(await here.run(`${wait} --code`)).toMatchObject({ stdout: '483920\n', stderr: '' });
    expect(await here.run(`${wait} --link confirm`)).toMatchObject({
      stdout: 'https://shop.test/confirm/1\n',
    });
    expect(await here.run(`${wait} --since 1h --json --fields subject`)).toMatchObject({
      stdout: '[{"subject":"Hi"}]\n',
    });
    here.env.MAILER_BASE_URL = 'http://127.0.0.1:9/api';
    expect(await here.run(`${wait} --code --base-url ${baseUrl}`)).toMatchObject({ exitCode: 0 });
    expect(await here.run(`${wait} --base-url ${baseUrl} --sandbox`)).toMatchObject({
      exitCode: 2,
    });
  });

  test('has the exit codes of the one on this machine', async () => {
    const { here } = await twoMachines();
    const none = await here.run('sandbox wait --to ben@example.org --timeout 1ms');
    expect(none.exitCode).toBe(10);
    expect(none.stderr).toContain('The newest here: "Hi" to ana@example.org');
    expect(await here.run(`${wait} --count 0`)).toMatchObject({ exitCode: 9 });
    const unknown = await here.run(`${wait} --after nothing`);
    expect(unknown.exitCode).toBe(2);
    expect(unknown.stderr).toContain('There is no message "nothing"');
    const silent = await here.run(`${wait} --base-url http://127.0.0.1:9/api`);
    expect(silent.exitCode).toBe(7);
    expect(silent.stderr).toContain('The sandbox at http://127.0.0.1:9/api does not respond.');
  });

  test('has accounts, too', async () => {
    const { here } = await twoMachines();
    here.env.MAILER_API_KEY = 'us_sandbox_test_worker';
    expect(await here.run(wait)).toMatchObject({ exitCode: 10 });
  });

  test('with --sandbox, the one on this machine is meant', async () => {
    const { here, there } = await twoMachines();
    expect(await here.run(`${wait} --sandbox`)).toMatchObject({ exitCode: 10, stdout: '' });
    expect(await there.run(`${wait} --sandbox`)).toMatchObject({ exitCode: 0 });
  });

  test.each([
    { status: 200, body: { data: [] } },
    { status: 200, body: '<html></html>' },
    { status: 404, body: { error: { code: 'NOT_FOUND', message: 'No' } } },
  ])('an address that is none gets no key: %j', async (answer) => {
    const { baseUrl, requests } = await startRecorder(answer);
    const world = createWorld({ MAILER_BASE_URL: baseUrl, MAILER_API_KEY: 'us_sandbox_test_a' });
    const { exitCode, stderr } = await world.run(wait);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(`${baseUrl} is not a sandbox, so no key was sent`);
    expect(stderr).toContain('Hint: For the sandbox on this machine: --sandbox');
    expect(requests.map(({ path, headers }) => [path, headers.authorization])).toEqual([
      ['/control', undefined],
    ]);
  });
});

test.each([
  'sandbox wait --timeout 1ms --count 0 --to nobody@example.org --sandbox',
  'sandbox webhook add localhost:3000 --sandbox',
  'sandbox webhook list --sandbox',
  'email check --subject Hi --text Hello --sandbox',
])('scripts may pass --sandbox: %s', async (line) => {
  const { exitCode, stderr } = await createWorld({ MAILER_WEBHOOK_SECRET: 'whsec_abcdef' }).run(
    line,
  );
  expect(exitCode, stderr).toBe(0);
});
