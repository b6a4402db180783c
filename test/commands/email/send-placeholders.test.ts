import { describe, expect, test } from 'vitest';
import { type Connected, connected } from '../../support/connected.ts';
import { createWorld } from '../../support/run.ts';

const accepted = { body: { emailId: 'em_1' } };
const to = ['email', 'send', '--to', 'ana@example.org', '--from', 'hello@example.com'];
const line = [...to, '--subject', 'Hi'];

/** Runs a line that sends nothing, and returns its error. */
async function refused({ run, requests }: Connected, words: readonly string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await run(words);
  expect({ exitCode, stdout, requests: requests() }).toEqual({
    exitCode: 2,
    stdout: '',
    requests: [],
  });
  return stderr;
}

describe('a placeholder that nothing fills in is an error with its line, and nothing is sent', () => {
  test.for<[string, readonly string[], string]>([
    ['subject', [...to, '--subject', 'Hi {{name}}', '--text', 'x'], '--subject: {{name}}'],
    ['text', [...line, '--text', 'Dear\n{{ name }},'], '--text, line 2: {{ name }}'],
    ['text of a file', [...line, '--text-file', 'a.txt'], '--text-file, line 3: {% if vip %}'],
    [
      'HTML',
      [...line, '--html', '<p>{{ name | upcase }}</p>'],
      '--html, line 1: {{ name | upcase }}',
    ],
    ['a brace too few', [...line, '--html', '<p>{{ name }, hi</p>'], '--html, line 1: {{ name }'],
    ['HTML of a file', [...line, '--html-file', 'a.html'], 'a.html, line 2: {{name}}'],
    [
      'an attribute',
      [...line, '--html', '<a href="https://a.example/{{id}}">x</a>'],
      '--html, line 1: {{id}}',
    ],
    [
      'a link that an editor has encoded',
      [...line, '--html', '<a href="https://a.example/?e=%7B%7Bemail%7D%7D">x</a>'],
      '--html, line 1: %7B%7Bemail%7D%7D',
    ],
    [
      'a tag in the HTML',
      [...line, '--html', '{% if x %}x{% endif %}'],
      '--html, line 1: {% if x %}',
    ],
    ['Markdown', [...line, '--markdown-file', 'a.md'], 'a.md, line 6: {{ first }}'],
    ['its subject', [...to, '--markdown-file', 'b.md'], 'b.md, line 2: {{ name }}'],
    ['its preview text', [...line, '--markdown-file', 'c.md'], 'c.md: {{ name }}'],
    [
      'a layout',
      [...line, '--markdown-file', 'd.md', '--layout', 'l.html'],
      'l.html, line 2: {{ street }}',
    ],
    ['a request', [...line, '--file', 'r.json'], '--file: html, line 1: {{ name }}'],
    ['stdin', [...line, '--text-file', '-'], '--text-file, line 1: {{ name }}'],
    [
      'a flag beside a message',
      [...line.slice(0, -1), 'Hi {{ name }}', '--eml', 'a.eml'],
      '--subject: {{ name }}',
    ],
  ])('%s', async ([, words, expected]) => {
    const all = await connected(accepted);
    all.file('a.txt', 'a\n\n{% if vip %}');
    all.file('a.html', '<p>Dear\n{{name}}</p>');
    all.file('a.md', '---\nlang: de\n---\n# Hello\n\n**{{ first }}** and `{{ code }}`\n');
    all.file('b.md', '---\nsubject: Hi {{ name }}\n---\nx\n');
    all.file('c.md', '---\npreviewText: Hi {{ name }}\n---\nx\n');
    all.file('d.md', 'x');
    all.file('l.html', '{{ content }}\n<p>{{ street }}</p>');
    all.file('r.json', { html: '<p>{{ name }}</p>' });
    all.file('a.eml', 'From: a@b.example\nTo: c@d.example\nSubject: x\n\n{{ kept }}\n');
    const stdin = { stdin: '{{ name }}' };
    const { run } = all;
    const stderr = await refused({ ...all, run: (given) => run(given, stdin) }, words);
    expect(stderr).toContain(`  ${expected}\n`);
    expect(stderr).not.toContain('code');
    expect(stderr).not.toContain('kept');
    expect(stderr).toContain('Hint: Nothing was sent.');
    expect(stderr).toContain('add --literal');
  });

  test('the hint has the flags that fill it in', async () => {
    const all = await connected();
    const words = [...to, '--subject', 'Hi {{ name }}', '--text', '{{ plan }} {{ name }}'];
    expect(await refused(all, words)).toBe(
      `Error: These placeholders have no value:\n  --subject: {{ name }}\n  --text, line 1: {{ plan }}\n  --text, line 1: {{ name }}\nHint: Nothing was sent. To fill them in, give their values: --var name=VALUE --var plan=VALUE. To send the email as it is written, add --literal.\n`,
    );
  });

  test('--preview and --dry-run show it, too', async () => {
    const all = await connected();
    const words = [...line, '--text', '{{ name }}'];
    const preview = await all.run([...words, '--preview']);
    expect(preview).toMatchObject({ exitCode: 2, stdout: expect.stringContaining('{{ name }}') });
    expect(preview.stderr).toContain('This placeholder has no value:');
    await refused(all, [...words, '--dry-run']);
  });

  test('--literal sends it as it is written', async () => {
    const { run, sent } = await connected(accepted);
    const words = [...to, '--subject', 'Hi {{name}}', '--html', '<p>{{ x }}{% y %}</p>'];
    expect((await run([...words, '--literal'])).exitCode).toBe(0);
    expect(sent()).toMatchObject({
      subject: 'Hi {{name}}',
      html: '<p>{{ x }}{% y %}</p>',
      text: '{{ x }}{% y %}',
    });
  });
});

