import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { asHtml } from '../../../../src/lib/mail/content/as-html.ts';
import { accept, emailsIn } from '../../../support/batch-service.ts';
import { connected, connectedWithoutTemplates, errorOf } from '../../../support/connected.ts';

const common = ['--from', 'hello@example.com', '--subject', 'Hi {{ name }}', '--text', 'Hello'];

/** The emails sent for this input, with the common flags or these. */
async function sentOf(
  input: string | Uint8Array,
  flags: readonly string[] = common,
): Promise<Record<string, unknown>[]> {
  const { run, service } = await connectedWithoutTemplates(accept);
  const { exitCode, stderr } = await run(['email', 'batch', '-', '--yes', ...flags], {
    stdin: input,
  });
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  return service.requests.flatMap((request) => emailsIn(request));
}

/** The error for a wrong input, the same from a file and from stdin. Nothing may be sent. */
async function refused(
  input: string | Uint8Array,
  flags: readonly string[] = common,
): Promise<string> {
  const { run, service, file } = await connected();
  const words = ['email', 'batch', file('in.file', input), '--yes', '--json', ...flags];
  const outcome = await run(words);
  expect(outcome.exitCode).toBe(2);
  expect(service.requests).toEqual([]);
  const { message } = errorOf(outcome);
  const fromStdin = await run(words.with(2, '-'), { stdin: input });
  expect(errorOf(fromStdin).message).toBe(message.replaceAll('in.file', 'stdin'));
  expect(service.requests).toEqual([]);
  return message;
}

const ana = { to: 'ana@example.org', from: 'hello@example.com', subject: 'Hi Ana', text: 'Hello' };
const ben = { ...ana, to: 'ben@example.org', subject: 'Hi Ben' };

