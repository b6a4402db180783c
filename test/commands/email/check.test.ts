import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkEmail } from '../../../src/shared/check/check-email.ts';
import { codes } from '../../../src/shared/check/table.ts';
import { createWorld } from '../../support/run.ts';
import { read } from '../../support/sources.ts';

const page = '<meta name="color-scheme" content="light">\n<p><img src="https://a.example/a.png">';

function worldWith(files: Readonly<Record<string, string>>) {
  const world = createWorld();
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(world.home, name), content);
  }
  return world;
}

test('piped: a row for each finding; a warning is no failure', async () => {
  const { run } = worldWith({ 'a.html': page });
  expect(await run('email check a.html')).toEqual({
    exitCode: 0,
    stdout: [
      'severity\twhere\tline\tcolumn\tcount\tcode\tmessage\turl',
      'warning\thtml\t2\t4\t1\timage-alt\tThe image has no alt text; for a decorative image, write alt="".\tdocs/check.md#image-alt',
      '',
    ].join('\n'),
    stderr: '1 warning.\n',
  });
});

test('on a terminal: a line with the place in the file, as compilers write them', async () => {
  const { run } = worldWith({ 'a.html': `${page}${page}` });
  const { stdout, exitCode } = await run('email check a.html --no-color', { terminal: 80 });
  expect(stdout).toBe(
    'a.html:2:4: warning: The image has no alt text; for a decorative image, write alt="". (2 places) [image-alt]\n',
  );
  expect(exitCode).toBe(0);
});

test('nothing found', async () => {
  const { run } = worldWith({ 'a.txt': 'Hello' });
  const { stdout, stderr, exitCode } = await run('email check a.txt');
  expect({ stdout, stderr, exitCode }).toEqual({
    exitCode: 0,
    stderr: 'The check found nothing.\n',
    stdout: expect.stringMatching(/^$|^severity/),
  });
});

test('--json: the findings and a summary, beside the error', async () => {
  const { run } = createWorld();
  const { stdout, stderr, exitCode } = await run(['email', 'check', '--text', '{{ x }}', '--json']);
  expect(exitCode).toBe(9);
  expect(JSON.parse(stdout)).toMatchObject({
    file: null,
    kind: 'email',
    ok: false,
    summary: { error: 2, warning: 0, info: 0 },
    findings: [
      { code: 'subject-missing', severity: 'error', where: 'subject', count: 1 },
      { code: 'placeholder', severity: 'error', where: 'text', line: 1, column: 1, count: 1 },
    ],
  });
  expect(JSON.parse(stderr)).toEqual({
    error: { code: 'wait_failed', message: 'The check found 2 errors.' },
  });
});

test('--quiet: the codes', async () => {
  const { run } = worldWith({ 'a.html': page });
  expect((await run('email check a.html -q')).stdout).toBe('image-alt\n');
});

describe('--fail-on', () => {
  test.each([
    ['warning', 9],
    ['info', 9],
    ['ERROR', 0],
    ['never', 0],
  ])('%s: %i', async (word, exitCode) => {
    const { run } = worldWith({ 'a.html': page });
    expect((await run(`email check a.html --fail-on ${word}`)).exitCode).toBe(exitCode);
  });

  test('never, with an error', async () => {
    const { run } = worldWith({ 'a.html': '{{ x }}' });
    expect((await run('email check a.html --fail-on never')).exitCode).toBe(0);
    expect((await run('email check a.html')).exitCode).toBe(9);
  });

  test('another word is a usage error', async () => {
    const { run } = worldWith({ 'a.html': page });
    const { stderr, exitCode } = await run('email check a.html --fail-on bad');
    expect(exitCode).toBe(2);
    expect(stderr).toContain('--fail-on: "bad" is not one of ');
  });
});

