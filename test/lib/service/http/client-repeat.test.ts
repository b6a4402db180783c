import { execa } from 'execa';
import { describe, expect, test } from 'vitest';
import { type Connected, connected, errorOf, fileIn } from '../../../support/connected.ts';
import { faultyService } from '../../../support/faulty.ts';
import { installed } from '../../../support/needs.ts';
import type { Answer } from '../../../support/recorder.ts';
import type { RunOptions } from '../../../support/run.ts';

/** A response for a send and for a batch. */
const sent = { status: 200, body: { emailId: 'em_1', data: [{ emailId: 'em_1' }] } };
/** A list without emails. */
const none = { status: 200, body: { data: [], count: 0 } };
const down = { status: 503, body: 'down' };
const lacking = { status: 404, body: { error: { code: 'NOT_FOUND', message: 'Not found' } } };
const minimal = [
  ...['email', 'send', '--to', 'ana@example.org', '--from', 'hello@example.com'],
  ...['--subject', 'Hi', '--text', 'Hello'],
];

/** The words into which a shell splits the command line at the end of a hint. */
async function printedWords(stderr: string, shell = 'sh'): Promise<string[]> {
  const text = stderr.startsWith('{') ? `\n${JSON.parse(stderr).error.hint}` : stderr;
  // Not the short one that resumes a run.
  const line = text.slice(text.search(/\nmailer (?!run resume)/) + 1);
  const define =
    shell === 'fish'
      ? "function mailer; printf '%s\\0' $argv; end"
      : 'mailer() { printf \'%s\\0\' "$@"; }';
  const script = `${define}\n${line}`;
  const { stdout } = await execa(shell, ['-c', script]);
  return stdout.split('\0').slice(0, -1);
}

const withoutRetries = ([noun = '', verb = '', ...rest]: readonly string[]) => [
  ...[noun, verb, '--retries', '0', ...rest],
];

/** Fails a send, runs the printed command line three hours later, and expects the same request. */
async function expectRepeatable(
  words: readonly string[],
  {
    prepare,
    meanwhile,
    shell,
    ...options
  }: RunOptions & {
    prepare?: (setup: Connected) => unknown;
    meanwhile?: (setup: Connected) => unknown;
    shell?: string;
  } = {},
): Promise<void> {
  const sends = [down, sent];
  const setup = await connected(
    ...Array<Answer>(9).fill((response, { method, path }) => {
      const isList = path.includes('/v1/emails?');
      const { status = 200, body } =
        (method === 'POST' ? sends.shift() : isList && none) || lacking;
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    }),
  );
  await prepare?.(setup);
  const failed = await setup.run(withoutRetries(words), options);
  expect(failed.exitCode).toBe(7);
  await meanwhile?.(setup);
  setup.world.clock.advance(3 * 3_600_000);
  const again = await setup.run(await printedWords(failed.stderr, shell), options);
  expect(again.stderr).not.toContain('Error');
  expect(again.exitCode).toBe(0);
  const [first, second] = setup.service.requests.filter(({ method }) => method === 'POST');
  expect(second?.path).toBe(first?.path);
  expect(second?.headers['idempotency-key']).toBe(first?.headers['idempotency-key']);
  expect(second?.body).toBe(first?.body);
}