describe('CSV', () => {
  test.each([
    ['LF', 'to,name\nana@example.org,Ana\nben@example.org,Ben\n'],
    ['CRLF', 'to,name\r\nana@example.org,Ana\r\nben@example.org,Ben\r\n'],
    ['CR', 'to,name\rana@example.org,Ana\rben@example.org,Ben\r'],
    ['CR and quotes', 'to,name\r"ana@example.org",Ana\rben@example.org,Ben\r'],
    ['LF and CRLF', 'to,name\nana@example.org,Ana\r\nben@example.org,Ben\n'],
    ['no line break at the end', 'to,name\nana@example.org,Ana\nben@example.org,Ben'],
    ['a byte order mark', '\ufeffto,name\nana@example.org,Ana\nben@example.org,Ben\n'],
    ['semicolons', 'to;name\nana@example.org;Ana\nben@example.org;Ben\n'],
    [
      'semicolons and a comma',
      'to;name;"City, ""or"" so"\nana@example.org;Ana;\nben@example.org;Ben;\n',
    ],
    ['commas and a line break', 'to,name,"a;b\nc;d"\nana@example.org,Ana,\nben@example.org,Ben,\n'],
    ['a tab and a comma', 'to\tname\t"a,b;c"\nana@example.org\tAna\t\nben@example.org\tBen\t\n'],
    ['tabs', 'to\tname\nana@example.org\tAna\nben@example.org\tBen\n'],
    ['quotes', '"to","name"\n"ana@example.org","Ana"\n"ben@example.org",Ben\n'],
    ['other column order and case', 'Name,TO,name\nx,ana@example.org,Ana\nx,ben@example.org,Ben\n'],
    ['empty lines and rows', 'to,name\n\nana@example.org,Ana\n,\nben@example.org,Ben\n\n'],
    ['sep=;', 'sep=;\nto;name;"a,b"\nana@example.org;Ana;\nben@example.org;Ben;\n'],
    ['sep=| and CRLF', 'sep=|\r\nto|name|a,b\r\nana@example.org|Ana|\r\nben@example.org|Ben|\r\n'],
    [
      'SEP=, and a byte order mark',
      '\ufeffSEP=,\nto,name,a;b\nana@example.org,Ana,\nben@example.org,Ben,',
    ],
    ['a tab behind sep= and CR', 'sep=\t\rto\tname\rana@example.org\tAna\rben@example.org\tBen\r'],
    ['spaces around column names', ' to , name \nana@example.org,Ana\nben@example.org,Ben\n'],
  ])('with %s', async (_, csv) => {
    expect(await sentOf(csv)).toEqual([ana, ben]);
  });

  test('with sep=; rows are counted from the first below the header', async () => {
    const csv = 'sep=;\nto;name\nana@example.org;Ana\nx;Ben\n';
    expect(await refused(csv)).toMatch(/row 2: to.*"x"/);
  });

  test.each(['sep=;', 'sep=;\n'])('with nothing below %j is refused', async (csv) => {
    expect(await refused(csv)).toMatch(/contains no emails|is empty/);
  });

  test('columns are fields of the request, or variables of templates', async () => {
    const csv =
      'to,Reply-To,subject,CC,html,scheduled_at,plan\n' +
      '"""Ana, A"" <ana@example.org>",r@example.com,Own,"c@example.com, ""D, E"" <d@example.com>",<p>Hi</p>,2027-01-01T09:00:00Z,pro\n';
    const flags = ['--from', 'hello@example.com', '--text', 'Hello'];
    expect(await sentOf(csv, flags)).toEqual([
      {
        to: '"Ana, A" <ana@example.org>',
        from: 'hello@example.com',
        subject: 'Own',
        text: 'Hello',
        replyTo: 'r@example.com',
        cc: ['c@example.com', '"D, E" <d@example.com>'],
        html: '<p>Hi</p>',
        scheduledAt: '2027-01-01T09:00:00Z',
      },
    ]);
  });

  test('with a stored template the other columns are its variables', async () => {
    const csv = 'to,name,city\nana@example.org,Ana,\n';
    const flags = ['--from', 'hello@example.com', '--template', 'tmpl_1', '--var', 'city=Rome'];
    expect(await sentOf(csv, flags)).toEqual([
      {
        to: 'ana@example.org',
        from: 'hello@example.com',
        templateId: 'tmpl_1',
        variables: { name: 'Ana', city: 'Rome' },
      },
    ]);
  });

  test('cells with line breaks, delimiters and quotes', async () => {
    const csv = 'to,name\nana@example.org,"A, ""n""\r\na"\n';
    const [sent] = await sentOf(csv, [
      ...common.slice(0, 2),
      '--subject',
      'S',
      '--text',
      '{{ name }}',
    ]);
    expect(sent?.text).toBe('A, "n"\r\na');
  });

  test.each([
    [
      'no header',
      'ana@example.org,Ana\n',
      /has no header: its first line has the address ana@example.org/,
    ],
    ['two columns of one name', 'to,name,name\na@b.example,x,y\n', /two columns are named name/],
    [
      'two columns for one field',
      'to,replyTo,reply-to\na@b.example,x,y\n',
      /two columns give replyTo: "replyTo", "reply-to"/,
    ],
    ['a column that no cell can hold', 'to,headers\na@b.example,x\n', /cannot hold headers/],
    [
      'a ragged row',
      'to,name\na@b.example,A\nb@c.example\n',
      /row 2: has 1 cells, but there are 2 columns/,
    ],
    ['a row with more cells', 'to,name\na@b.example,A,x\n', /row 1: has 3 cells/],
    [
      'an open quote',
      'to,name\na@b.example,"A\nB"\nb@c.example,"B\nc@d.example,C\nd@e.example,D\n',
      /: row 2 \(line 4\): a quote opens here and is not closed$/,
    ],
    [
      'an open quote, and another one further on',
      'to,name\na@b.example,A\nb@c.example,"B\nc@d.example,C\nd@e.example,"D"\n',
      /: row 2 \(line 3\): a quote opens here and is not closed before the next one$/,
    ],
    [
      'an open quote after line breaks of Windows and Excel, in quotes and without a row',
      'sep=,\r\nto,name\r\na@b.example,"A\r\nB\nC"\r\n\r\nb@c.example,"B\r\nc@d.example,C\r\n',
      /: row 2 \(line 7\): a quote opens here and is not closed$/,
    ],
    [
      'an open quote in the header',
      'to,"name\na@b.example,A\n',
      /: in the header \(line 1\): a quote opens/,
    ],
    ['a quote in a cell', 'to,name\na@b.example,A"B\n', /: row 1 \(line 2\): not valid CSV/],
    ['only a header', 'to,name\n', /contains no emails/],
    ['nothing', '', /is empty/],
    ['only white space', ' \n\n', /is empty/],
    ['a missing address', 'to,name\n,A\n', /row 1: there is no recipient in "to"/],
    ['a cell of 17 MB', `to,name\na@b.example,"${'x'.repeat(17 * 1024 * 1024)}"\n`, /too long/],
    ['UTF-16', Buffer.from('\ufeffto,name\na@b.example,A\n', 'utf16le'), /is UTF-16$/],
    ['latin-1', Buffer.from('to,name\na@b.example,Zoë\n', 'latin1'), /not valid UTF-8/],
  ])('%s is refused', async (_, csv, said) => {
    expect(await refused(csv)).toMatch(said);
  });

  test('a cell of 1 MB is sent', async () => {
    const csv = `to,html\nana@example.org,"${'x'.repeat(1024 * 1024)}"\n`;
    const [sent] = await sentOf(csv, ['--from', 'hello@example.com', '--subject', 'S']);
    expect(String(sent?.html)).toHaveLength(1024 * 1024);
  });
});

