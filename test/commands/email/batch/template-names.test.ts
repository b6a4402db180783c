import { describe, expect, test } from 'vitest';
import { connected } from '../../../support/connected.ts';

const from = ['--from', 'hello@example.com', '--subject', 'Hi'];

/** Runs a batch of this input with this HTML, in the sandbox. */
async function batch(input: string, html: string, more: readonly string[] = ['--yes']) {
  const { run } = await connected();
  const words = ['email', 'batch', '-', ...from, '--html', html, '--sandbox', ...more];
  return await run(words, { stdin: input });
}

const csv = 'to,name,vip\nana@example.org,Ana,false\nben@example.org,Ben,true\n';

describe('a question that a text answers with yes', () => {
  test.each([
    ['{% if vip %}x{% endif %}', '{% if vip %}'],
    ['{% if vip or name == "x" %}x{% endif %}', '{% if vip or name == "x" %}'],
    ['{% if name == "x" %}{% elsif vip %}x{% endif %}', '{% elsif vip %}'],
    ['{%- if name and vip -%}x{% endif %}', '{%- if name and vip -%}'],
  ])('%s is an error that shows how to compare it', async (html, tag) => {
    for (const more of [['--yes'], ['--dry-run'], ['--preview', '2']]) {
      const { exitCode, stdout, stderr } = await batch(csv, `<p>a</p>${html}`, more);
      expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
      expect(stderr).toContain(
        `Error: --html: ${tag} is true for any text that is not empty, such as "false" in row 1\nHint: Nothing was sent. Compare the text: vip == "true". If any text counts: vip != blank\n`,
      );
    }
  });

  test.each([
    ['{% if vip == true %}x{% endif %}', '{% if vip == true %}', 'true'],
    ['{% if vip != false %}x{% endif %}', '{% if vip != false %}', 'false'],
    ['{%- unless true == vip -%}x{% endunless %}', '{%- unless true == vip -%}', 'true'],
    ['{% if name == "x" %}{% elsif vip==false %}x{% endif %}', '{% elsif vip==false %}', 'false'],
    ['{% assign is_vip = vip == true %}{% if is_vip %}x{% endif %}', '{% assign is_vip', 'true'],
  ])('%s is an error, since no text is true or false', async (html, tag, literal) => {
    const { exitCode, stdout, stderr } = await batch(csv, `<p>a</p>${html}`);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain(`Error: --html: ${tag}`);
    expect(stderr).toContain(
      `compares with ${literal}, which equals no text, such as "false" in rows 1, 2\nHint: Nothing was sent. Compare the text: vip == "${literal}". In JSON, values may be true and false.\n`,
    );
  });

  test('so is a case', async () => {
    const html = '<p>a</p>{% case vip %}{% when "x", true %}VIP{% endcase %}';
    const { exitCode, stderr } = await batch(csv.replaceAll('true', 'TRUE'), html);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('{% when "x", true %} compares with true');
    expect(stderr).toContain('Compare the text: {% when "TRUE" %}.');
  });

  test('unless is false for any text', async () => {
    const { exitCode, stderr } = await batch(csv, '<p>a</p>{% unless vip %}x{% endunless %}');
    expect(exitCode).toBe(2);
    expect(stderr).toContain('{% unless vip %} is false for any text that is not empty');
  });

  test.each(['no', 'N', '0', 'Off', 'nein', 'não'])('%s is such a text', async (no) => {
    const { exitCode, stderr } = await batch(csv.replace('false', no), '{% if vip %}x{% endif %}');
    expect(exitCode).toBe(2);
    expect(stderr).toContain(JSON.stringify(no));
  });

  test.each([
    ['a comparison', csv, '{% if vip == "true" %}x{% endif %}'],
    [
      'a comparison with "true" in quotes',
      csv,
      "{% if vip == 'true' and name != 'x' %}x{% endif %}",
    ],
    ['true in a text', csv, '{% if vip == "a == true" %}x{% endif %}'],
    [
      'a comparison of no value',
      csv.replace(/false|true/g, ''),
      '{% if vip == true %}x{% endif %}',
    ],
    ['a look for any text', csv, '{% if vip != blank %}x{% endif %}'],
    ['other texts', csv.replace('false', 'maybe'), '{% if vip %}x{% endif %}'],
    ['no value', csv.replace('false', ''), '{% if vip %}x{% endif %}'],
    [
      'false in JSON',
      '{"to":"a@b.example","variables":{"vip":false}}',
      '{% if vip %}x{% endif %}y',
    ],
    [
      'a comparison of true in JSON',
      '{"to":"a@b.example","variables":{"vip":true}}',
      '{% if vip == true %}x{% endif %}{% case vip %}{% when true %}y{% endcase %}',
    ],
  ])('%s is sent', async (_, input, html) => {
    const { exitCode, stderr } = await batch(input, `<p>a</p>${html}`);
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  });
});

