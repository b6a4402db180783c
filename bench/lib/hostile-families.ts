import { parseSpf } from '../../src/lib/domains/mail-authentication/spf-record.ts';
import { readFrontMatter } from '../../src/lib/mail/content/front-matter.ts';
import { inlineCss } from '../../src/lib/mail/content/inline-css.ts';
import { htmlOfMarkdown } from '../../src/lib/mail/content/markdown.ts';
import { compileTemplates } from '../../src/lib/mail/content/template.ts';
import { textOfHtml } from '../../src/lib/mail/content/text-of-html.ts';
import { codesIn } from '../../src/sandbox/arrivals/codes.ts';
import { linksIn } from '../../src/sandbox/arrivals/links.ts';
import { checkEmail } from '../../src/shared/check/check-email.ts';
import { readMime } from '../../src/shared/mime/read-mime.ts';

/** A text by what is repeated in it, or that with what stands before and after. */
type Family = string | readonly [before: string, repeated: string, after?: string];

/** A reader, and texts meant to take it long. */
export interface HostileReader {
  /** Characters of the smaller text. */
  readonly size: number;
  readonly read: (text: string) => unknown;
  readonly families: readonly Family[];
}

/** The text of a family, of about this many characters. */
export function textOf(family: Family, size: number): string {
  const [before, repeated, after = ''] = typeof family === 'string' ? ['', family] : family;
  return before + repeated.repeat(Math.ceil(size / repeated.length)) + after;
}

const css = (text: string) => `<style>${text}</style><p class="a" id="b">x</p>`;

export const hostileReaders: Readonly<Record<string, HostileReader>> = {
  Markdown: {
    size: 20_000,
    read: htmlOfMarkdown,
    families: [
      ...['*a_', '**a **b ', '~~a ~b ', '[', '![', '[a](', '[a][b] ', '[a]: /u\n', '`a ', '<a '],
      ...[
        '<!--',
        'www.a.b ',
        '\\',
        '&a;',
        '|a|b|\n',
        '- a\n',
        '> a\n\n',
        '# a\n',
        'a\n---\n',
        '    a\n',
      ],
      ...([
        ['- a\n', 'b\n'],
        ['', 'a.', '@'],
        ['[a](', '('],
        ['a', ' ', 'b'],
      ] as const),
    ],
  },
  HTML: {
    size: 50_000,
    read: (text) => [textOfHtml(text), checkEmail({ kind: 'email', html: text })],
    families: [
      ...[
        '<div>',
        '<b></i>',
        '</p>',
        '<p>',
        '<ul><li>',
        '<table><tr><td>',
        '<a ',
        '<!--',
        '<a href="',
        "<a b='",
      ],
      ...[
        '<a href=x>',
        '<img src=x>',
        '&amp;',
        '&#',
        '<style>',
        '<Name>',
        '<sup>9',
        '{{ a ',
        '<![CDATA[',
        '<?',
      ],
      ...([
        ['<p ', 'a=1 '],
        ['<p style="', 'a:b;'],
        ['<pre>', '\u00a0'],
        ['<ol>', '<li value=9>'],
      ] as const),
    ],
  },
  CSS: {
    size: 20_000,
    read: (text) => [
      inlineCss(css(text)),
      textOfHtml(css(text)),
      checkEmail({ kind: 'email', html: css(text) }),
    ],
    families: [
      ...[
        'a{b:c}',
        '.a{color:red}',
        'a,',
        'a>',
        'a ',
        '/*',
        '/* a */',
        '*/',
        '{',
        '}',
        '@media{',
        '@import "a";',
      ],
      ...['a{b:url(', '"', "'", '\\', ':not(', '[a=b]', '#b.a', '--a:b;', 'a{--b:c}', '!important'],
      ...([
        ['a{', 'b:c;', '}'],
        ['a{b:', '('],
        ['a{', '-', '}var('],
      ] as const),
    ],
  },
  Liquid: {
    size: 20_000,
    read: (source) =>
      compileTemplates({ text: { flag: '--text', source } })({
        scope: () => ({ a: 'b' }),
        fields: {},
        columns: ['a'],
      }),
    families: [
      ...[
        '{{',
        '{%',
        '}}',
        '{{ a }}',
        '{{ a | upcase }}',
        '{{ "a" }}',
        "{{ '",
        '{% if a %}',
        '{% raw %}',
        '{% comment %}',
      ],
      ...[
        '{% assign b = a %}',
        '{% for b in a %}',
        '{% endif %}',
        '{',
        '%}',
        '{{ a or b }}',
        '{{-',
        '-%}',
        '{#',
        'a ',
      ],
      ...([
        ['{{ a ', '| upcase '],
        ['{{ a', '.a'],
        ['{{ "', 'a'],
        ['{% if a', ' or a'],
      ] as const),
    ],
  },
  'front matter': {
    size: 20_000,
    read: (text) => readFrontMatter('a.md', text, ['subject', 'from']),
    families: [
      ...['---\n', '--- ', '+++\n', '-', 'subject: a\n', ': ', '\n', ' \n'],
      ...['a: b\n', '- ', '[', '{', '"', "'", '&a ', '*a ', '!a ', '#', '\t', '| ', '? '].map(
        (repeated) => ['---\n', repeated, '\n---\nx'] as const,
      ),
    ],
  },
  MIME: {
    size: 50_000,
    read: (text) => readMime(Buffer.from(text)),
    families: [
      ...[
        'a: b\n',
        'a:',
        ' ',
        '\n',
        '\r',
        '=?utf-8?q?a?= ',
        'To: <a@b.example>,',
        'Content-Type: text/html\n',
      ],
      ...[
        '--b\n',
        '--b\n\n',
        '--b--\n',
        '--',
        '--b\nContent-Type: text/plain; name=a\n\na\n',
        '--b\nContent-Type: message/rfc822\n\n',
        'a=\n',
        '=C3',
      ].map((repeated) => ['Content-Type: multipart/mixed; boundary=b\n\n', repeated] as const),
      ...([
        ['To: ', '"'],
        ['To: ', '('],
        ['To: ', 'a@b.example, '],
        ['Content-Type: a; ', 'b="c"; '],
        ['Content-Type: text/plain; format=flowed\n\n', '> a \n'],
      ] as const),
    ],
  },
  'codes and links': {
    size: 50_000,
    read: (text) => [codesIn(text.split('\n')), linksIn([], [text])],
    families: [
      ...[
        '1234 ',
        '12345678\n',
        'code ',
        'Code: 1234\n',
        'A1B2C3-',
        '1 2 3 ',
        '1\n',
        'code is ',
        'a@',
        'a.a@b ',
      ],
      ...[
        'https://',
        'https://a.example/ ',
        'a://b(',
        ')',
        'www.',
        '2026 ',
        'PIN ',
        '- ',
        '漢1234',
        'é',
      ],
      ...([
        ['https://a.example/', '.'],
        ['code ', ' ', '1234'],
        ['', 'unsubscribe'],
      ] as const),
    ],
  },
  SPF: {
    size: 50_000,
    read: parseSpf,
    families: [
      ...[
        'a ',
        'mx ',
        'ip4:192.0.2.1 ',
        'ip6:: ',
        'ip4:',
        'include:a.example ',
        'redirect=a ',
        'exp=',
        '%{',
        '%{i}',
      ],
      ...['exists:%{d} ', '-all ', '+', '~', '/', '.', ':', '=', '%', ' '],
    ].map((repeated) => ['v=spf1 ', repeated] as const),
  },
};