describe('what readers are meant to see is sent', () => {
  test.for<[string, readonly string[]]>([
    ['<pre> and <code>', ['--html', '<pre>{{ a }}\n{% b %}</pre><p><code>{{ c }}</code></p>']],
    ['a style sheet', ['--html', '<style>p {{ color: red }}</style><p>x</p>']],
    ['a comment', ['--html', '<!-- {{ later }} --><p>x</p>']],
    ['code in Markdown', ['--markdown-file', 'a.md']],
    ['code in a text', ['--text', 'Write `{{ name }}`.']],
    ['a message', ['--eml', 'a.eml']],
    ['single braces', ['--text', '{ name } {}} {{']],
    ['an attachment', ['--text', 'x', '--attach', 'a.txt']],
  ])('%s', async ([, words]) => {
    const all = await connected(accepted);
    all.file(
      'a.md',
      'Write `{{ a }}` or \\{\\{ b }}, \\{{ c }}:\n\n    {{ indented }}\n\n```\n{% d %}\n```\n',
    );
    all.file('a.eml', 'From: a@b.example\nTo: c@d.example\nSubject: {{ a }}\n\n{{ b }}\n');
    all.file('a.txt', '{{ name }}');
    const { exitCode, stderr } = await all.run([...(words[0] === '--eml' ? to : line), ...words]);
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  });
});

test('placeholders of a message are sent, and said, without a flag that would not fill them in', async () => {
  const all = await connected(accepted);
  all.file('a.eml', 'From: a@b.example\nTo: c@d.example\nSubject: {{ a }}\n\nHi *|FNAME|*\n');
  const { exitCode, stderr } = await all.run([...to, '--eml', 'a.eml']);
  expect(exitCode, stderr).toBe(0);
  expect(stderr).toContain(
    'Warning: Nothing fills in this placeholder, which may be meant as written:\n  --eml: subject: {{ a }}\n',
  );
  expect(stderr).toContain('  --eml: text, line 1: *|FNAME|*\n');
  expect(stderr).not.toContain('--var');
  expect(all.sent()).toMatchObject({ subject: '{{ a }}', text: 'Hi *|FNAME|*\n' });
});

