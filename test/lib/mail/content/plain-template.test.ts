import fc from 'fast-check';
import { expect, test } from 'vitest';
import { asHtml } from '../../../../src/lib/mail/content/as-html.ts';
import { compilePlain, type Scope } from '../../../../src/lib/mail/content/plain-template.ts';
import { compileTemplates } from '../../../../src/lib/mail/content/template.ts';
import { anyCharacter } from '../../../support/any-character.ts';

const names = ['name', 'plan', '_a1', 'size', 'first', 'toString', '__proto__', 'not', 'nil'];
const name = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom('name', 'plan') },
  fc.constantFrom(...names),
);
const text = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom('', ' \t', 'team', 'O\'Neil & "Söhne" <b>', ' a\r\n{{ name }}'),
  },
  fc.string({ unit: anyCharacter, maxLength: 4 }),
);
const quoted = fc.constantFrom('team', '', '<x> & y', "it's", ' ', '}}', '%}', 'a\\"b');

const filter = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('escape', 'raw', 'url_encode', 'default: "a b"') },
  fc.constantFrom('upcase', 'size', 'default', 'nofilter'),
  quoted.map((one) => `default: "${one}"`),
);
const output = fc
  .tuple(
    fc.constantFrom('{{ ', '{{ ', '{{ ', '{{ ', '{{', '{{- ', '{{\n'),
    name,
    fc.array(filter, { maxLength: 3 }),
  )
  .map(([open, one, filters]) => `${open}${[one, ...filters].join(' | ')} }}`);
const comparison = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('==', '!=') },
  fc.constantFrom('>', 'contains', '='),
);
const condition = fc.oneof(
  { weight: 2, arbitrary: name },
  {
    weight: 4,
    arbitrary: fc
      .tuple(name, comparison, quoted)
      .map(([one, operator, value]) => `${one} ${operator} "${value}"`),
  },
  fc.tuple(name, name).map(([one, other]) => `${one} and ${other}`),
);
const literal = fc.constantFrom(
  ...['', 'a', ' \n', '"\\u0041', '{', '}}', '%}', '{% raw %}{{ x }}{% endraw %}'],
);
const ends = [
  '{% endif %}',
  '{% else %}O{% endif %}',
  '{%else%}{{ name }}{% endif %}',
  '{% else %}O{% elsif name %}P{% endif %}',
  '{% else -%} O{% endif %}',
  '{% elsif %}{% endif %}',
  '{% endunless %}',
  '',
];

const { template } = fc.letrec<{ template: string; piece: string }>((tie) => ({
  template: fc.array(tie('piece'), { maxLength: 3 }).map((pieces) => pieces.join('')),
  piece: fc.oneof(
    { maxDepth: 3 },
    literal,
    { weight: 2, arbitrary: output },
    {
      weight: 3,
      arbitrary: fc
        .tuple(
          fc.array(fc.tuple(condition, tie('template')), { minLength: 1, maxLength: 3 }),
          fc.oneof(
            { weight: 9, arbitrary: fc.constantFrom(...ends.slice(0, 3)) },
            fc.constantFrom(...ends),
          ),
        )
        .map(([choices, end]) => {
          const tags = choices.map(
            ([one, then], at) => `{% ${at ? 'elsif' : 'if'} ${one} %}${then}`,
          );
          return `${tags.join('')}${end}`;
        }),
    },
  ),
}));

const value = fc.oneof({ weight: 8, arbitrary: text }, fc.constantFrom(5, true, null));
const row = fc.dictionary(fc.constantFrom(...names), value, { minKeys: 3, maxKeys: names.length });

/** The values as a row of a file has them. */
const scopeOf = (values: object): Scope => Object.assign(Object.create(null), values);

/** The rendered template for a row, or the error. */
function made(part: 'text' | 'html', source: string, scope: Scope): string {
  try {
    const row = { scope: () => scope, fields: {}, columns: names };
    return compileTemplates({ [part]: { flag: '--it', source } })(row)[part] ?? '';
  } catch (error) {
    return `refused: ${error}`.replace(/, line:.*/s, '');
  }
}

test.each(['text', 'html'] as const)('the plain renderer renders as Liquid does, in %s', (part) => {
  let plain = 0;
  fc.assert(
    fc.property(template, row, (source, values) => {
      const scope = scopeOf(values);
      // A comment needs Liquid itself.
      const viaLiquid = made(part, `{% comment %}{% endcomment %}${source}`, scope);
      const text = made(part, source, scope);
      expect(text).toBe(viaLiquid);
      if (compilePlain(source, part === 'html' ? asHtml : undefined)?.(scope) === text) plain++;
    }),
    { numRuns: 800, examples: [['{{ name | raw | escape }}', { name: '<' }]] },
  );
  expect(plain).toBeGreaterThan(100);
});
