import { Liquid } from 'liquidjs';
import { expect, test } from 'vitest';
import { compilePlain } from '../../../../src/lib/bulk/prepare/plain-template.ts';

const engines = {
  'in HTML': new Liquid({ ...options(), outputEscape: 'escape' }),
  'in plain text': new Liquid(options()),
};

function options() {
  return { strictVariables: true, strictFilters: true, lenientIf: true, ownPropertyOnly: true };
}

const templates = [
  '',
  'no values at all',
  '{{ name }}',
  'a {{- name -}} b',
  '{{ name | default: "friend" }}',
  '{{ name | default: "<friend>" }}',
  '{{ name | default: name }}',
  '{{ name | upcase | append: "&" | prepend: "<" }}',
  '{{ name | raw }}',
  '{{ name | escape }}',
  '{{ name | escape_once }}',
  '{{ name | url_encode }} {{ count | url_encode }}',
  '{{ name | strip | capitalize }}',
  '{{ name | strip }}',
  '{{ name | lstrip }}|{{ name | rstrip }}|',
  '{{ name | downcase }}',
  '{{ name | newline_to_br | raw }}',
  '{{ "quoted \\" <text>" }} {{ 1.50 }}',
  '{{ count | plus: 1 }}',
  '{{ name | truncate: 3 }}',
  '{{ name.size }} {{ size }} {{ first }}',
  '{{ toString }} {{ constructor }} {{ __proto__ }}',
  '{{ nested.name }}',
  '{{ nested["name"] }}',
  '{{ list | join: ", " }}',
  '{{ list }}',
  '{% if name %}yes{% endif %}',
  '{% if name %}yes{% else %}no{% endif %}',
  '{% if plan == "team" %}T{% elsif plan == "free" %}F{{ name }}{% else %}O{% endif %}',
  '{% if plan != "team" %}not{% endif %}',
  '{% if count == 5 %}five{% elsif count == "5" %}word{% endif %}',
  '{% if name == missing %}same{% else %}other{% endif %}',
  '{% if plan == nil %}nil{% endif %}',
  '{% if plan == empty %}empty{% endif %}',
  '{% if plan == blank %}blank{% endif %}',
  '{% if flag %}on{% else %}off{% endif %} {{ flag }}',
  '{% if name and plan %}both{% endif %}',
  '{% if count > 3 %}many{% endif %}',
  '{% if name contains "a" %}a{% endif %}',
  '{% if not name %}nobody{% endif %}',
  '{% if name | size %}sized{% endif %}',
  '{% unless name %}nobody{% endunless %}',
  '{% assign name = "other" %}{{ name }}',
  '{% capture name %}caught{% endcapture %}{{ name }}',
  '{% for one in list %}{{ one }}{% if forloop.last %}.{% endif %}{% endfor %}',
  '{% case plan %}{% when "team" %}T{% else %}O{% endcase %}',
  '{% comment %}{{ name }}{% endcomment %}',
  '{% raw %}{{ name }}{% endraw %}',
  '{% if name %}{% if plan %}{{ plan }}{% endif %}{{ name }}{% endif %}',
  '{% increment name %}{{ name }}',
  '{{ name }}{{ missing }}',
  'C:\\u0000 "\t\r\n{{ name }}\u2028{{ plan }}',
  '{{ missing | default: "there" | upcase }}',
  '{{ missing | upcase }}',
];

const rows: Readonly<Record<string, unknown>>[] = [
  {},
  { name: 'Ana' },
  { name: 'O\'Neil & "Söhne" <b>', plan: 'team', count: '5' },
  { name: '', plan: 'free', count: 5 },
  { name: ' Ab ' },
  { name: ' x\r\ny ', plan: '', count: 0 },
  { name: null, plan: null, flag: null },
  { name: 'a', flag: true, plan: 'other' },
  { name: 'a', flag: false, count: -0 },
  { name: 1e21, plan: 0.1, count: 1e-7 },
  { name: ['a', '<b>'], list: ['a', '<', 3], nested: { name: '<n>', size: 4 } },
  { name: { size: 3 }, nested: {}, list: [] },
  { name: '\u{1f600}ß', size: 'large', first: 'one', toString: 'text', constructor: 'c' },
];

function viaLiquid(liquid: Liquid, template: string, row: object): string | undefined {
  try {
    return String(liquid.renderSync(liquid.parse(template), row));
  } catch {
    return undefined;
  }
}

test.for(Object.keys(engines) as (keyof typeof engines)[])(
  'what is rendered without Liquid is what Liquid renders, %s',
  (which) => {
    const liquid = engines[which];
    for (const template of templates) {
      const render = compilePlain(liquid, liquid.parse(template));
      for (const row of rows) {
        const scope = Object.assign(Object.create(null), row);
        const rendered = render?.(scope);
        if (rendered === undefined) continue;
        const told = `${template} over ${JSON.stringify(row)}`;
        const text = viaLiquid(liquid, template, scope);
        expect({ told, text: JSON.parse(`"${rendered}"`) }).toEqual({ told, text });
      }
    }
  },
);

test.for([
  ['{{ name }}', { name: 'Ana' }],
  ['{{ name | default: "friend" }}', {}],
  ['{% if plan == "team" %}T{% elsif plan != "free" %}F{% else %}{{ name }}{% endif %}', {}],
  ['<a href="{{ name | url_encode }}">{{ count }}</a>', { name: 'a b', count: 3 }],
] as const)('%s is rendered without Liquid', ([template, row]) => {
  const liquid = engines['in HTML'];
  const render = compilePlain(liquid, liquid.parse(template));
  expect(JSON.parse(`"${render?.(row)}"`)).toBe(viaLiquid(liquid, template, row));
  expect(render?.(row)).toBeTypeOf('string');
});

test('half of a pair of surrogates stays one in JSON, though the other half follows', () => {
  const liquid = engines['in plain text'];
  const render = compilePlain(liquid, liquid.parse('{{ name }}{{ plan }}'));
  const json = render?.({ name: '\ud83d', plan: '\ude00\0' });
  expect(json).toBe('\\ud83d\\ude00\\u0000');
  expect(JSON.parse(`"${json}"`)).toBe('\u{1f600}\0');
});

test('a missing value is left to Liquid, which says which it is', () => {
  const liquid = engines['in plain text'];
  expect(compilePlain(liquid, liquid.parse('Hi {{ name }}'))?.({})).toBeUndefined();
});