describe('--var fills a body and a subject of your own, by the rules of email batch', () => {
  const fill = async (words: readonly string[], files: Readonly<Record<string, string>> = {}) => {
    const all = await connected(accepted);
    for (const [name, content] of Object.entries(files)) all.file(name, content);
    const { exitCode, stderr } = await all.run([...to, ...words]);
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
    return all.sent();
  };

  test('in HTML, values are escaped; the text is generated', async () => {
    const body = [
      '--html',
      '<p>Dear {{ name | default: "friend" }}{% if vip == "yes" %}!{% endif %}</p>',
    ];
    const sent = await fill([
      '--subject',
      'Hi {{ name }}',
      ...body,
      '--var',
      'name=Ben & Co',
      '--var',
      'vip=yes',
    ]);
    expect(sent).toEqual({
      to: 'ana@example.org',
      from: 'hello@example.com',
      subject: 'Hi Ben & Co',
      html: '<p>Dear Ben &amp; Co!</p>',
      text: 'Dear Ben & Co!',
    });
  });

  test('a text, with the values of a file', async () => {
    const words = ['--subject', 'Hi', '--text', '{{ n }}{% for i in items %} {{ i }}{% endfor %}'];
    const sent = await fill([...words, '--vars-file', 'v.json'], {
      'v.json': '{"n":3,"items":["a","b"]}',
    });
    expect(sent).toMatchObject({ text: '3 a b' });
    expect(sent).not.toHaveProperty('variables');
  });

  test('Markdown, in which a value is never read as Markdown', async () => {
    const md = '---\nsubject: Order {{ id }}\n---\nDear **{{ name }}**\n';
    const words = [
      '--markdown-file',
      'a.md',
      '--var',
      'id=7',
      '--var',
      'name=[x](http://evil.example)',
    ];
    const sent = await fill(words, { 'a.md': md });
    expect(sent).toMatchObject({ subject: 'Order 7', text: 'Dear [x](http://evil.example)' });
  });

  test('a value that looks like a placeholder is data, and said', async () => {
    const all = await connected(accepted);
    const words = ['--subject', 'Hi', '--text', '{{ note }}', '--var', 'note={{ x }}'];
    const { stderr } = await all.run([...to, ...words]);
    expect(all.sent()).toMatchObject({ text: '{{ x }}' });
    expect(stderr).toMatch(
      /^Warning: Nothing fills in this placeholder, which may be meant as written:\n {2}--text, line 1: \{\{ x \}\}\nAccepted/,
    );
  });

  test('a request in a file, with its own variables or those of flags', async () => {
    const r = { subject: 'Hi {{ name }}', text: 'x', variables: { name: 'Ana' } };
    const files = { 'r.json': JSON.stringify(r) };
    expect(await fill(['--file', 'r.json'], files)).toMatchObject({ subject: 'Hi Ana' });
    const other = await fill(['--file', 'r.json', '--var', 'name=Ben'], files);
    expect(other).toMatchObject({ subject: 'Hi Ben' });
  });

  test.for<[string, readonly string[], string]>([
    [
      'a name without a value',
      ['--text', '{{ name }} {{ plan }}', '--var', 'name=a'],
      '--text: no value for plan',
    ],
    [
      'a misspelt name',
      ['--text', '{{ name }}', '--var', 'nmae=Ana Maria'],
      "--text: no value for name, and no default; did you mean --var 'name=Ana Maria'?\nHint: Nothing was sent.",
    ],
    [
      'a misspelt name in a Markdown text',
      ['--markdown-file', 'a.md', '--var', 'nmae=Ana'],
      'no value for name, and no default; did you mean --var name=Ana?\nHint: Nothing was sent.',
    ],
    [
      'a misspelt name in a file',
      ['--text', '{{ name }}', '--vars-file', 'vars.json'],
      '--text: no value for name, and no default; did you mean name in --vars-file?',
    ],
    [
      'a name that nothing is like',
      ['--text', '{{ name }}', '--var', 'colour=red'],
      '--text: no value for name, and no default\nHint: Nothing was sent.',
    ],
    [
      'a misspelt name with a default',
      ['--text', '{{ name | default: "you" }} {{ x }}', '--var', 'nmae=Ana', '--var', 'x=1'],
      '--var: nothing in the email uses "nmae"; did you mean "name"?',
    ],
    [
      'nothing to fill in',
      ['--text', 'x', '--var', 'name=Ana'],
      '--var: the email has no placeholders for "name"',
    ],
    [
      'a tag that is not closed',
      ['--text', '{% if a %}', '--var', 'a=1'],
      '--text: tag {% if a %} not closed',
    ],
    [
      '--literal',
      ['--text', '{{ a }}', '--var', 'a=1', '--literal'],
      '--literal sends the email as it is.',
    ],
    ['a message', ['--eml', 'a.eml', '--var', 'a=1'], 'A message of --eml is sent as it is.'],
  ])('%s is an error', async ([, words, expected]) => {
    const all = await connected();
    all.file('a.eml', 'From: a@b.example\nTo: c@d.example\nSubject: x\n\n{{ kept }}\n');
    all.file('a.md', 'Hi {{ name }}\n');
    all.file('vars.json', { nmae: 'Ana' });
    expect(await refused(all, [...line, ...words])).toContain(expected);
  });

  test('a name that nothing uses is a warning', async () => {
    const { run } = await connected(accepted);
    const words = ['--text', '{{ name }}', '--var', 'name=Ana', '--var', 'street=Harbour'];
    const { exitCode, stderr } = await run([...line, ...words]);
    expect(exitCode).toBe(0);
    expect(stderr).toContain('Warning: --var: nothing in the email uses "street".\n');
  });

  test('email check checks the email that is sent', async () => {
    const { run } = createWorld();
    const words = ['email', 'check', '--subject', 'Hi {{ name }}', '--text', 'Dear {{ name }}'];
    const { stdout } = await run([...words, '--json']);
    expect(JSON.parse(stdout).findings).toHaveLength(2);
    const literal = await run([...words, '--literal', '--json']);
    expect(JSON.parse(literal.stdout).findings).toEqual([]);
  });
});