describe('JSON', () => {
  const rows = [
    { to: 'ana@example.org', variables: { name: 'Ana' } },
    { to: 'ben@example.org', variables: { name: 'Ben' } },
  ];

  test.each([
    ['an array', JSON.stringify(rows)],
    ['an indented array', `\n ${JSON.stringify(rows, null, 2)} \n`],
    ['lines', rows.map((row) => `${JSON.stringify(row)}\n`).join('')],
    [
      'lines with CRLF and empty ones',
      rows.map((row) => `${JSON.stringify(row)}\r\n\r\n`).join(''),
    ],
  ])('as %s', async (_, json) => {
    expect(await sentOf(json)).toEqual([ana, ben]);
  });

  test('strings may hold brackets, commas, quotes and backslashes', async () => {
    const text = '[{"a": "}],\\\\"\\\\\\""}, é \\u2028';
    const json = JSON.stringify([
      { ...ana, text },
      { ...ben, text: '\\' },
    ]);
    expect(await sentOf(json, [])).toEqual([
      { ...ana, text },
      { ...ben, text: '\\' },
    ]);
  });

  test('null and "" are nothing: what all rows have in common counts', async () => {
    const nothing = { cc: null, from: '', subject: '', text: null, html: '', headers: null };
    const rows = [
      { ...nothing, to: 'ana@example.org', variables: { name: 'Ana' } },
      { ...nothing, to: 'ben@example.org', variables: { name: 'Ben', note: null } },
    ];
    expect(await sentOf(JSON.stringify(rows))).toEqual([ana, ben]);
    expect(await sentOf(rows.map((row) => `${JSON.stringify(row)}\n`).join(''))).toEqual([
      ana,
      ben,
    ]);
  });

  test('null and "" among the variables of a stored template too, as an empty cell', async () => {
    const flags = [
      ...['--from', 'hello@example.com', '--template', 'tmpl_1'],
      ...['--var', 'city=Rome', '--var', 'plan=free'],
    ];
    const row = { to: 'ana@example.org', variables: { city: '', plan: null, name: 'Ana' } };
    const variables = { name: 'Ana', city: 'Rome', plan: 'free' };
    expect(await sentOf(JSON.stringify([row]), flags)).toMatchObject([{ variables }]);
    const csv = 'to,city,plan,name\nana@example.org,,,Ana\n';
    expect(await sentOf(csv, flags)).toMatchObject([{ variables }]);
  });

  test.each(['', null])('%j where nothing stands in for it is missing', async (none) => {
    const message = await refused(
      JSON.stringify([{ ...ana, subject: none, variables: { name: none } }]),
    );
    expect(message).toMatch(/row 1: .*no value for name/);
    expect(await refused(JSON.stringify([{ to: none, variables: { name: 'Ana' } }]))).toMatch(
      /row 1: there is no recipient in "to"/,
    );
  });

  describe('of which parsing keeps only a part', () => {
    const rest = '"from":"b@example.com","subject":"S","text":"T"';
    const row = (more: string) => `{"to":"a@example.org",${rest},${more}}`;
    const variables = (json: string) => row(`"variables":${json}`);

    test.each([
      [
        'too many levels',
        variables(`{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`),
        'this row is nested too deeply',
      ],
      ['a field twice', row('"to":"b@example.org"'), '"to" occurs twice in this row'],
      ['a field twice, spaced', row(' "to" : "b@example.org"'), '"to" occurs twice in this row'],
      [
        'a field twice, escaped',
        row('"\\u0074o":"b@example.org"'),
        '"to" occurs twice in this row',
      ],
      ['a field twice, of one value', row('"subject":"S"'), '"subject" occurs twice in this row'],
      [
        '__proto__ twice',
        row('"__proto__":1,"__proto__":1'),
        '"__proto__" occurs twice in this row',
      ],
      [
        'a variable twice',
        variables('{"a":"{","b":"1","a":"2"}'),
        '"variables.a" occurs twice in this row',
      ],
      [
        'a header twice',
        row('"headers":{"X-A":"1","X-A":"2"}'),
        '"headers.X-A" occurs twice in this row',
      ],
      [
        'a name twice in a list',
        row('"attachments":[{"filename":"a"},{"filename":"b","filename":"c"}]'),
        '"attachments.filename" occurs twice in this row',
      ],
      [
        'a long number',
        variables('{"id":12345678901234567890}'),
        'variables.id: 12345678901234567890 would be rounded; write it in quotes',
      ],
      [
        'an odd one',
        variables('{"id":-9007199254740993}'),
        /variables.id: -9007199254740993 would/,
      ],
      [
        'in a list',
        variables('{"ids":[{"a":9007199254740993}]}'),
        /variables.ids.a: 9007199254740993/,
      ],
      [
        'a long fraction',
        variables('{"a":0.12345678901234567891}'),
        /variables.a: 0.1234\d+ would/,
      ],
      [
        'a number that is too large',
        variables('{"a":1e400}'),
        /variables.a: 1e400 would be rounded/,
      ],
      [
        'a number that is too small',
        variables('{"a":1E-400}'),
        /variables.a: 1E-400 would be round/,
      ],
      [
        'a very long number',
        variables(`{"a":${'1'.repeat(500)}}`),
        /variables.a: 1{40}\.\.\. would/,
      ],
    ])('%s is refused', async (_, json, said) => {
      const lines = await refused(`{"to":"x@example.org",${rest}}\n${json}\n`);
      const array = await refused(`[{"to":"x@example.org",${rest}},\n${json}]`);
      expect(array).toBe(lines);
      const pattern = typeof said === 'string' ? new RegExp(`row 2: ${said}$`) : said;
      expect(lines).toMatch(pattern);
    });

    test('what only looks like it is sent', async () => {
      const text = String.raw`"to":"{"a":1,"a":2}" \\", "to" : 12345678901234567890`;
      const numbers = '[1.10,1e2,-0.0,0.1,1e-7,0.10000000000000001,1e21,1234567890123456800000]';
      const values = `{"to":{"to":"x"},"a":[{"b":"1"},{"b":"2"}],"numbers" : ${numbers}}`;
      const json = `{"to":"a@example.org","text":${JSON.stringify(text)},"variables": ${values}}`;
      const flags = ['--from', 'b@example.com', '--template', 'tmpl_1'];
      expect(await sentOf(`${json}\n`, flags)).toEqual([
        {
          to: 'a@example.org',
          from: 'b@example.com',
          text,
          templateId: 'tmpl_1',
          variables: {
            to: { to: 'x' },
            a: [{ b: '1' }, { b: '2' }],
            numbers: [1.1, 100, 0, 0.1, 1e-7, 0.1, 1e21, 1234567890123456800000],
          },
        },
      ]);
    });

    test('objects in objects beyond counting are looked through', async () => {
      const deep = (inner: string) => variables(`${'{"a":'.repeat(300)}${inner}${'}'.repeat(300)}`);
      expect(await refused(deep('{"b":1,"b":2}'))).toMatch(
        /row 1: "variables[.a]+\.b" occurs twice in this row/,
      );
      expect(await sentOf(deep('{"b":1}'), [])).toHaveLength(1);
    });
  });

  describe('of more than 16 MB', () => {
    const row = (length: number) => JSON.stringify({ ...ana, text: 'x'.repeat(length) });
    const most = 16 * 1024 * 1024;
    const around = row(0).length;

    test.each([
      ['a line', `${row(1)}\n${row(most - around + 1)}\n`],
      ['an object of an array', `[${row(1)},${row(most - around + 1)}]`],
      // The rest is not read: it is not UTF-8.
      [
        'a line that does not end',
        gzipSync(Buffer.concat([Buffer.from(`${row(1)}\n${row(most + 1e6)}`), Buffer.of(0xff)])),
      ],
      [
        'an object that does not end',
        gzipSync(Buffer.concat([Buffer.from(`[${row(1)},${row(most + 1e6)}`), Buffer.of(0xff)])),
      ],
    ])('%s is refused', async (_, json) => {
      expect(await refused(json)).toMatch(/^in\.file: row 2 has more than 16777216 characters$/);
    });

    test('less is sent', async () => {
      const [sent] = await sentOf(`${row(most - around)}\n`, []);
      expect(String(sent?.text)).toHaveLength(most - around);
    });
  });

  test.each([
    ['a cut array', '[{"to":"a@b.example"', /does not end/],
    ['something after the array', '[{"to":"a@b.example"}] x', /there is more text/],
    ['two arrays', '[][]', /there is more text/],
    ['an empty array', '[ ]', /contains no emails/],
    ['a comma too many', `[${JSON.stringify(ana)},]`, /row 2: is not JSON/],
    ['a comma missing', `[${JSON.stringify(ana)} ${JSON.stringify(ana)}]`, /row 1: is not JSON/],
    ['a line that is not JSON', `${JSON.stringify(ana)}\nx\n`, /row 2: is not JSON/],
    ['an array in lines', `${JSON.stringify(ana)}\n[]\n`, /row 2: is not a JSON object/],
    ['variables that are none', '{"to":"a@b.example","variables":"x"}\n', /row 1: .*name/],
  ])('%s is refused', async (_, json, said) => {
    expect(await refused(json)).toMatch(said);
  });
});

