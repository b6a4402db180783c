import { describe, expect, test } from 'vitest';
import { connected, fileIn } from '../support/connected.ts';
import { createWorld } from '../support/run.ts';

const send = ['email', 'send', '--to', 'a@example.org', '--from', 'b@example.com'];
const content = ['--subject', 'Hi', '--text', 'Hello'];

describe('--jq', () => {
  test.each([
    [
      'strings are as they are, null is an empty line, other values are JSON on a line',
      ['.[].name, .[0].nothing, "one\\n\\ntwo\\n", (.[0] | {id, name}, .id)'],
      'example.net\nexample.org\nexample.com\n\none\n\ntwo\n\n{"id":3,"name":"example.net"}\n3\n',
    ],
    ['nothing is nothing', ['empty'], ''],
    ['--json says the same', ['.[].id', '--json'], '3\n2\n1\n'],
    ['--jsonl filters each row', ['.id', '--jsonl'], '3\n2\n1\n'],
    [
      '--fields are chosen before',
      ['.[0]', '--fields', 'name,created'],
      /^{"name":"example.net","created":"2026/,
    ],
    ['names may be defined, and comments end', ['def f: .[0].id; f # first'], '3\n'],
    ['an expression may begin with a minus', ['-(.[0].id)'], '-3\n'],
  ])('%s', async (_, flags, printed) => {
    const outcome = await createWorld().run(['domain', 'list', '--sandbox', '--jq', ...flags]);
    expect(outcome).toMatchObject({ exitCode: 0, stderr: '' });
    if (typeof printed === 'string') expect(outcome.stdout).toBe(printed);
    else expect(outcome.stdout).toMatch(printed);
  });

  test.each([
    ['email get email_receipt --sandbox', '.subject', 'Your receipt\n'],
    ['whoami --sandbox', '.reachable', 'true\n'],
    ['config list', 'map(.name) | index("from")', '0\n'],
    ['config path', '.path | endswith("config.json")', 'true\n'],
    ['api GET /v1/domains --sandbox', '.[2].name', 'example.com\n'],
    ['api GET /v1/emails --paginate --sandbox', '.data | length', undefined],
    ['sandbox export', '.domains | length', undefined],
    ['completion bash', '.script | length > 100', 'true\n'],
  ])('is for every command: %s', async (line, expression, printed) => {
    const { exitCode, stdout, stderr } = await createWorld().run([
      ...line.split(' '),
      '--jq',
      expression,
    ]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    if (printed === undefined) expect(stdout).toMatch(/^\d+\n$/);
    else expect(stdout).toBe(printed);
  });

  test('filters the request of a dry run', async () => {
    const { exitCode, stdout } = await createWorld().run([
      ...send,
      ...content,
      ...['--dry-run', '--jq', '.body.to'],
    ]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'a@example.org\n' });
  });

  test('a person gets JSON indented, and control characters made visible', async () => {
    const { run } = await connected({ body: { id: 'a', subject: 'a\u001b[2Jb' } });
    const list = await run(['api', 'GET', '/v1/x', '--jq', '{id}, .subject'], { terminal: 80 });
    expect(list.stdout).toBe('{\n  "id": "a"\n}\na\\x1b[2Jb\n');
  });

  test('an invalid expression is an error before anything is sent', async () => {
    const { run, service } = await connected();
    const outcome = await run([...send, ...content, '--jq', '.emailId[']);
    expect(outcome).toMatchObject({ exitCode: 2, stdout: '' });
    const { error } = JSON.parse(outcome.stderr);
    expect(error.code).toBe('usage');
    expect(error.message).toMatch(/^--jq: syntax error, unexpected end of file at .*column 9/);
    expect(error.message).not.toContain('jq: 1 compile error');
    expect(service.requests).toEqual([]);
  });

  test.each(['--arg', '-n', '-L', '--'])(
    '%s is an expression, and no option of jq',
    async (expression) => {
      const { run, service } = await connected({ body: { emailId: 'em_1' } });
      const outcome = await run([...send, ...content, '--jq', expression]);
      expect(outcome).toMatchObject({ exitCode: 2, stdout: '' });
      expect(JSON.parse(outcome.stderr).error.message).toMatch(/^--jq: .*(error|not defined)/);
      expect(service.requests).toEqual([]);
    },
  );

  test('--jq=--help compiles before anything is sent, too', async () => {
    const { run, service } = await connected({ body: { emailId: 'em_1' } });
    const outcome = await run([...send, ...content, '--jq=--help']);
    expect(outcome).toMatchObject({ exitCode: 2, stdout: '' });
    expect(outcome.stderr).toContain('help/0 is not defined');
    expect(service.requests).toEqual([]);
  });

  test('one that fails on the response is an error after what it has printed', async () => {
    const world = createWorld();
    const outcome = await world.run([
      ...['domain', 'list', '--sandbox', '--jq', '.[0].id, .[0].id[]'],
    ]);
    expect(outcome).toMatchObject({ exitCode: 2, stdout: '3\n' });
    expect(JSON.parse(outcome.stderr).error.message).toBe('--jq: Cannot iterate over number (3)');
  });

  test('one that takes an object for an array is told its names', async () => {
    const { exitCode, stderr } = await createWorld().run([
      ...['email', 'list', '--sandbox', '--jq', '.[].id'],
    ]);
    expect(exitCode).toBe(2);
    expect(JSON.parse(stderr).error).toEqual({
      code: 'usage',
      message: '--jq: Cannot index array with string ("id")',
      hint: 'The document is an object with "data", "count".',
    });
  });

  test('one that uses too much memory is an error, and nothing else is on stderr', async () => {
    const outcome = await createWorld().run(['config', 'path', '--jq', '"x" * 1e9']);
    expect(outcome).toMatchObject({ exitCode: 2, stdout: '' });
    expect(JSON.parse(outcome.stderr).error.message).toBe(
      '--jq: not enough memory for this expression',
    );
  });

  test.each(['--csv', '-q', '--csv-safe', '--no-header'])(
    'cannot be used with %s',
    async (flag) => {
      const { exitCode, stderr } = await createWorld().run(
        `domain list --sandbox --jq .[] ${flag}`,
      );
      expect(exitCode).toBe(2);
      expect(stderr).toContain('cannot be used together');
    },
  );

  test('sees nothing of the environment', async () => {
    const { run } = await connected({ body: {} });
    const { stdout } = await run([
      'api',
      'GET',
      '/v1/x',
      '--jq',
      'env | keys | map(select(test("MAILER")))',
    ]);
    expect(stdout).toBe('[]\n');
  });

  test('rows of a run are filtered as they come', async () => {
    const world = createWorld();
    fileIn(world, 'people.csv', 'to\na@example.org\nb@example.org\n');
    const line = `email batch people.csv --yes --sandbox --from hello@example.com`.split(' ');
    const outcome = await world.run([...line, ...content, '--jsonl', '--jq', '.row, .to']);
    expect(outcome).toMatchObject({ exitCode: 0, stdout: '1\na@example.org\n2\nb@example.org\n' });
  });
});

describe('a list whose document is an object', () => {
  test('is named if the filter prints nothing', async () => {
    const { run } = createWorld();
    const list = ['email', 'list', '--sandbox', '--jq'];
    const missed = await run([...list, 'select(.latestStatus == "BOUNCED") | .id']);
    expect(missed).toMatchObject({ exitCode: 0, stdout: '' });
    expect(missed.stderr).toContain('its rows are in .data. To filter each row: --jsonl --jq');
    const none = await run([...list, '.data[] | select(.id == "nobody")']);
    expect(none).toEqual({ exitCode: 0, stdout: '', stderr: '' });
    const byRow = await run([...list, 'select(.id == "email_receipt") | .id', '--jsonl']);
    expect(byRow).toEqual({ exitCode: 0, stdout: 'email_receipt\n', stderr: '' });
  });

  test('--csv is refused with the way that works', async () => {
    const { run } = createWorld();
    const outcome = await run(['email', 'list', '--sandbox', '--csv', '--jq', '.data[]']);
    expect(outcome.exitCode).toBe(2);
    const [, expression = ''] = /--jsonl --jq '(.+?)'/.exec(outcome.stderr) ?? [];
    const csv = await run(['email', 'list', '--sandbox', '--jsonl', '--jq', expression]);
    expect(csv.stdout).toMatch(/^"[^"]+","[^"]+"$/m);
  });
});