describe('--template, where the service shows templates', () => {
  const stored = (html: string, subject = 'Hi {{name}}') => ({
    body: { id: 'tmpl_1', name: 'Welcome', subject, html },
  });
  const template = [...to, '--template', 'tmpl_1'];
  const full = stored('<p>Dear {{name}},\nyour plan: {{ plan }}{{city, fallback=here}}</p>');

  test('all values are given', async () => {
    const { run, requests, sent } = await connected(full, accepted);
    const words = [...template, '--var', 'name=Ana', '--var', 'plan=pro'];
    const { exitCode, stderr } = await run(words);
    expect(exitCode).toBe(0);
    expect(stderr).not.toContain('Warning');
    expect(requests()).toEqual(['GET /api/v1/templates/tmpl_1', 'POST /api/v1/emails']);
    expect(sent(1)).toMatchObject({
      templateId: 'tmpl_1',
      variables: { name: 'Ana', plan: 'pro' },
    });
  });

  test.for<[string, readonly string[], string]>([
    ['a value is missing', ['--var', 'name=Ana'], '  template Welcome, line 2: {{ plan }}\n'],
    [
      'all are',
      [],
      '  template Welcome, subject: {{name}}\n  template Welcome, line 1: {{name}}\n',
    ],
    [
      'a name is near one',
      ['--var', 'nmae=Ana', '--var', 'plan=a'],
      '"nmae"; did you mean "name"?',
    ],
    [
      'a name is near one with a fallback',
      ['--var', 'name=A', '--var', 'plan=a', '--var', 'City=x'],
      '"City"; did you mean "city"?',
    ],
  ])('an error: %s', async ([, words, expected]) => {
    const { run, requests } = await connected(full);
    const { exitCode, stderr } = await run([...template, ...words]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(expected);
    expect(requests()).toEqual(['GET /api/v1/templates/tmpl_1']);
  });

  test.for<[string, readonly string[], string]>([
    [
      'a placeholder without a value in the text',
      ['--var', 'name=A', '--text', '{{ x }}'],
      '--text: no value for x',
    ],
    ['a header', ['--header', 'X-A: \u2028'], '--header'],
    ['a sender', ['--from', 'hello'], '--from'],
    ['a variable', ['--var', 'a b=1'], '--var'],
    ['a key', ['--idempotency-key', 'ä'], '--idempotency-key'],
    ['an image of this machine', ['--html', '<img src="a.png">'], 'a.png'],
  ])('%s that is wrong is an error before the template is read', async ([, words, expected]) => {
    const { run, requests } = await connected();
    const { exitCode, stderr } = await run([...template, ...words]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(expected);
    expect(requests()).toEqual([]);
  });

  test('a placeholder that nothing fills in is an error even if the template cannot be read', async () => {
    const { run } = await connected({ status: 503 });
    const { exitCode, stderr } = await run([...template, '--text', '{{ x }}', '--retries', '0']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('This placeholder has no value:\n  --text, line 1: {{ x }}\n');
  });

  test('tags that the service does not know are an error; --literal sends the email', async () => {
    const liquid = stored('{% if vip %}{{ name | upcase }}{% endif %}', 'Hi');
    const all = await connected(liquid, accepted);
    const { exitCode, stderr } = await all.run(template);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('  template Welcome, line 1: {{ name | upcase }}\n');
    expect((await all.run([...template, '--literal'])).exitCode).toBe(0);
  });

  test('a name that the template does not use is a warning', async () => {
    const { run } = await connected(full, accepted);
    const words = ['--var', 'name=A', '--var', 'plan=pro', '--var', 'street=x'];
    const { exitCode, stderr } = await run([...template, ...words]);
    expect(exitCode).toBe(0);
    expect(stderr).toContain('Warning: --var: nothing in the email uses "street".');
  });

  test("the dashboard's editor: its variables and their fallbacks", async () => {
    const variable = (attrs: object) => ({ type: 'variable', attrs });
    const content = {
      type: 'doc',
      content: [variable({ id: 'name' }), variable({ id: 'city', fallback: 'x' })],
    };
    const document = {
      body: { id: 'tmpl_1', name: 'Welcome', subject: 'Hi', html: null, content },
    };
    const { run } = await connected(document, document, accepted);
    expect((await run(template)).stderr).toContain('  template Welcome: {{name}}\nHint');
    expect((await run([...template, '--var', 'name=Ana'])).exitCode).toBe(0);
  });

  test('a template that cannot be read for the moment: nothing is sent; --literal does not look', async () => {
    const { run, requests } = await connected({ status: 503, body: 'no' });
    const { exitCode, stderr } = await run([...template, '--retries', '0']);
    expect(exitCode).toBe(7);
    expect(stderr).toContain(
      'Hint: Nothing was sent, because the template could not be read. To send the email without checking it, add --literal.\n',
    );
    expect(requests()).toEqual(['GET /api/v1/templates/tmpl_1']);
    const literal = await connected(accepted);
    expect((await literal.run([...template, '--literal'])).exitCode).toBe(0);
  });

  test.each([404, 403])(
    'a template that cannot be read (%s): that is said, and the email is sent',
    async (status) => {
      const { run } = await connected({ status, body: 'no' }, accepted);
      const { exitCode, stderr } = await run([...template, '--var', 'nmae=Ana', '--retries', '0']);
      expect(exitCode).toBe(0);
      expect(stderr).toContain('The service does not show the template, so it is not checked.\n');
    },
  );

  test('--preview and --check show the email that the service makes of it', async () => {
    const { run } = await connected(
      { body: [full.body] },
      stored('<p onclick="x">Dear {{name}}</p>'),
    );
    const words = [
      ...to,
      '--template',
      'Welcome',
      '--var',
      'name=Ben & Co',
      '--preview',
      '--check',
    ];
    const { exitCode, stdout, stderr } = await run([...words, '--fields', 'subject,html']);
    expect(exitCode).toBe(9);
    expect(stdout).toContain('Hi Ben & Co');
    expect(stdout).toContain('Dear Ben &amp; Co');
    expect(stderr).toContain('[active-content]');
    expect(stderr).not.toContain('[placeholder]');
  });

  test('--preview without an account shows the request', async () => {
    const { run } = createWorld();
    const { exitCode, stdout, stderr } = await run([
      ...to,
      '--template',
      'Welcome',
      '--preview',
      '--json',
    ]);
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ templateId: 'Welcome' });
    expect(stderr).toContain('The service does not show the template');
  });
});

describe('addresses and headers, where nothing is filled in', () => {
  test.for<[string, readonly string[], string]>([
    ['--from', ['--from', '{{ brand }} <hello@example.com>'], '--from: {{ brand }}'],
    ['--to', ['--to', '{{name}} <ana@example.org>'], '--to: {{name}}'],
    [
      'one of several recipients',
      ['--to', 'ben@example.org, {{name}} <ana@example.org>'],
      '--to: {{name}}',
    ],
    ['--reply-to', ['--reply-to', '{{name}} <a@example.com>'], '--reply-to: {{name}}'],
    [
      'a header',
      ['--header', 'List-Unsubscribe: <https://a.example/{{token}}>'],
      '--header: {{token}}',
    ],
    ['--file', ['--file', 'r.json'], '--file: bcc: {{x}}'],
  ])('%s', async ([, words, expected]) => {
    const all = await connected(accepted);
    all.file('r.json', { bcc: ['a@example.org', '{{x}} <b@example.org>'] });
    const given = ['--from', 'hello@example.com', '--to', 'ana@example.org'];
    const others = given.filter((_, at) => !words.includes(given[at - (at % 2)] ?? ''));
    const line = ['email', 'send', ...words, ...others, '--subject', 'Hi', '--text', 'x'];
    const stderr = await refused(all, line);
    expect(stderr).toBe(
      `Error: This placeholder has no value:\n  ${expected}\nHint: Nothing was sent. In addresses and headers, nothing is filled in. To send the email as it is written, add --literal.\n`,
    );
    const withVar = [...line.slice(0, -1), 'Hi {{ name }}', '--var', 'name=Ana'];
    expect(await refused(all, withVar)).toContain(`:\n  ${expected}\n`);
    expect((await all.run([...line, '--literal'])).exitCode).toBe(0);
  });
});

test('the hint names only values that --var can give', async () => {
  const text = '{{The Great Book}} {{2}} {{ secrets.TOKEN }} {{ name | upcase }} {{plan}}';
  const stderr = await refused(await connected(), [...line, '--text', text]);
  expect(stderr).toContain('give their values: --var name=VALUE --var plan=VALUE. To send');
  const one = await refused(await connected(), [...line, '--text', 'Hi {{name}}']);
  expect(one).toContain('To fill it in, give its value: --var name=VALUE. To send');
});

describe('email batch', () => {
  const csv =
    'to,subject,text\nana@example.org,Hi {{ name }},"Dear\n{{ name }}"\nben@example.org,Hi,Hello\n';
  const batch = ['email', 'batch', 'a.csv', '--from', 'hello@example.com', '--yes', '--sandbox'];

  test('a placeholder in a text of a row, which is no template, is an error', async () => {
    const all = await connected();
    all.file('a.csv', csv);
    const { exitCode, stderr } = await all.run(batch);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(
      'row 1: these placeholders have no value: subject: {{ name }}, text, line 2: {{ name }}; to send it as it is: --literal\n',
    );
  });

  test('--literal sends it', async () => {
    const all = await connected();
    all.file('a.csv', csv);
    expect((await all.run([...batch, '--literal'])).exitCode).toBe(0);
    const { stdout } = await all.run('email list --sandbox --fields subject --csv --no-header');
    expect(stdout).toContain('Hi {{ name }}');
  });

  test('a placeholder in an address or a header is an error, of a row and of a flag', async () => {
    const all = await connected();
    all.file('a.csv', 'to,Reply-To\nana@example.org,{{x}} <a@example.com>\n');
    const words = [...batch, '--subject', 'Hi', '--text', 'x'];
    const ofRow = await all.run(words);
    expect(ofRow.exitCode).toBe(2);
    expect(ofRow.stderr).toContain(
      'row 1: this placeholder has no value: Reply-To: {{x}}; to send it as it is: --literal\n',
    );
    all.file('b.csv', 'to,name\nana@example.org,Ana\n');
    const from = [...words.with(2, 'b.csv').with(4, '{{ name }} <hello@example.com>')];
    const ofFlag = await all.run(from);
    expect(ofFlag.exitCode).toBe(2);
    expect(ofFlag.stderr).toContain('this placeholder has no value: from: {{ name }};');
    expect((await all.run([...from, '--literal'])).exitCode).toBe(0);
    all.file('c.csv', 'mail\n{{ x }} <eva@example.org>\n');
    const templated = [...words.with(2, 'c.csv'), '--to', '{{ mail }}'];
    expect((await all.run([...templated, '--literal'])).exitCode).toBe(0);
  });

  test('--var fills in what a row has no value for', async () => {
    const all = await connected();
    all.file('a.csv', 'to,name,city\nana@example.org,Ana,Rome\nben@example.org,Ben,\n');
    const words = [...batch, '--subject', '{{ name }}, {{ city }}, {{ year }}', '--text', 'x'];
    const values = ['--var', 'city=Porto', '--var', 'year=2026'];
    const { exitCode, stdout } = await all.run([...words, ...values, '--preview', '2', '--json']);
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout).map(({ subject }: { subject: string }) => subject)).toEqual([
      'Ana, Rome, 2026',
      'Ben, Porto, 2026',
    ]);
  });
});