describe('findings are left out', () => {
  const css = '<meta name="color-scheme"><p style="display:flex;gap:1px">x';

  test.each([
    ['--ignore image-alt', page],
    ['--ignore contrast,image-alt', page],
    ['--ignore contrast --ignore image-alt', page],
    ['--ignore support', css],
  ])('%s', async (flags, html) => {
    const { run } = worldWith({ 'a.html': html });
    expect((await run('email check a.html')).stdout).not.toBe('');
    const { stdout } = await run(`email check a.html -q ${flags}`);
    expect(stdout).toBe('');
  });

  test('one of support', async () => {
    const { run } = worldWith({ 'a.html': css });
    const { stdout } = await run('email check a.html -q --ignore support/css-gap');
    expect(stdout).toContain('support/css-display-flex\n');
    expect(stdout).not.toContain('gap');
  });

  test('by .mailer.json', async () => {
    const ignore = { check: { ignore: ['image-alt'] } };
    const { run } = worldWith({ 'a.html': page, '.mailer.json': JSON.stringify(ignore) });
    expect((await run('email check a.html -q')).stdout).toBe('');
  });

  test('errors among them are counted on stderr, also before a send', async () => {
    const ignore = { check: { ignore: ['active-content'] } };
    const script = `${page}<script>1</script>`;
    const world = worldWith({ 'a.html': script, '.mailer.json': JSON.stringify(ignore) });
    const note = `1 error is ignored by ${join(world.home, '.mailer.json')}.\n`;
    expect((await world.run('email check a.html')).stderr).toContain(note);
    expect((await world.run('email check a.html --ignore active-content')).stderr).toContain(
      '1 error is ignored by --ignore.\n',
    );
    const sent = await world.run(
      'email send --sandbox --to ana@example.org --from hello@example.com --subject Hi --html-file a.html --check',
    );
    expect(sent).toMatchObject({ exitCode: 0, stderr: expect.stringContaining(note) });
  });

  test('a code that there is not: an error of the flag, a warning of the file', async () => {
    const ignore = { check: { ignore: ['imag-alt'] } };
    const { run } = worldWith({ 'a.html': page, '.mailer.json': JSON.stringify(ignore) });
    const wrong = await run('email check a.html --ignore imge-alt');
    expect(wrong.exitCode).toBe(2);
    expect(wrong.stderr).toContain('no finding has the code "imge-alt"');
    expect(wrong.stderr).toContain('Did you mean image-alt?');
    const warned = await run('email check a.html');
    expect(warned.stderr).toContain('Warning: .mailer.json: no finding has the code imag-alt');
    expect(warned.stdout).toContain('image-alt');
  });
});