describe('a name that no row has', () => {
  test.each([
    [
      '{% if vpi == "true" %}x{% endif %}',
      'no row has "vpi", as in {% if vpi == "true" %}; did you mean {{ vip }}?',
    ],
    [
      '{% for one in itmes %}{{ one }}{% endfor %}',
      'no row has "itmes", as in {% for one in itmes %}',
    ],
  ])('in a tag is an error: %s', async (html, message) => {
    for (const input of [csv, '{"to":"a@b.example","variables":{"vip":"x"}}\n']) {
      const { exitCode, stderr } = await batch(input, `<p>a</p>${html}`);
      expect(exitCode).toBe(2);
      expect(stderr).toContain(`Error: --html: ${message}`);
    }
  });

  test('is none if the template assigns it, or the command line gives it', async () => {
    const html =
      '{% assign a = name %}{% if a == "x" %}{% endif %}{% if b == "x" %}{% endif %}<p>y</p>';
    expect((await batch(csv, html, ['--yes', '--var', 'b=x'])).exitCode).toBe(0);
  });

  test('and only a default is a warning', async () => {
    const { exitCode, stderr } = await batch(csv, '<p>{{ nick | default: "you" }}</p>');
    expect(exitCode).toBe(0);
    expect(stderr).toContain('Warning: No row has "nick". Only a default can fill it in.\n');
  });
});

test.each(['NULL', '\\N', '#N/A', 'None'])(
  '%s in a cell that is used is said, with its rows',
  async (nothing) => {
    const input = csv.replaceAll(/Ana|Ben/g, nothing);
    const { exitCode, stderr } = await batch(input, '<p>{{ name }}</p>');
    expect(exitCode).toBe(0);
    expect(stderr).toContain(
      `Warning: "name" is a text such as ${JSON.stringify(nothing)} in rows 1, 2. It is sent as it is.\n`,
    );
    expect((await batch(input, '<p>x</p>')).stderr).not.toContain('Warning');
  },
);

test.each([
  ...['#NV', '#WERT!', '#BEZUG!', '#VALOR!', '#NULL!', '#SPILL!', '#CALC!', '#ERROR!', '########'],
  ...['<NA>', 'NaT', '(null)', '[null]', '(none)', '1/0/1900', '0000-00-00', 'Invalid date'],
])('%s is no value either', async (nothing) => {
  const { exitCode, stderr } = await batch(csv.replace('Ana', nothing), '<p>For {{ name }}</p>');
  expect(exitCode, stderr).toBe(0);
  expect(stderr).toBe(
    `Warning: "name" is a text such as ${JSON.stringify(nothing)} in row 1. It is sent as it is.\nAccepted 2 of 2 emails.\n`,
  );
});

