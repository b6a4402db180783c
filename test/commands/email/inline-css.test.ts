import { describe, expect, test } from 'vitest';
import { fileIn } from '../../support/connected.ts';
import { createWorld } from '../../support/run.ts';

/** What `--inline-css` makes of a page with this CSS and body, with single blanks. */
async function inlined(css: string, body: string, flags = '--html-file a.html --inline-css') {
  const world = createWorld();
  fileIn(world, 'a.md', 'Hello');
  fileIn(
    world,
    'a.html',
    `<html><head>\n<style>${css}</style></head>\n<body>${body}x</body></html>`,
  );
  const line = 'email send --from a@example.com --to b@example.org --subject s --preview --json';
  const { stdout, stderr } = await world.run(`${line} ${flags}`);
  return { html: String(JSON.parse(stdout).html).replace(/\s+/g, ' '), stderr };
}

describe('--inline-css changes nothing that people see', () => {
  test.each([
    ['<!-- .a { color: red } -->', '<p class="a">', ' style="color: red;"'],
    ['p { color: red } --> b { color: red }', '<b>', '<b style="color: red;"'],
    [
      'p { display: block; *display: inline; *zoom: 1; _height: 1px }',
      '<p style="*color: red; margin: 0">',
      '<p style="display: block; margin: 0;">',
    ],
    [
      'td:first-child { color: red } .a { color: blue }',
      '<table><tr><td class="a">',
      'style="color: blue; color: red;"',
    ],
    [
      'p { margin: 0 }',
      '<p style="color: red !important">',
      'style="margin: 0; color: red !important;"',
    ],
    [':root { --c: red } p { color: var(--c) }', '<p>', '<p style="color: red;">'],
  ])('%s for %s: %s', async (css, body, result) => {
    const { html, stderr } = await inlined(css, body);
    expect(html).toContain(result);
    expect(stderr).toBe('');
  });

  const media = '@media (min-width: 1px)';
  const own = '<p class="a">';

  test.each([
    [
      'that was there before it',
      `p { color: red } ${media} { p { color: blue } }`,
      'color: blue !important',
    ],
    ['that wins', `${media} { p { color: blue } } p { color: red }`, 'color: blue; }'],
    [
      'that is more specific',
      `p.a { color: red } ${media} { p { color: blue } }`,
      'color: blue; }',
    ],
    [
      'that is important',
      `p { color: red !important } ${media} { .a { color: blue } }`,
      'color: blue; }',
    ],
    ['of another property', `p { margin: 0 } ${media} { p { color: blue } }`, 'color: blue; }'],
    [
      'that sets a part of it',
      `${media} { p { background: blue } } p { background-color: red }`,
      'background: blue; }',
    ],
    ['outside of a layer', '@layer x { p.a { color: blue } } p { color: red }', 'color: blue; }'],
    [
      'under another shorthand',
      `p { line-height: 2 } ${media} { p { font: 1em a } }`,
      'font: 1em a !important',
    ],
    [
      'of an element, not of a part',
      'p { color: red } p::before { color: blue }',
      'color: blue; }',
    ],
  ])('a rule that stays, beside one %s', async (_, css, result) => {
    const { html, stderr } = await inlined(css, own);
    expect(html).toContain(result);
    expect(html).toContain('<p class="a" style="');
    expect(stderr).toBe('');
  });

  test('a rule that won over one that becomes important is in both places', async () => {
    const css = `p { color: red } ${media} { p { color: blue } } .a { color: green }`;
    const { html, stderr } = await inlined(css, `<p>b</p>${own}`);
    expect(html).toContain('<p style="color: red;">');
    expect(html).toContain('<p class="a" style="color: red; color: green;">');
    expect(html).toContain(
      'p { color: blue !important; } } .a { color: green !important; }</style>',
    );
    expect(stderr).toBe('');
  });

  const message =
    'Warning: Some CSS stays in <style>, because the email would look different with it in style attributes:\n';

  test.each([
    [
      'an attribute',
      'p { color: red }\n p:hover { color: blue }',
      '<p>a</p><p style="color: green;">',
      '  a.html, line 2: color\n',
    ],
    [
      'a variable with two values',
      `:root { --c: red }\n p { margin: 0; color: var(--c) } ${media} { :root { --c: blue } }`,
      '<p>',
      '  a.html, line 3: color\n',
    ],
    [
      'revert-layer',
      '@layer x { p { color: red } }\n\n p { color: revert-layer }',
      '<p>',
      '  a.html, line 4: color\n',
    ],
    [
      '@scope',
      'p { color: red } @scope (body) { p { color: blue } }',
      '<p>',
      '  a.html, line 2: color\n',
    ],
    ['all', `p { color: red } ${media} { p { all: unset } }`, '<p>', '  a.html, line 2: color\n'],
  ])(
    'what %s makes unclear stays, with a warning that names its line',
    async (_, css, body, lines) => {
      const { html, stderr } = await inlined(css, body);
      expect(stderr).toBe(message + lines);
      expect(html).not.toContain('!important');
      expect(html.replace(/<p style="margin: 0;">/, '<p>')).toContain(body);
    },
  );

  test('the warning about a layout of Markdown names its file and line, once', async () => {
    const css = `:root { --c: red } ${media} { :root { --c: blue } }\np { color: var(--c) }`;
    const { stderr } = await inlined(css, '{{ content }}', '--markdown-file a.md --layout a.html');
    expect(stderr).toBe(`${message}  a.html, line 3: color\n`);
  });

  test('the rows of a run have one warning', async () => {
    const world = createWorld();
    const css = 'p { color: red } p:hover { color: blue }';
    fileIn(world, 'a.html', `<style>${css}</style><p>{{ to }}</p><p style="color: green">x</p>`);
    fileIn(world, 'a.csv', 'to\na@example.org\nb@example.org\n');
    const flags = '--from a@example.com --subject s --html-file a.html --inline-css --dry-run';
    const { stderr } = await world.run(`email batch a.csv ${flags}`);
    expect(stderr.split(message)).toHaveLength(2);
    expect(stderr).toContain('  a.html, line 1: color\n');
  });
});