describe('gzip', () => {
  const csv = 'to,name\nana@example.org,Ana\nben@example.org,Ben\n';

  test('is recognised by its content', async () => {
    expect(await sentOf(gzipSync(csv))).toEqual([ana, ben]);
  });

  test.each([
    ['cut', gzipSync(csv).subarray(0, 30)],
    ['damaged', gzipSync(csv).fill(7, 20, 30)],
  ])('%s is refused', async (_, bytes) => {
    expect(await refused(bytes)).toMatch(/is damaged gzip/);
  });
});

describe('templates', () => {
  const csv = 'to,name,note\nana@example.org,Ana <b>,\n';
  const from = ['--from', 'hello@example.com'];

  test('HTML is escaped, text and subject are not, and raw is as it is', async () => {
    const flags = [
      ...from,
      '--subject',
      '{{ name }}',
      '--text',
      '{{ name | upcase }}',
      '--html',
      '<p>{{ name }} {{ name | raw }}</p>',
    ];
    expect(await sentOf(csv, flags)).toMatchObject([
      { subject: 'Ana <b>', text: 'ANA <B>', html: '<p>Ana &lt;b&gt; Ana <b></p>' },
    ]);
  });

  describe('in HTML, what is escaped is not escaped again', () => {
    const firm = 'AT&T <b> "x" &amp;';
    const shown = 'AT&amp;T &lt;b&gt; &#34;x&#34; &amp;amp;';
    const rows = [
      {
        to: 'ana@example.org',
        variables: { name: firm, once: 'AT&T &amp;', code: '%3Cb%3E', lines: '<\n>' },
      },
    ];
    const captured = '{% capture c %}{{ name }}{% endcapture %}';

    test.each([
      ['{{ name }}', shown],
      ['{{ name | escape }}', shown],
      ['{{ name | xml_escape }}', shown],
      ['{{ name | escape | escape }}', shown],
      ['{{ name | escape | raw }}', shown],
      ['{{ once | escape_once }} {{ once }}', 'AT&amp;T &amp; AT&amp;T &amp;amp;'],
      ['{% assign e = name | escape %}{{ e }} {{ e | escape }}', `${shown} ${shown}`],
      ['{% echo name %}', shown],
      [`${captured}{{ c }} {{ c | raw }}`, `${shown} ${shown}`],
      [`${captured}{{ c | escape }} {{ c | escape_once }}`, `${shown} ${shown}`],
      ['{% capture c %} <i>{{ name }}</i> {% endcapture %}{{ c | strip }}', `<i>${shown}</i>`],
      [
        '{% capture c %}{{ name | escape }}{% endcapture %}{% capture d %}{{ c }}{% endcapture %}{{ d }}',
        shown,
      ],
      [`${captured}{{ c | append: " & " | append: name }}`, `${shown} &amp; ${shown}`],
      [`${captured}{{ name | prepend: c }} {{ none | default: c }}`, `${shown}${shown} ${shown}`],
      ['{{ name | escape | default: "x" | upcase }}', 'AT&AMP;T &LT;B&GT; &#34;X&#34; &AMP;AMP;'],
      ['{{ name | escape | replace: "&", "+" | truncate: 5, "…" }}', 'AT+T…'],
      ['{{ lines | escape | newline_to_br }}', '&lt;<br />\n&gt;'],
      ['{{ lines | newline_to_br }}', '&lt;&lt;br /&gt;\n&gt;'],
      ['{{ code | escape | url_decode }}', '&lt;b&gt;'],
      [
        `${captured}{{ c.size }} {% if c contains "&amp;T" and c != "" %}yes{% endif %}`,
        `${shown.length} yes`,
      ],
      [
        '{% capture c %}{% endcapture %}{% if c == "" %}empty{% endif %}{{ c | default: "<" }}',
        'empty&lt;',
      ],
    ])('%s', async (html, expected) => {
      const flags = [...from, '--subject', 'S', '--html', html];
      const [sent] = await sentOf(JSON.stringify(rows), flags);
      expect(sent?.html).toBe(expected);
    });

    test('and what looks so is', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.string({ unit: fc.constantFrom(...'&<>"\'amplt;# x') }), {
            minLength: 20,
            maxLength: 60,
          }),
          async (names) => {
            const html = `a<{{ name }}|{{ name | escape }}|${captured}{{ c }}|{{ c | append: "" }}>`;
            const file = JSON.stringify(
              names.map((name, at) => ({
                to: `p${at}@example.org`,
                variables: { name: `x${name}x` },
              })),
            );
            const sent = await sentOf(file, [...from, '--subject', 'S', '--html', html]);
            for (const [at, email] of sent.entries()) {
              const one = asHtml(`x${names[at]}x`);
              expect(email.html).toBe(`a<${one}|${one}|${one}|${one}>`);
            }
          },
        ),
        { numRuns: 20 },
      );
    });
  });

  test('a default replaces a missing value, and a condition can test it', async () => {
    const text = '{{ note | default: "nothing" }}{% if note %} noted{% else %} free{% endif %}';
    const [sent] = await sentOf(csv, [...from, '--subject', 'S', '--text', text]);
    expect(sent?.text).toBe('nothing free');
  });

  test.each([
    ['{{ note }}', /row 1: --subject: no value for note, and no default/],
    [
      '{{ nmae }}',
      /row 1: --subject: no value for nmae, and no default; did you mean {{ name }}\?$/m,
    ],
    [
      '{{ Name }}',
      /row 1: --subject: no value for Name, and no default; did you mean {{ name }}\?$/m,
    ],
    ['{{ town }}', /row 1: --subject: no value for town, and no default$/m],
    ['{{ size }}', /no value for size, and no default/],
    ['{{ first }}', /no value for first, and no default/],
    ['{{ name.constructor }}', /no value for name.constructor/],
    ['{{ name | append }}', /row 1: --subject: append expect/],
    ['{{ name', /^--subject: .*not closed/],
    ['{{ name | nofilter }}', /undefined filter: nofilter/],
    ['{% include "people.csv" %}', /--subject: tag "include" not found/],
    ['{% render "/etc/passwd" %}', /--subject: tag "render" not found/],
    // This file exists in the tests' working directory.
    ['{% include "package.json" %}', /--subject: tag "include" not found/],
    ['{% render "package.json" %}', /--subject: tag "render" not found/],
    ['{% layout "package.json" %}', /--subject: tag "layout" not found/],
    ['{% for i in (1..1000000000) %}x{% endfor %}', /row 1: --subject: .*limit/],
  ])('%s is refused', async (subject, said) => {
    expect(await refused(csv, [...from, '--subject', subject, '--text', 'x'])).toMatch(said);
  });

  test('a misspelt name is reported with the nearest column, as in a template', async () => {
    const people = 'to,First Name,surname\nana@example.org,Ana,\n';
    const said = async (subject: string) =>
      await refused(people, [...from, '--subject', subject, '--text', 'x']);
    const named = '{{ ["First Name"] }}';
    expect(await said('{{ First Name }}')).toContain(
      `no value for First, and no default; did you mean ${named}?`,
    );
    expect(await said('{{ first_name }}')).toContain(`did you mean ${named}?`);
    expect(await said('{{ surnam }}')).toContain('did you mean {{ surname }}?');
    // The column exists, but this row has no value.
    expect(await said('{{ surname }}')).toMatch(/no value for surname, and no default$/m);
    expect(await sentOf(people, [...from, '--subject', named, '--text', 'x'])).toMatchObject([
      { subject: 'Ana' },
    ]);
  });

  test('values of a row are no templates', async () => {
    const own = 'to,subject\nana@example.org,{{ name }}\n';
    const [sent] = await sentOf(own, [...from, '--text', 'x', '--literal']);
    expect(sent?.subject).toBe('{{ name }}');
  });
});

