import { describe, expect, test } from 'vitest';
import { fileIn } from '../../support/connected.ts';
import { createWorld } from '../../support/run.ts';

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