describe('a send whose outcome is unknown', () => {
  test('prints its idempotency key', async () => {
    const { run, service } = await connected(down);
    const { stderr } = await run([...minimal, '--retries', '0']);
    const key = service.requests[0]?.headers['idempotency-key'];
    expect(stderr).toContain(`\nIdempotency-Key: ${key}\n`);
    expect(stderr).toMatch(/^Hint: .*may have been accepted/m);
  });

  test('--json has the key and the command in the one object', async () => {
    const { run, service } = await connected(down);
    const error = errorOf(await run([...minimal, '--retries', '0', '--json']));
    const key = service.requests[0]?.headers['idempotency-key'];
    expect(error.idempotencyKey).toBe(key);
    expect(error.hint).toContain(`--idempotency-key ${key}`);
  });

  test.each([
    ['the plain one', []],
    ['quotes, variables and wildcards', ['--html', `it's "$HOME" \`id\` \\ * ? ! #`]],
    ['a body of several lines', ['--html', '<p>\n\n  one\n</p>\n']],
    ['an English time', ['--scheduled-at', 'in 2 hours']],
    ['an English time after an equals sign', ['--scheduled-at=tomorrow 9am']],
    ['a time that may be past already', ['--scheduled-at', 'in 2 hours', '--allow-past']],
    ['a time zone', ['--scheduled-at', 'tomorrow 9am', '--timezone', 'Asia/Tokyo']],
    ['a key of its own', ['--idempotency-key', 'order-1']],
    ['a key after an equals sign', ['--idempotency-key=order/1=$x']],
    ['display names', ['--cc', '"Ana, B" <a@b.example>, Änne 👋 <d@e.example>']],
    [
      'headers and variables',
      ['--header', 'X-A: b; c=d', '--template', 'tmpl_1', '--var', 'n=O\'Neil & "co"'],
    ],
    ['flags of the account', ['--timeout', '5', '--no-color', '--no-input']],
    ['an empty value', ['--reply-to', '']],
    ['a value that looks like a flag', ['--html=--scheduled-at']],
    ['a value that looks like the end of flags', ['--html', '--']],
    ['a value that looks like the key', ['--html=--idempotency-key', '--no-input']],
    ['flags after the end of flags', ['--']],
  ])('repeats exactly: %s', async (_, flags) => {
    await expectRepeatable([...minimal, ...flags]);
  });

  const hidden = [
    ['a tab', 'a\tb'],
    ['a carriage return', 'a\r\nb'],
    ['an escape sequence', '\u001b[31m-100% "red"\\n!'],
    ['an escape sequence after a hyphen, and line breaks at the end', "-it's\u001b[0m\n\n"],
    ['a command after what may end a quote', "\t'; exit 9 #"],
    ['invisible characters', 'a\u200bb\u202ec\u{e0041}'],
    ['emoji that are joined', '👩‍👩‍👧'],
  ] as const;
  const shells = ['sh', 'bash', 'zsh', 'fish'].filter((name) => installed(name).isMet);

  test.each(shells.flatMap((shell) => hidden.map(([what, text]) => [shell, what, text] as const)))(
    'repeats exactly in %s: %s',
    async (shell, _, text) => {
      await expectRepeatable([...minimal, '--html', text], { shell });
    },
  );

  test('names the shell of the line if it is not sh', async () => {
    const hintIn = async (options: RunOptions) => {
      const { run } = await connected(down);
      const words = [...minimal, '--html', "it's“\t”", '--retries', '0'];
      return (await run(words, options)).stderr;
    };
    expect(await hintIn({})).toContain('the service does not have it:\nmailer email send');
    expect(await hintIn({ env: { SHELL: '/usr/bin/fish' } })).toContain(
      'the service does not have it:\nmailer',
    );
    const forPowerShell = await hintIn({ platform: 'win32', env: { LOCALAPPDATA: '/tmp' } });
    expect(forPowerShell).toContain(
      'the service does not have it, quoted for PowerShell:\nmailer email send',
    );
    expect(forPowerShell).toContain('--html "it\'s`“$([char]0x9)`”"');
    expect(await hintIn({ env: { SHELL: '/opt/pwsh' } })).toContain('quoted for PowerShell:\n');
  });

  test('repeats exactly: files and attachments', async () => {
    await expectRepeatable([...minimal, '--html-file', 'my page.html', '--attach', 'a b.bin'], {
      prepare: ({ file }) => {
        file('my page.html', '<p>\tHi\r\n</p>');
        file('a b.bin', Uint8Array.of(0, 255, 10));
      },
    });
  });

  test('repeats exactly: a request file with an English time', async () => {
    await expectRepeatable(['email', 'send', '--file', 'r.json'], {
      prepare: ({ file }) => {
        const request = { to: 'a@b.example', from: 'c@d.example', subject: 'S', text: 'T' };
        file('r.json', { ...request, scheduledAt: 'in 2 hours' });
      },
    });
  });

  test('repeats exactly: stdin, if it is given again', async () => {
    const words = ['email', 'send', '--to', 'a@b.example', '--from', 'c@d.example'];
    await expectRepeatable([...words, '--subject', 'S', '--text-file', '-'], { stdin: 'Body\n' });
  });
});

describe('what the sandbox accepts without a response is sent once by the printed line', () => {
  const emails = ['ana', 'ben'].map((name) => ({
    ...{ to: `${name}@example.org`, from: 'hello@example.com', subject: 'Hi', text: `it's $HOME` },
  }));
  const stdin = JSON.stringify(emails);

  test.each<[string, readonly string[], number, RunOptions?]>([
    ['drop-reply', minimal, 1],
    ['cut-reply', [...minimal, '--json'], 1],
    ['drop-reply', [...minimal, '--wait', '-q'], 1],
    ['drop-reply', ['email', 'batch', '-qy', "the batch's $file.json"], 2],
    ['cut-reply', ['email', 'batch', '--quiet', '--yes', '-'], 2, { stdin }],
    ['drop-reply', ['email', 'batch', '-y', '--wait', '--json', '--', '-b.json'], 2],
  ])('%s: %j', async (effect, words, count, options = {}) => {
    const { world, requests, recipients } = await faultyService([`POST * ${effect} x1`]);
    for (const name of ["the batch's $file.json", '-b.json']) fileIn(world, name, stdin);
    const failed = await world.run(withoutRetries(words), options);
    expect(failed).toMatchObject({ exitCode: 7, stdout: '' });
    const again = await world.run(await printedWords(failed.stderr), options);
    expect(again.stderr).not.toContain('Error');
    expect(again.exitCode).toBe(0);
    expect(recipients().sort()).toEqual(['ana@example.org', 'ben@example.org'].slice(0, count));
    const sends = requests().filter(({ method }) => method === 'POST');
    expect(new Set(sends.map(({ key }) => key)).size).toBe(1);
  });
});