describe('rows that have the same recipients', () => {
  const csv = 'to,name\nana@example.org,Ana\nben@example.org,Ben\n"Ana <ANA@example.org>",Again\n';

  test('are warned about, and sent', async () => {
    const { run, service } = await connected(accept);
    const { exitCode, stderr } = await run(['email', 'batch', '-', '--yes', ...common], {
      stdin: csv,
    });
    expect(exitCode).toBe(0);
    expect(stderr).toMatch(
      /^Warning: 1 row with the same recipients as an earlier row:\nrow 3: Ana <ANA@example.org> is also in row 1\nTo skip these: --unique\n/,
    );
    expect(emailsIn(service.requests[0] ?? { body: '' })).toHaveLength(3);
  });

  test('--unique leaves the later ones out', async () => {
    expect(await sentOf(csv, [...common, '--unique'])).toEqual([ana, ben]);
  });

  test('wherever in many rows they are', async () => {
    const addresses = Array.from({ length: 320 }, (_, index) => `p${index + 1}@example.org`);
    // Duplicates side by side, some rows apart, the only one in its hundred, over a hundred rows
    // apart, and last.
    const again = { 2: 1, 40: 3, 75: 60, 149: 4, 150: 20, 151: 21, 250: 210, 320: 319 };
    for (const [row, earlier] of Object.entries(again)) {
      addresses[Number(row) - 1] = `P${earlier}@EXAMPLE.org`;
    }
    const { run, service } = await connected(accept, accept, accept, accept);
    const words = ['email', 'batch', '-', '--yes', '--unique', '--results', 'r.jsonl', ...common];
    const stdin = `to,name\n${addresses.map((address) => `${address},x\n`).join('')}`;
    const { exitCode, stderr } = await run(words, { stdin });
    const said = Object.entries(again).map(
      ([row, earlier]) => `row ${row}: P${earlier}@EXAMPLE.org is also in row ${earlier}\n`,
    );
    expect({ exitCode, stderr }).toEqual({
      exitCode: 0,
      stderr: expect.stringContaining(said.join('')),
    });
    const sent = service.requests.flatMap((request) => emailsIn(request)).map(({ to }) => to);
    expect(sent).toEqual(addresses.filter((address) => address.startsWith('p')));
  });
});