test.each([
  ['JÃ¼rgen', 'was read in the wrong charset, as in'],
  ['Itâ€™s', 'was read in the wrong charset, as in'],
  ['{{ first_name }}', 'has a placeholder such as'],
  ['*|FNAME|*', 'has a placeholder such as'],
])('%s in a cell that is used stops, unless it is meant', async (value, what) => {
  const input = csv.replace('Ana', value);
  const { exitCode, stderr } = await batch(input, '<p>{{ name }}</p>');
  expect(exitCode).toBe(2);
  expect(stderr).toBe(
    `Error: "name" ${what} ${JSON.stringify(value)} in row 1\nHint: Nothing was sent. Correct these values. To send them as they are, add --literal.\n`,
  );
  const warning = `Warning: "name" ${what} ${JSON.stringify(value)} in row 1. It is sent as it is.\n`;
  const meant = await batch(input, '<p>{{ name }}</p>', ['--yes', '--literal']);
  expect(meant.exitCode).toBe(0);
  expect(meant.stderr).toContain(warning);
  expect((await batch(input, '<p>{{ name }}</p>', ['--preview', '2'])).stderr).toBe(stderr);
  expect((await batch(input, '<p>x</p>')).exitCode).toBe(0);
});

test("a row's own subject and text stop in the wrong charset, too", async () => {
  const { run } = await connected();
  const words = ['email', 'batch', '-', '--from', 'hello@example.com', '--sandbox', '--yes'];
  const stdin = 'to,subject,text\na@example.org,JÃ¼rgen,Itâ€™s KrÃ¤fte\n';
  const { exitCode, stderr } = await run(words, { stdin });
  expect(exitCode).toBe(2);
  expect(stderr).toContain('row 1: this was read in the wrong charset: subject: "JÃ¼rgen", text');
  expect((await run([...words, '--literal'], { stdin })).exitCode).toBe(0);
});

test('a sign of HTML in a cell that is used is said', async () => {
  const { exitCode, stderr } = await batch(csv.replace('Ana', 'Tom &amp; Co'), '<p>{{ name }}</p>');
  expect(exitCode).toBe(0);
  expect(stderr).toContain('Warning: "name" has an HTML entity such as "Tom &amp; Co" in row 1.');
});

describe('a loop over a text', () => {
  const loop = (list: string) => `<ul>{% for c in ${list} %}<li>{{ c }}</li>{% endfor %}</ul>`;
  const colors = 'to,colors\nana@example.org,"red,blue"\nben@example.org,red\n';

  test.each(['colors', 'colors reversed', 'colors limit: 2'])('%s stops', async (list) => {
    const { exitCode, stderr } = await batch(colors, loop(list));
    expect(exitCode).toBe(2);
    expect(stderr).toContain(
      `--html: {% for c in ${list} %} treats a text as a single item, such as "red,blue" in row 1\nHint: Nothing was sent. Make a list of it first, as in {% assign items = colors | split: "," %}.`,
    );
  });

  test('so does one of email send', async () => {
    const { run } = await connected();
    const words = ['email', 'send', '--to', 'ana@example.org', ...from, '--sandbox'];
    const outcome = await run([...words, '--html', loop('colors'), '--var', 'colors=red;blue']);
    expect(outcome.exitCode).toBe(2);
    expect(outcome.stderr).toContain('{% assign items = colors | split: ";" %}');
  });

  test.each([
    ['what the hint says', colors, `{% assign items = colors | split: "," %}${loop('items')}`],
    ['the same name', colors, `{% assign colors = colors | split: "," %}${loop('colors')}`],
    ['texts of one item', colors.replace('"red,blue"', 'light blue'), loop('colors')],
    ['a list in JSON', '{"to":"a@b.example","variables":{"colors":["a, b"]}}', loop('colors')],
    ['numbers', colors, '{% for i in (1..3) %}{{ i }}{{ colors }}{% endfor %}'],
  ])('%s is sent', async (_, input, html) => {
    expect(await batch(input, html)).toMatchObject({ exitCode: 0 });
  });
});

test.each(['Jürgen', 'R&D; A&B', 'IRMÃ', 'JOÃO Â', 'â', 'It’s {fine}'])(
  '%s is a name',
  async (value) => {
    const { stderr } = await batch(csv.replace('Ana', value), '<p>{{ name }}</p>');
    expect(stderr).not.toContain('Warning');
  },
);