describe('what is checked', () => {
  const codesOf = async (line: readonly string[], files = {}, stdin?: string) => {
    const { run } = worldWith(files);
    const options = stdin === undefined ? {} : { stdin };
    const { stdout, stderr } = await run(['email', 'check', ...line, '-q'], options);
    return stderr.startsWith('Error: The check found') ? stdout : `${stdout}${stderr}`;
  };

  test('stdin, with its type', async () => {
    expect(await codesOf(['-', '--type', 'html'], {}, page)).toContain('image-alt\n');
    expect(await codesOf(['-'], {}, page)).toContain('--type is needed for stdin');
  });

  test('a file whose name has no known extension', async () => {
    expect(await codesOf(['page'], { page })).toContain(
      'Give --type: html, text, markdown, mjml, react, eml, json',
    );
    expect(await codesOf(['page', '--type', 'HTML'], { page })).toContain('image-alt\n');
    expect(await codesOf(['page', '--type', 'pdf'], { page })).toContain('"pdf" is not one of');
  });

  test('a request as JSON, of an email and of a campaign', async () => {
    const email = { to: 'a@b.example', subject: 'Hi', html: '{{ firstName }}' };
    expect(await codesOf(['a.json'], { 'a.json': JSON.stringify(email) })).toContain('placeholder');
    const campaign = { contactBookId: 'b', name: 'n', subject: 'Hi', html: '{{ firstName }}' };
    const found = await codesOf(['a.json'], { 'a.json': JSON.stringify(campaign) });
    expect(found).toContain('unsubscribe-link\n');
    expect(found).not.toContain('placeholder');
  });

  test('the flags of a send: headers and attachments, too', async () => {
    const line = ['--subject', 'Hi', '--text', 'x', '--attach', 'a.exe', '--header', 'Date: x'];
    expect(await codesOf(line, { 'a.exe': 'x' })).toBe('header-ignored\nattachment-type\n');
  });

  test('a message', async () => {
    const eml =
      'From: a@b.example\nTo: c@d.example\nSubject: Hi\nContent-Type: text/html\n\n{{ x }}\n';
    expect(await codesOf(['a.eml'], { 'a.eml': eml })).toContain('placeholder\n');
    expect(await codesOf(['-', '--type', 'eml'], {}, eml)).toContain('placeholder\n');
  });

  test('a file of HTML is a part of an email, until there is a subject', async () => {
    expect(await codesOf(['a.html'], { 'a.html': page })).toBe('image-alt\n');
    const whole = await codesOf(['a.html', '--subject', 'Hi'], { 'a.html': page });
    expect(whole).toBe('image-alt\ntext-missing\n');
  });

  test('Markdown in the plain layout has no warnings', async () => {
    const { run } = worldWith({
      'a.md': '---\nsubject: Hi\n---\n# Hello\n\n- [x](https://a.example)\n',
    });
    const { exitCode, stdout } = await run('email check a.md --fail-on warning -q');
    expect(exitCode).toBe(0);
    expect(stdout).toBe('');
    expect(await codesOf(['a.md'], { 'a.md': '---\nsubject: Hi\n---\n{{ x }}' })).toContain(
      'placeholder',
    );
  });

  test('a template counts as subject and HTML', async () => {
    expect(await codesOf(['--template', 'tmpl_welcome', '--text', 'x'])).toBe('');
  });

  test('--campaign', async () => {
    const found = await codesOf(['a.html', '--campaign'], { 'a.html': 'Hi {{ firstName }}' });
    expect(found).toContain('unsubscribe-link\n');
    expect(found).not.toContain('placeholder');
  });

  test.each(['a.html', 'a.html b.html'])(
    '%s: a link that campaigns fill in names --campaign',
    async (files) => {
      const html = `${page}<a href="{{ usesend_unsubscribe_url }}">Unsubscribe</a>`;
      const { run } = worldWith({ 'a.html': html, 'b.html': html });
      const email = await run(`email check ${files}`);
      expect(email).toMatchObject({ exitCode: 9 });
      expect(email.stderr).toContain('Hint: If this is for a campaign: --campaign\n');
      expect((await run(`email check ${files} --campaign`)).exitCode).toBe(0);
    },
  );

  test('nothing is a usage error, and so is a file twice', async () => {
    expect(await codesOf([])).toContain('There is nothing to check');
    expect(await codesOf(['a.html', '--html-file', 'a.html'], { 'a.html': page })).toContain(
      '--html-file and a file cannot be used together',
    );
    expect(await codesOf(['none.html'])).toContain('There is no file none.html');
  });
});

test('control characters of the email are visible', async () => {
  const { run } = worldWith({ 'a.html': '<a href="\u001b[31m\u202ex">x</a>' });
  for (const options of [{}, { terminal: 80 }]) {
    const { stdout } = await run('email check a.html --no-color', options);
    expect(stdout).toContain('link-syntax');
    expect(stdout).not.toContain('\u001b');
    expect(stdout).not.toContain('\u202e');
  }
});

test('the page has a part for every code, to which the findings lead', () => {
  const headings = [...read('docs/check.md').matchAll(/^### (.+)$/gm)].map(([, title]) => title);
  expect(headings).toEqual(Object.keys(codes).sort());
  const [finding] = checkEmail({ kind: 'email', text: 'x' });
  expect(finding?.url).toBe('docs/check.md#subject-missing');
});