test('variables without a stored template, in flags or a row, are an error that says what to use', async () => {
  const people = 'to,name\nana@example.org,Ana\n';
  expect(await refused(people, [...common, '--var', 'city=Rome'])).toBe(
    '--var: no template of the rows has "city"',
  );
  const ofRow = 'to,name,templateId\nana@example.org,Ana,t1\n';
  expect(await sentOf(ofRow, [...common, '--var', 'city=Rome'])).toMatchObject([
    { templateId: 't1', variables: { name: 'Ana', city: 'Rome' } },
  ]);
});

test('a header for which there is a field is an error, of a flag and of a row', async () => {
  const row = JSON.stringify([{ ...ana, headers: { 'X-A': '1', Subject: 'S' } }]);
  expect(await refused(row)).toMatch(
    /\nrow 1: headers: services ignore a header Subject; use the field subject$/,
  );
  expect(
    await refused('to,name\nana@example.org,Ana\n', [...common, '--header', 'Cc: a@b.c']),
  ).toBe('--header: services ignore a header Cc; use --cc');
});

describe('rows that cannot be sent', () => {
  const csv = `to,name\n${'bad,Ana\n'.repeat(15)}ana@example.org,Ana\n`;

  test('each reason is reported once, with the first ten of its rows', async () => {
    expect(await refused(`${csv}worse,Ana\n`)).toMatch(
      /^16 rows of 17 cannot be sent:\nrows 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, and 5 more: to: .*"bad".*\nrow 17: to: .*"worse".*$/,
    );
  });

  test('the first ten reasons are reported, rows with others are counted', async () => {
    const rows = Array.from({ length: 15 }, (_, index) => `bad${index + 1}\n`);
    const message = await refused(`to\n${rows.join('')}bad1\nana@example.org\n`, [
      ...['--from', 'hello@example.com', '--subject', 'Hi', '--text', 'Hello'],
    ]);
    expect(message.split('\n')).toHaveLength(12);
    expect(message).toMatch(/^16 rows of 17 cannot be sent:\nrows 1, 16: to: .*"bad1".*\nrow 2: /);
    expect(message).toMatch(/\nrow 10: to: .*"bad10".*\nand 5 more$/);
  });

  test('what is wrong with every row is reported once', async () => {
    const flags = [...common, '--html', '{{ nmae }}'];
    const people = `to,name\n${'ana@example.org,Ana\n'.repeat(1000)}`;
    expect(await refused(people, flags)).toBe(
      '1,000 rows of 1,000 cannot be sent:\nevery row: --html: no value for nmae, and no default; did you mean {{ name }}?',
    );
  });

  test('--skip-invalid sends the others: 11', async () => {
    const { run, service } = await connected(accept);
    const words = ['email', 'batch', '-', '--yes', '--skip-invalid', '--quiet', ...common];
    const { exitCode, stdout } = await run(words, { stdin: csv });
    expect(exitCode).toBe(11);
    expect(stdout).toBe('em_ana@example.org\n');
    expect(emailsIn(service.requests[0] ?? { body: '' })).toEqual([ana]);
  });

  test('--skip-invalid with none left sends nothing', async () => {
    expect(await refused('to,name\nbad,Ana\n', [...common, '--skip-invalid'])).toMatch(
      /^1 row of 1/,
    );
  });
});

