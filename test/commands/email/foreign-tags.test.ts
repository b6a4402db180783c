import { describe, expect, test } from 'vitest';
import { connected, fileIn } from '../../support/connected.ts';
import { createWorld } from '../../support/run.ts';

const accepted = { body: { emailId: 'em_1' } };
const to = ['email', 'send', '--to', 'ana@example.org', '--from', 'hello@example.com'];
const line = [...to, '--subject', 'Hi'];

describe('email send', () => {
  test.for<[string, readonly string[], string]>([
    ['the subject', [...to, '--subject', 'Hi *|FNAME|*', '--text', 'x'], '--subject: *|FNAME|*'],
    ['the text', [...line, '--text', 'Hi\n%recipient.name%'], '--text, line 2: %recipient.name%'],
    ['the HTML', [...line, '--html', '<p>%%name%%</p>'], '--html, line 1: %%name%%'],
    [
      'a link',
      [...line, '--html', '<a href="*%7CUNSUB%7C*">x</a>'],
      '--html, line 1: *%7CUNSUB%7C*',
    ],
    ['Markdown', [...line, '--markdown-file', 'a.md'], 'a.md, line 4: *|FNAME|*'],
    ['its preview text', [...line, '--markdown-file', 'b.md'], 'b.md: [[first_name]]'],
    ['a request', [...line, '--file', 'r.json'], '--file: html, line 1: [FIRSTNAME]'],
  ])('stops at a merge tag of another service in %s', async ([, words, place]) => {
    const { run, requests, file } = await connected(accepted);
    file('a.md', '---\nsubject: Hi\n---\nHi *|FNAME|*,\n\n`%%code%%`\n');
    file('b.md', '---\npreviewText: Hi [[first_name]]\n---\nHello\n');
    file('r.json', { html: '<p>[FIRSTNAME]</p>' });
    const { exitCode, stderr } = await run(words);
    expect({ exitCode, requests: requests() }).toEqual({ exitCode: 2, requests: [] });
    expect(stderr).toBe(
      `Error: Nothing fills in this placeholder of another service:\n  ${place}\nHint: Nothing was sent. Placeholders of mailer are {{ name }}. To send the email as it is written, add --literal.\n`,
    );
    const preview = await run([...words, '--preview']);
    expect(preview.exitCode).toBe(2);
    expect(preview.stdout).toMatch(/^subject\tHi/m);
    expect(preview.stderr).toContain(stderr);
    expect((await run([...words, '--literal'])).exitCode).toBe(0);
  });

  test('leaves it to --check, if that is given', async () => {
    const { run, requests } = await connected(accepted);
    const outcome = await run([...to, '--subject', 'Hi *|FNAME|*', '--text', 'x', '--check']);
    expect({ exitCode: outcome.exitCode, requests: requests() }).toEqual({
      exitCode: 9,
      requests: [],
    });
    expect(outcome.stderr).toContain('"*|FNAME|*" is a placeholder of another service.');
  });

  test('stops all the same if .mailer.json silences the check, and is said once if it only looks like one', async () => {
    const { run, requests, file } = await connected(accepted);
    file('.mailer.json', { check: { ignore: ['foreign-tag'] } });
    const silenced = await run([...to, '--subject', 'Hi *|FNAME|*', '--text', 'x', '--check']);
    expect({ exitCode: silenced.exitCode, requests: requests() }).toEqual({
      exitCode: 2,
      requests: [],
    });
    file('.mailer.json', {});
    const likely = await run([...line, '--text', 'Dear [Name]', '--check']);
    expect(likely.exitCode).toBe(0);
    expect(likely.stderr.match(/\[Name\]/g)).toHaveLength(1);
  });

  test('sends what only looks like one, and warns', async () => {
    const { run, sent } = await connected(accepted);
    const outcome = await run([...line, '--text', 'Dear [Name],\nsee [[Notes]] and 5 %']);
    expect(outcome.exitCode).toBe(0);
    expect(outcome.stderr).toContain(
      'Warning: This looks like a placeholder of another service or program, and is sent as it is written:\n  --text, line 1: [Name]\n  --text, line 2: [[Notes]]\n',
    );
    expect(sent()).toMatchObject({ text: 'Dear [Name],\nsee [[Notes]] and 5 %' });
  });

  test('does not look at code, and says what is in values', async () => {
    const { run } = await connected(accepted, accepted);
    const noted = 'Accepted. Check its status: mailer email get em_1\n';
    const html = '<p>Write <code>*|FNAME|*</code></p>';
    expect(await run([...line, '--html', html])).toMatchObject({
      exitCode: 0,
      stderr: noted,
    });
    const value = [...line, '--text', 'Hi {{ name }}', '--var', 'name=*|FNAME|*'];
    const { exitCode, stderr } = await run(value);
    expect({ exitCode, stderr }).toMatchObject({
      exitCode: 0,
      stderr: expect.stringMatching(
        /^Warning: This looks like .*\n {2}--text, line 1: \*\|FNAME\|\*\n/,
      ),
    });
  });

  test.each([
    '',
    '<html><head><title>x</title></head><body>&nbsp;\n<br></body></html>',
    '<!-- x -->',
  ])('stops at HTML without anything to see: %j', async (html) => {
    const { run, requests, file } = await connected(accepted, accepted);
    const words = [...line, '--html-file', file('a.html', `<p>${html}</p>`)];
    const { exitCode, stderr } = await run(words);
    expect({ exitCode, requests: requests() }).toEqual({ exitCode: 2, requests: [] });
    expect(stderr).toBe(
      'Error: Readers would see nothing:\n  a.html: the HTML has neither text nor an image\nHint: Nothing was sent. To send the email as it is written, add --literal.\n',
    );
    expect((await run([...words, '--literal'])).exitCode).toBe(0);
    expect((await run([...words, '--attach', 'a.html'])).exitCode).toBe(0);
  });

  test.each([
    '<img src="https://example.com/a.png">',
    '<td background="https://example.com/a.png"></td>',
    '<div style="background-image: url(https://example.com/a.png)"></div>',
    '<p>&amp;</p>',
    '< 5',
  ])('sends HTML with something to see: %s', async (html) => {
    const { run } = await connected(accepted);
    expect((await run([...line, '--html', html])).exitCode).toBe(0);
  });

  test('stops at a stored template with a tag or with lost characters', async () => {
    const stored = {
      id: 'tmpl_1',
      name: 'Welcome',
      subject: 'Hi *|FNAME|*',
      html: '<p>Gr\ufffde</p>',
    };
    const words = [...to, '--template', 'tmpl_1'];
    const lost = await connected({ body: stored });
    expect((await lost.run(words)).stderr).toContain(
      'template Welcome, line 1: "Gr\ufffde" has U+FFFD',
    );
    expect(lost.requests()).toEqual(['GET /api/v1/templates/tmpl_1']);
    const tag = await connected({ body: { ...stored, html: '<p>x</p>' } });
    expect((await tag.run(words)).stderr).toContain('template Welcome, subject: *|FNAME|*');
    const literal = await connected(accepted);
    expect((await literal.run([...words, '--literal'])).exitCode).toBe(0);
  });
});

