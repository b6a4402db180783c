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
    ['0.125', '{{ price | times: 2 }}', '0.25'],
    ['1.0000', '{{ price | times: 2 }}', '2'],
    ['1000', '{{ price | times: 1.095 }}', '1095'],
    ['1000.500', '{{ price | times: 2 }}', '2001'],
    ['7', '{{ price | times: 1.125 | plus: 1 }}', '8.875'],
    ['1.000', '{{ price }}', '1.000'],
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
    [
      '1.000',
      '{{ price | times: 2 }}',
      '"1.000" may mean 1000 or 1.0000, and "times" cannot tell which; write one of them',
    ],
    ['-2.500', '{{ 1 | plus: price }}', '"-2.500" may mean -2500 or -2.5000, and "plus"'],
    ['1.000.000', '{{ price | round }}', '"1.000.000" is not a number'],
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