describe('--preview', () => {
  const csv = 'to,name\nana@example.org,Ana\nben@example.org,Ben\nnope,\n';

  test('shows the first emails, reads no further, sends nothing and keeps nothing', async () => {
    const { run, service } = await connected();
    const words = ['email', 'batch', '-', '--preview', '2', ...common];
    const { exitCode, stdout } = await run([...words, '--json'], { stdin: csv });
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toEqual([
      { row: 1, ...ana },
      { row: 2, ...ben },
    ]);
    const { stderr } = await run(words, { stdin: csv });
    expect(stderr).toBe('A preview: nothing was sent.\n');
    expect(service.requests).toEqual([]);
    expect((await run('run list')).stderr).toMatch(/^No runs/);
  });

  const mixed =
    'to,name\nbad,Ana\nana@example.org,Ana\nno,Ben\nANA@example.org,Again\nben@example.org,Ben\ncy@example.org,Cy\n';

  test('--skip-invalid skips rows, and says which', async () => {
    const { run } = await connected();
    const words = ['email', 'batch', '-', '--preview', '2', '--skip-invalid', ...common];
    const { exitCode, stdout, stderr } = await run([...words, '--quiet'], { stdin: mixed });
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '2\n4\n' });
    expect(stderr).toMatch(
      /^Warning: 2 rows skipped:\nrow 1: to: .*\nrow 3: to: .*\nWarning: 1 row with the same recipients as an earlier row:\nrow 4: ANA@example.org is also in row 2\nTo skip these: --unique\n$/,
    );
  });

  test('--unique skips rows whose recipients an earlier one has, and says which', async () => {
    const { run } = await connected();
    const words = ['email', 'batch', '-', '--preview', '2', '--skip-invalid', '--unique'];
    const json = await run([...words, ...common, '--json'], { stdin: mixed });
    expect(JSON.parse(json.stdout)).toEqual([
      { row: 2, ...ana },
      { row: 5, ...ben },
    ]);
    const { stderr } = await run([...words, ...common], { stdin: mixed });
    expect(stderr).toContain(
      '\nWarning: 1 row skipped, because an earlier row has the same recipients:\nrow 4: ANA@example.org is also in row 2\nA preview',
    );
  });

  test('of many rows that are skipped for one reason, ten are named', async () => {
    const { run } = await connected();
    const stdin = `to,name\n${'bad,Ana\n'.repeat(15)}ana@example.org,Ana\n`;
    const words = ['email', 'batch', '-', '--preview', '1', '--skip-invalid', '--quiet', ...common];
    const { stdout, stderr } = await run(words, { stdin });
    expect(stdout).toBe('16\n');
    expect(stderr).toMatch(/^Warning: 15 rows skipped:\nrows 1, 2, .*, 10, and 5 more: to: .*\n$/);
  });

  test.each([
    ['--results r.jsonl', '--results'],
    ['--wait', '--wait'],
    ['--wait-timeout 5s', '--wait-timeout'],
    ['--again', '--again'],
    ['--resend-unknown', '--resend-unknown'],
    ['--shard 1/2', '--shard'],
    ['--rate 1', '--rate'],
    ['--concurrency 1 --wait=OPENED', '--wait, --concurrency'],
  ])('with %s is refused', async (words, named) => {
    const { run } = await connected();
    const outcome = await run(
      ['email', 'batch', '-', '--preview', '1', '--json', ...common, ...words.split(' ')],
      { stdin: csv },
    );
    expect(outcome.exitCode).toBe(2);
    expect(errorOf(outcome).message).toBe(`--preview cannot be used together with ${named}`);
  });

  test('may be added to a line with --yes, --dry-run or --idempotency-key', async () => {
    const { run } = await connected();
    const words = '--preview 1 --yes --dry-run --idempotency-key k --timeout 5 -q'.split(' ');
    expect(await run(['email', 'batch', '-', ...common, ...words], { stdin: csv })).toEqual({
      exitCode: 0,
      stdout: '1\n',
      stderr: '',
    });
  });

  test('a row that cannot be sent is named', async () => {
    const { run } = await connected();
    const words = ['email', 'batch', '-', '--preview', '5', '--json', ...common];
    const outcome = await run(words, { stdin: csv });
    expect(outcome.exitCode).toBe(2);
    expect(errorOf(outcome).message).toMatch(/^row 3: /);
  });
});