describe('email batch', () => {
  const batch = ['email', 'batch', 'a.csv', '--from', 'hello@example.com', '--sandbox', '--yes'];

  test('stops at a tag in a flag, a file and a row, and warns of what looks like one', async () => {
    const world = createWorld();
    fileIn(world, 'a.csv', 'to,subject\nana@example.org,Hi %recipient.name%\n');
    fileIn(world, 'a.html', '<p>Hi</p>\n<p>*|FNAME|*</p>\n');
    const inFile = await world.run([...batch, '--html-file', 'a.html']);
    expect(inFile).toMatchObject({ exitCode: 2, stdout: '' });
    expect(inFile.stderr).toContain('\n  a.html, line 2: *|FNAME|*\n');
    const inRow = await world.run([...batch, '--text', 'x']);
    expect(inRow.exitCode).toBe(2);
    expect(inRow.stderr).toContain(
      'row 1: nothing fills in this placeholder of another service: subject: %recipient.name%; to send it as it is: --literal',
    );
    fileIn(world, 'a.csv', 'to\nana@example.org\n');
    const likely = await world.run([...batch, '--subject', 'Hi [Name]', '--text', 'x']);
    expect(likely.exitCode).toBe(0);
    expect(likely.stderr).toContain('  --subject: [Name]\n');
  });

  test('stops at a row whose HTML shows nothing, and at a stored template with lost characters', async () => {
    const world = createWorld();
    fileIn(world, 'a.csv', 'to,body\nana@example.org,x\nben@example.org,\n');
    const words = [...batch, '--subject', 'Hi', '--html', '<p>{{ body | default: "" }}</p>'];
    const { exitCode, stderr } = await world.run(words);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(
      'row 2: readers would see nothing: html: the HTML has neither text nor an image; to send it as it is: --literal',
    );
    expect((await world.run([...words, '--literal'])).exitCode).toBe(0);
    const stored = { id: 'tmpl_1', name: 'Welcome', subject: 'Gr\ufffde', html: '<p>x</p>' };
    const all = await connected({ body: stored });
    all.file('a.csv', 'to\nana@example.org\n');
    const template = await all.run([
      ...batch.filter((word) => word !== '--sandbox'),
      '--template',
      'tmpl_1',
    ]);
    expect(template.exitCode).toBe(2);
    expect(template.stderr).toContain(
      'characters were lost here and replaced by others: template Welcome, subject: ',
    );
  });
});

