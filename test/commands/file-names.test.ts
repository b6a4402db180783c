import { describe, expect, test } from 'vitest';
import { connected } from '../support/connected.ts';

const accepted = { body: { emailId: 'em_1' } };
const send = ['email', 'send', '--to', 'a@b.example', '--from', 'c@d.example', '--subject', 'Hi'];
const create = [
  ...['campaign', 'create', '--name', 'N', '--from', 'c@d.example', '--subject', 'Hi'],
  ...['--book', 'book_1'],
];

/** A machine with these files. */
async function withFiles() {
  const all = await connected(accepted);
  for (const name of [
    'page.html',
    'notes.txt',
    'news.md',
    'a.mjml',
    'a.tsx',
    'mails/hi',
    'plain',
  ]) {
    all.file(name, '# Text');
  }
  all.file('p.csv', 'to\na@b.example\n');
  return all;
}

describe('the path of a file as the text itself is an error that names the right flag', () => {
  test.for<[string, readonly string[], string]>([
    ['--html page.html', [...send, '--html', 'page.html'], '--html-file page.html'],
    ['--html @page.html', [...send, '--html', '@page.html'], '--html-file page.html'],
    ['--text notes.txt', [...send, '--text', 'notes.txt'], '--text-file notes.txt'],
    ['--text with a folder', [...send, '--text', './mails/hi'], '--text-file ./mails/hi'],
    ['--text news.md', [...send, '--text', 'news.md'], '--markdown-file news.md'],
    ['--text page.html', [...send, '--text', 'page.html'], '--html-file page.html'],
    ['--html a.mjml', [...send, '--html', 'a.mjml'], '--mjml-file a.mjml'],
    ['--file news.md', [...send, '--file', 'news.md'], '--markdown-file news.md'],
    ['--file page.html', [...create, '--file', 'page.html'], '--html-file page.html'],
    ['create --html news.md', [...create, '--html', 'news.md'], '--markdown-file news.md'],
    ['batch --html', ['email', 'batch', 'p.csv', '--html', 'page.html'], '--html-file page.html'],
    ['check --html', ['email', 'check', '--html', 'page.html'], '--html-file page.html'],
    ['--markdown', [...send, '--markdown', 'news.md'], 'Did you mean --markdown-file?'],
    ['create --markdown', [...create, '--markdown', 'news.md'], 'Did you mean --markdown-file?'],
    ['a file that is not there', [...send, '--html', 'gone.html'], '--html-file gone.html'],
    ['--mjml', [...send, '--mjml', 'a.mjml'], 'Did you mean --mjml-file?'],
  ])('%s', async ([, words, flag]) => {
    const { run, requests } = await withFiles();
    const { exitCode, stdout, stderr } = await run(words);
    expect({ exitCode, stdout, requests: requests() }).toEqual({
      ...{ exitCode: 2, stdout: '', requests: [] },
    });
    expect(stderr).toContain(flag);
  });

  test('--literal sends the text', async () => {
    const { run, sent } = await withFiles();
    expect((await run([...send, '--text', 'notes.txt', '--literal'])).exitCode).toBe(0);
    expect(sent()).toMatchObject({ text: 'notes.txt' });
  });

  test.each(['plain', 'see none.txt', 'mails', 'See notes.txt', 'mails/', '/'])(
    'a text that names no file, or one without an ending or a folder, is a text: %s',
    async (text) => {
      const { run, sent } = await withFiles();
      expect((await run([...send, '--text', text])).exitCode).toBe(0);
      expect(sent()).toMatchObject({ text });
    },
  );
});