describe('letters', () => {
  const people = 'to,name\nana@example.org,"An\\""a"" \u{1f600}\n\u2028"\n';
  const name = 'An\\"a" \u{1f600}\n\u2028';

  test.each([
    ['plain', 'C:\\u0000 "{{ name }}"\r\n\t\u{1f600} \u007f'],
    [
      'with a loop',
      'C:\\u0000 "{% for one in (1..1) %}{{ name }}{% endfor %}"\r\n\t\u{1f600} \u007f',
    ],
  ])('arrive as they are written, %s', async (_, text) => {
    const flags = ['--from', 'hello@example.com', '--subject', 'Hi', '--text', text];
    const [email] = await sentOf(people, flags);
    expect(email).toEqual({
      to: 'ana@example.org',
      from: 'hello@example.com',
      subject: 'Hi',
      text: `C:\\u0000 "${name}"\r\n\t\u{1f600} \u007f`,
    });
  });

  test('of which a row has made one with a NUL character are refused', async () => {
    const flags = ['--from', 'hello@example.com', '--subject', 'Hi', '--html', '<p>{{ name }}</p>'];
    const message = await refused(
      '{"to":"ana@example.org","variables":{"name":"a\\u0000b"}}\n',
      flags,
    );
    expect(message).toContain('html: must not contain a NUL character');
  });

  test('hold nothing that has not been checked', async () => {
    const row =
      '{"to":"ana@example.org","variables":{"name":"Ana"},"headers":{"__proto__":"x\\r\\nBcc: b@example.org","X-A":"1"}}\n';
    expect(await refused(row)).toContain('row 1: headers.__proto__: ');
  });
});

test('a CSV file may have thousands of columns', async () => {
  const names = Array.from({ length: 8000 }, (_, index) => `column ${index}`).join();
  const input = `to,name,${names}\nana@example.org,Ana,${names}\n`;
  const { run } = await connected();
  const words = ['email', 'batch', '-', '--dry-run', ...common];
  expect((await run(words, { stdin: input })).exitCode).toBe(0);
});
