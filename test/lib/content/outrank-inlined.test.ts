import { describe, expect, test } from 'vitest';
import { outrankInlined } from '../../../src/lib/content/outrank-inlined.ts';

const inlined = new Set(['width', 'background', 'color']);

describe('a rule that stays in a style sheet wins over inlined ones', () => {
  test.each([
    ['@media (max-width:9px){.a{width:100%}}', '@media (max-width:9px){.a{width:100% !important}}'],
    ['a:hover { color: red; }', 'a:hover { color: red !important; }'],
    ['.a{background-color:red;height:1px}', '.a{background-color:red !important;height:1px}'],
    [
      '@supports (display:grid){@media print{.a{color:red /* x */ }}}',
      '@supports (display:grid){@media print{.a{color:red !important /* x */ }}}',
    ],
    [
      '.a{background:url("a;b}c") url(d;e)}p{color:red}',
      '.a{background:url("a;b}c") url(d;e) !important}p{color:red !important}',
    ],
  ])('%s', (css, result) => {
    expect(outrankInlined(css, inlined)).toBe(result);
  });

  test.each([
    'a:hover{color:red!important;width:1px ! IMPORTANT}',
    '.a{height:1px}',
    '@font-face{font-family:x;src:url(color)}',
    '@keyframes k{from{width:0}to{width:9px}}',
    ':root{--color:red}',
    '@import url("width:1");',
    '@media (color: 1) { }',
    'a{color',
    '{{ styles }}',
    '',
  ])('%s stays as it is', (css) => {
    expect(outrankInlined(css, inlined)).toBe(css);
  });
});
