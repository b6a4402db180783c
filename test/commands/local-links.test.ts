import { describe, expect, test } from 'vitest';
import { connected, errorOf, fileIn } from '../support/connected.ts';
import { createWorld } from '../support/run.ts';

const line = 'email send --from ana@example.com --to ben@example.org --subject Hi --dry-run --json';

/** The value of a placeholder in HTML. */
function varsOf(html: string): string {
  return html.includes('{{') ? ' --var id=1' : '';
}

/** A service that is not on this machine. */
const live = {
  MAILER_API_KEY: 'us_key_1234567890',
  MAILER_BASE_URL: 'https://mail.example.com/api',
};

describe('with a service elsewhere', () => {
  test.each([
    ['<p>\n<a href="http://localhost:3000/pay">Pay</a>', 2, '"http://localhost:3000/pay"'],
    ['<a href="http://127.0.0.1/">x</a>', 1, '"http://127.0.0.1/"'],
    ['<a href="http://localhost/{{id}}">x</a>', 1, '"http://localhost/1"'],
    ['<a href="https://192.168.0.5/a">x</a>', 1, '"https://192.168.0.5/a"'],
    ['<a href="https://nas.local/a">x</a>', 1, '"https://nas.local/a"'],
    ['<a href="file:///home/ana/a.pdf">x</a>', 1, '"file:///home/ana/a.pdf"'],
    ['<a href="localhost:3000/a">x</a>', 1, '"localhost:3000/a"'],
    ['<a href="/pricing">x</a>', 1, '"/pricing"'],
    ['<a href="page.md">x</a>', 1, '"page.md"'],
    ['<a href="www.example.com">x</a>', 1, '"www.example.com"'],
    ['<map><area href="/pricing"></map>x', 1, '"/pricing"'],
    ['<a href="C:\\x\\y.html">x</a>', 1, '"C:\\\\x\\\\y.html"'],
    ['<a href="https://example..com/">x</a>', 1, '"https://example..com/"'],
    ['<a href="cid:x">x</a>', 1, '"cid:x"'],
  ])('%s stops', async (html, at, url) => {
    const world = createWorld(live);
    fileIn(world, 'page.html', html);
    const outcome = await world.run(`${line} --html-file page.html --literal`);
    expect(outcome.exitCode).toBe(0);
    const refused = await world.run(`${line} --html-file page.html${varsOf(html)}`);
    expect(refused.exitCode).toBe(2);
    const { message, hint } = errorOf(refused);
    expect(message).toContain(`Recipients cannot open this link:\n  page.html, line ${at}: ${url}`);
    expect(hint).toContain('--literal');
  });

  test.each([
    '<a href="https://example.com/pricing">x</a>',
    '<a href="#x">x</a><a href="">y</a><a name="x">z</a>',
    '<a href="mailto:a@example.com">x</a><a href="tel:+123">y</a><a href="myapp://open">z</a>',
    '<base href="https://example.com/"><a href="/pricing">x</a>',
    '<link href="style.css"><a href="https://example.com/{{ id }}">x</a>',
  ])('%s is sent', async (html) => {
    const world = createWorld(live);
    fileIn(world, 'page.html', html);
    const outcome = await world.run(`${line} --html-file page.html${varsOf(html)}`);
    expect(outcome).toMatchObject({ exitCode: 0 });
  });

  test.each([
    '[x](/pricing)',
    '[x](page.md)',
    '[x](http://localhost/a)',
    '[x][1]\n\n[1]: /pricing',
  ])('Markdown %s stops', async (text) => {
    const world = createWorld(live);
    fileIn(world, 'news.md', `\n${text}\n`);
    const outcome = await world.run(`${line} --markdown-file news.md`);
    expect(outcome.exitCode).toBe(2);
    expect(errorOf(outcome).message).toMatch(
      /^Recipients cannot open this link:\n {2}news\.md, line /,
    );
  });

  test('links of values stop, for one email and in a batch', async () => {
    const world = createWorld(live);
    fileIn(world, 'page.html', '<a href="{{ url }}">x</a>');
    fileIn(world, 'news.md', '[x]({{ url }})');
    fileIn(world, 'rows.csv', 'to,url\na@example.org,https://example.com/a\nb@example.org,/b\n');
    for (const body of ['--html-file page.html', '--markdown-file news.md']) {
      const one = await world.run(`${line} ${body} --var url=/b`);
      expect(one.exitCode).toBe(2);
      expect(errorOf(one).message).toContain('"/b" is not a complete URL');
      const batch = `email batch rows.csv --from a@example.com --subject Hi ${body} --dry-run --json`;
      const rows = await world.run(batch);
      expect(rows.exitCode).toBe(2);
      expect(errorOf(rows).message).toMatch(/row 2: recipients cannot open this link: .*"\/b"/);
      expect((await world.run(`${batch} --literal`)).exitCode).toBe(0);
    }
  });

  test.each([
    'campaign create --name a --book book_1 --from ana@example.com --subject Hi --html-file page.html --dry-run',
    'campaign create --name a --book book_1 --from ana@example.com --subject Hi --content-file content.json --dry-run',
    'email batch rows.csv --from ana@example.com --subject Hi --html-file page.html --dry-run',
    'email batch own.json --dry-run',
    'template create --name a --subject b --html-file page.html --dry-run',
  ])('%s: stops, too', async (words) => {
    const world = createWorld(live);
    const html = '<a href="http://localhost/a">x</a><a href="{{usesend_unsubscribe_url}}">y</a>';
    fileIn(
      world,
      'page.html',
      html.replace(/<a href="\{.*/, words.startsWith('campaign') ? '$&' : ''),
    );
    fileIn(world, 'content.json', {
      type: 'doc',
      content: [
        {
          type: 'paragraph',
          content: [
            {
              type: 'text',
              text: 'x',
              marks: [{ type: 'link', attrs: { href: 'http://localhost/a' } }],
            },
          ],
        },
      ],
    });
    fileIn(world, 'rows.csv', 'to\nben@example.org\n');
    const row = { to: 'b@example.org', from: 'a@example.com', subject: 'Hi' };
    fileIn(world, 'own.json', [{ ...row, html: '<a href="http://localhost/a">x</a>' }]);
    const outcome = await world.run(`${words} --json`);
    expect(outcome.exitCode).toBe(2);
    expect(errorOf(outcome).message).toMatch(/ecipients cannot open .*"http:\/\/localhost\/a"/s);
  });

  test('in a text, they are said', async () => {
    const world = createWorld(live);
    const words =
      'email send --from a@example.com --to b@example.org --subject Hi --dry-run --text';
    const outcome = await world.run([...words.split(' '), 'Look: http://localhost:3000/a.']);
    expect(outcome.exitCode).toBe(0);
    expect(outcome.stderr).toContain(
      '--text, line 1: "http://localhost:3000/a" is in your own network',
    );
  });
});

describe('with a service on this machine', () => {
  test('links to this machine are said', async () => {
    const { run, sent, file } = await connected({ body: { emailId: 'email_1' } });
    file('page.html', '<a href="http://localhost:3000/pay">Pay</a>');
    const words = 'email send --from a@example.com --to b@example.org --subject Hi';
    const outcome = await run(`${words} --html-file page.html`);
    expect(outcome.exitCode).toBe(0);
    expect(outcome.stderr).toContain('Recipients cannot open this link:');
    expect(sent().html).toContain('localhost');
  });

  test('so are those of rows, once', async () => {
    const world = createWorld();
    fileIn(world, 'page.html', '<a href="{{ url }}">x</a>');
    fileIn(
      world,
      'rows.csv',
      'to,url\na@example.org,http://localhost/1\nb@example.org,http://localhost/2\n',
    );
    const words =
      'email batch rows.csv --from hello@example.com --subject Hi --html-file page.html --sandbox --yes';
    const outcome = await world.run(words);
    expect(outcome.exitCode).toBe(0);
    expect(outcome.stderr.match(/Recipients cannot open/g)).toHaveLength(1);
  });

  test('other links that lead nowhere stop', async () => {
    const world = createWorld();
    fileIn(world, 'page.html', '<a href="/pricing">x</a>');
    const outcome = await world.run(`${line} --html-file page.html --sandbox`);
    expect(outcome.exitCode).toBe(2);
  });
});

test('a stored campaign with such a link does not start', async () => {
  const campaign = {
    ...{ id: 'campaign_1', name: 'News', from: 'a@example.com', subject: 'Hi', status: 'DRAFT' },
    ...{ contactBookId: 'book_1', html: '<a href="/pricing">x</a>' },
  };
  const { run, requests } = await connected({ body: campaign }, { body: campaign });
  const outcome = await run('campaign schedule campaign_1 --scheduled-at 2h --yes --json');
  expect(outcome.exitCode).toBe(2);
  expect(errorOf(outcome).message).toContain('HTML, line 1: "/pricing" is not a complete URL');
  expect(requests().filter((one) => one.startsWith('POST'))).toEqual([]);
});
