import { expect, test } from 'vitest';
import { linksIn } from '../../../src/sandbox/arrivals/links.ts';
import { readableLines } from '../../../src/sandbox/arrivals/readable-lines.ts';

/** The links of a message, `!` before those to unsubscribe. */
function links({ html = '', text = '' }: { html?: string; text?: string }): string[] {
  const { links, unlinked } = readableLines(html);
  return linksIn(links, [unlinked, text]).map(({ url, unsubscribes }) =>
    unsubscribes ? `!${url}` : url,
  );
}

test('URLs in plain text end where the sentence around them ends', () => {
  const text = `Open https://a.test/1?x=1&y=2. Or <https://a.test/2>, [b](https://a.test/3), “https://a.test/4”,
    (see https://a.test/wiki/Mail_(post)), https://a.test/5… or http://localhost:3000/6?t=eyJ.a-b_c
    以及https://a.test/7。谢谢`;
  expect(links({ text })).toEqual([
    'https://a.test/1?x=1&y=2',
    'https://a.test/2',
    'https://a.test/3',
    'https://a.test/4',
    'https://a.test/wiki/Mail_(post)',
    'https://a.test/5',
    'http://localhost:3000/6?t=eyJ.a-b_c',
    'https://a.test/7',
  ]);
});

test('HTML has the links of its elements, then URLs that are only written', () => {
  const html = `<a href="https://t.test/1?a=1&amp;b=2">https://shown.test/confirm</a>
    <p>Or copy this: https://a.test/confirm?a=1&amp;b=2</p><a href="https://a.test/">Home</a>`;
  expect(links({ html, text: 'https://a.test/ https://a.test/only-in-text' })).toEqual([
    'https://t.test/1?a=1&b=2',
    'https://a.test/',
    'https://a.test/confirm?a=1&b=2',
    'https://a.test/only-in-text',
  ]);
});

test('links that lead nowhere from a message are none', () => {
  const urls = [
    '#top',
    '',
    '/confirm',
    '-o',
    'mailto:ana@example.org',
    'javascript:go()',
    'app:confirm',
  ];
  expect(links({ html: urls.map((url) => `<a href="${url}">x</a>`).join('') })).toEqual([
    'app:confirm',
  ]);
});

test('the text of an image is that of its link', () => {
  const html = '<a href="https://a.test/c"><img src="b.png" alt="Confirm"></a>';
  expect(linksIn(readableLines(html).links, [])).toMatchObject([{ text: 'Confirm' }]);
});

test('links to unsubscribe are known by their words in several languages, also before a URL', () => {
  const words = ['Opt out', 'Abmelden', 'Se désinscrire', 'Darse de baja', 'Uitschrijven'];
  const html = words.map((word, at) => `<a href="https://a.test/${at}">${word}</a>`).join('');
  expect(links({ html })).toEqual(words.map((_, at) => `!https://a.test/${at}`));
  const text =
    'You can unsubscribe later. Confirm: https://a.test/c\nTo unsubscribe, open\nhttps://a.test/u';
  expect(links({ text })).toEqual(['https://a.test/c', '!https://a.test/u']);
});