describe('a text without anything to see stops', () => {
  const to = ['--to', 'ana@example.org', '--from', 'hello@example.com', '--sandbox'];
  const campaign = [
    '--name',
    'N',
    '--book',
    'book_customers',
    '--from',
    'hello@example.com',
    '--sandbox',
  ];

  test.each([
    [
      ['email', 'send', ...to, '--subject', ' ', '--text', 'x'],
      '--subject: the subject has only white',
    ],
    [
      ['email', 'send', ...to, '--subject', 'Hi', '--text', ' \u200b'],
      '--text: the text has only white',
    ],
    [
      [
        'campaign',
        'create',
        ...campaign,
        '--subject',
        ' ',
        '--html',
        '{{usesend_unsubscribe_url}}',
      ],
      '--subject: the subject has only white space',
    ],
  ])('%j', async (words, said) => {
    const world = createWorld();
    const { exitCode, stdout, stderr } = await world.run(words);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain(said);
    expect((await world.run([...words, '--literal'])).exitCode).toBe(0);
  });

  test('in a row of a batch', async () => {
    const world = createWorld();
    fileIn(world, 'a.jsonl', '{"to":"a@example.org","subject":" ","text":"x"}\n');
    const words = 'email batch a.jsonl --from hello@example.com --sandbox --yes';
    expect((await world.run(words)).stderr).toContain(
      'row 1: readers would see no subject: subject: the subject has only white space',
    );
    fileIn(world, 'a.jsonl', '{"to":"a@example.org","subject":"Hi","text":"\\n"}\n');
    expect((await world.run(words)).stderr).toContain(
      'row 1: readers would see nothing: text: the text has only white space',
    );
  });
});

test('a campaign with such a tag has a warning as a draft, and does not start', async () => {
  const world = createWorld();
  fileIn(world, 'a.md', 'Hi *|FNAME|*, [Name]\n\n[Leave]({{usesend_unsubscribe_url}})\n');
  const flags = ['--from', 'news@example.com', '--subject', 'Hi', '--book', 'book_customers'];
  const words = [
    'campaign',
    'create',
    '--name',
    'News',
    ...flags,
    '--markdown-file',
    'a.md',
    '--sandbox',
  ];
  const starts = await world.run([...words, '--now', '--yes']);
  expect(starts.exitCode).toBe(2);
  expect(starts.stderr).toContain('a.md, line 1: *|FNAME|*');
  const draft = await world.run(words);
  expect(draft.exitCode).toBe(0);
  expect(draft.stderr).toContain(
    'Warning: Nothing fills in this placeholder of another service:\n  a.md, line 1: *|FNAME|*',
  );
  expect(draft.stderr).toContain(
    'This looks like a placeholder of another service or program, and is sent as it is written:\n  a.md, line 1: [Name]',
  );
});
