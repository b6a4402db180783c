import { expect, test } from 'vitest';
import { summary } from '../../commands/campaign/draft.ts';
import { connected } from '../../support/connected.ts';
import { mjmlEmail, withPackages } from '../../support/packages.ts';

const line =
  'campaign create --allow-duplicate --allow-blank --name News --book cmkf0y3b4000008l4f2gh1q9z --subject Hi --from news@example.com';
const book = {
  body: { id: 'cmkf0y3b4000008l4f2gh1q9z', name: 'Readers', variables: ['name', 'color'] },
};
const unsubscribe = '{{usesend_unsubscribe_url}}';

test.each([
  ['hi.mjml', '--mjml-file', mjmlEmail],
  [
    'hi.jsx',
    '--react-email',
    `export default () => <p style={{ color: '{{ color }}' }}>Hi {'{{ name }}'} <a href="${unsubscribe}">Leave</a></p>;`,
  ],
])('%s: the service’s placeholders stay', async (name, flag, content) => {
  const { world, run, sent, file } = await connected(book, { body: summary('camp_1') });
  withPackages(world);
  file(name, content.replace('https://example.com/?n={{ name }}', unsubscribe));
  const { exitCode, stderr } = await run(`${line} ${flag} ${name}`);
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  expect(sent(1).html).toMatch(/color:\{\{ color \}\};?"\s*>Hi (<!-- -->)?\{\{ name \}\}/);
  expect(sent(1).html).toContain(`href="${unsubscribe}"`);
});