test.each([
  [['--text', '-'], false],
  [['--text=-'], false],
  [['--text-file', '-'], true],
  [['--html-file=-'], true],
])('reports that standard input is needed again if it was read: %j', async (flags, needed) => {
  const { run } = await connected(down);
  const words = ['email', 'send', '--to', 'a@b.example', '--from', 'c@d.example', '--subject', '-'];
  const { stderr } = await run([...words, ...flags, '--retries', '0'], { stdin: 'Body' });
  expect(stderr).toContain('this command sends it again');
  expect(stderr.includes('with the same standard input')).toBe(needed);
});

describe('with settings that have changed since', () => {
  const set = (from: string, replyTo: string) => async (setup: Connected) => {
    await setup.run(['config', 'set', 'from', from]);
    await setup.run(['config', 'set', 'reply-to', replyTo]);
  };
  const first = set('"Shop, A" <a@b.example>', '"C, D" <c@d.example>, e@f.example');
  const second = set('other@b.example', 'other@d.example');
  const words = ['email', 'send', '--to', 'x@y.example', '--subject', 'S', '--text', 'T'];
  const unset = async (setup: Connected) => {
    await setup.run('config unset from');
    await setup.run('config unset reply-to');
  };

  test.each([
    ['other settings', [], second],
    ['none', [], unset],
    ['empty flags', ['--from', '', '--reply-to', ''], second],
    ['one flag', ['--from', 'own@b.example'], second],
  ])('a send repeats exactly: %s', async (_, flags, meanwhile) => {
    await expectRepeatable([...words, ...flags], { prepare: first, meanwhile });
  });

  test('a send repeats exactly: fields of a file stay those of the file', async () => {
    await expectRepeatable(['email', 'send', '--file', 'r.json'], {
      prepare: async (setup) => {
        const request = { to: 'a@b.example', from: 'own@d.example', subject: 'S', text: 'T' };
        setup.file('r.json', request);
        await first(setup);
      },
      meanwhile: second,
    });
  });
});

test.each([
  ['', true],
  ['--scheduled-at tomorrow', false],
])('reports that a past time sends at once only if there is one: %s', async (flags, none) => {
  const { run } = await connected(down);
  const { stderr } = await run([...minimal, ...flags.split(' ').filter(Boolean), '--retries', '0']);
  expect(!stderr.includes('has passed')).toBe(none);
  expect(!stderr.includes('--allow-past')).toBe(none);
});

describe('a failure with a known outcome does not mention repeating', () => {
  test.each([400, 401, 403, 404, 422, 429])('%i', async (status) => {
    const { run } = await connected({ status, body: { error: 'no' } });
    const error = errorOf(await run([...minimal, '--json', '--retries', '0']));
    expect(error).not.toHaveProperty('idempotencyKey');
    expect(error.hint ?? '').not.toContain('--idempotency-key');
  });

  test('a refused connection', async () => {
    const { run, service } = await connected();
    await service.close();
    const error = errorOf(await run([...minimal, '--json']));
    expect(error).not.toHaveProperty('idempotencyKey');
  });

  test('a rejection after an attempt without a response settles it', async () => {
    const { run } = await connected(down, { status: 400, body: { error: 'bad domain' } });
    const outcome = await run([...minimal, '--json']);
    expect(outcome.exitCode).toBe(1);
    expect(errorOf(outcome)).not.toHaveProperty('idempotencyKey');
  });
});

test('a refused connection after an attempt without a response leaves it open', async () => {
  const setup = await connected(down);
  const close = () => void setup.service.close();
  let draws = 0;
  const random = () => {
    // The first number is for the pause after the 503.
    if (draws++ === 0) close();
    return 0;
  };
  const error = errorOf(await setup.run([...minimal, '--json'], { random }));
  expect(error.idempotencyKey).toBe(setup.service.requests[0]?.headers['idempotency-key']);
});

test.each([
  [
    'email reschedule em_1 --scheduled-at tomorrow',
    /carried out.*running the command again is safe/,
  ],
  ['email cancel em_1', /cancelled\. Check its status: mailer email get em_1/],
])('%s without a response prints what to do', async (line, hint) => {
  const { run } = await connected(down);
  const error = errorOf(await run(`${line} --json --retries 0`));
  expect(error.hint).toMatch(hint);
  expect(error).not.toHaveProperty('idempotencyKey');
});
