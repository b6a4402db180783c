import { describe, expect, test } from 'vitest';
import { fileIn } from '../../../support/connected.ts';
import { createWorld } from '../../../support/run.ts';

async function textOf(price: string, template: string) {
  const world = createWorld();
  fileIn(world, 'people.csv', `to,price\nana@example.org,"${price}"\n`);
  const outcome = await world.run([
    ...'email batch people.csv --sandbox --from hello@example.com --subject s --preview 1'.split(
      ' ',
    ),
    ...['--text', template, '--fields', 'text', '--no-header'],
  ]);
  return { ...outcome, text: outcome.stdout.trim() };
}

describe('a calculation in a template', () => {
  test.each([
    ['26.50', '{{ price | times: 2 }}', '53'],
    [' 9 ', '{{ price | plus: 1 }}', '10'],
    ['-1.5', '{{ price | abs }}', '1.5'],
    ['.5', '{{ 3 | minus: price }}', '2.5'],
  ])('with %s, %s is %s', async (price, template, text) => {
    expect(await textOf(price, template)).toMatchObject({ exitCode: 0, text });
  });

  test.each([
    [
      '26,50',
      '{{ price | times: 2 }}',
      '"26,50" is not a number, which "times" needs; write it as 26.50',
    ],
    ['1.200,50', '{{ price | plus: 1 }}', '"1.200,50" is not a number, which "plus" needs'],
    [
      '1,200',
      '{{ 2 | times: price }}',
      '"1,200" is not a number, which "times" needs; write it like 26.50',
    ],
    ['€ 9', '{{ price | round }}', '"€ 9" is not a number, which "round" needs'],
    ['9 EUR', '{{ price | divided_by: 2 }}', '"9 EUR" is not a number'],
    ['free', '{{ price | at_least: 3 }}', '"free" is not a number'],
    ['1e3', '{{ price | ceil }}', '"1e3" is not a number'],
  ])('with %s, %s stops: it would be another number', async (price, template, message) => {
    const { exitCode, stderr, stdout } = await textOf(price, template);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain(message);
  });

  test('of email send with --var stops, too', async () => {
    const { exitCode, stderr } = await createWorld().run([
      ...'email send --sandbox --from hello@example.com --to a@example.org --subject s'.split(' '),
      ...['--text', '{{ price | times: 2 }}', '--var', 'price=26,50'],
    ]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('"26,50" is not a number');
  });
});
