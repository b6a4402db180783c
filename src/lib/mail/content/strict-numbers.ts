import type { Liquid } from 'liquidjs';
import { shortened } from '../../base/text/shortened.ts';

/** Filters that calculate. Liquid takes the beginning of a text, or 0, where it is no number. */
const calculating = [
  ...['abs', 'at_least', 'at_most', 'ceil', 'divided_by', 'floor', 'minus', 'modulo', 'plus'],
  ...['round', 'times'],
];

/** Has filters that calculate throw for a text that is no number: `26,50 | times: 2` would be 0. */
export function refuseTextsAsNumbers(liquid: Liquid): void {
  for (const name of calculating) {
    const filter = liquid.filters[name];
    if (typeof filter !== 'function') continue;
    liquid.registerFilter(name, function (value: unknown, ...args: unknown[]) {
      const text = [value, ...args]
        .map(textOf)
        .find((one) => one !== undefined && (!isNumber(one) || mayBeThousands.test(one)));
      if (text === undefined) return filter.call(this, value, ...args);
      const shown = JSON.stringify(shortened(text, 40));
      if (mayBeThousands.test(text)) {
        const either = `${text.trim().replace('.', '')} or ${text.trim()}0`;
        throw new Error(
          `${shown} may mean ${either}, and "${name}" cannot tell which; write one of them`,
        );
      }
      throw new Error(`${shown} is not a number, which "${name}" needs; write it ${example(text)}`);
    });
  }
}

/** A thousand and more, as they are written in many countries; or a number with three decimals. */
const mayBeThousands = /^\s*[+-]?[1-9]\d{0,2}\.\d{3}\s*$/;

/** Texts, and HTML from other filters, whose value is a text. */
function textOf(value: unknown): string | undefined {
  const plain: unknown = value instanceof Object ? value.valueOf() : value;
  return typeof plain === 'string' ? plain : undefined;
}

function isNumber(text: string): boolean {
  return /^\s*[+-]?(?:\d+\.?\d*|\.\d+)\s*$/.test(text);
}

/** How to write a text as a number. A comma before three digits may separate thousands. */
function example(text: string): string {
  const plain = text.trim();
  return /^[+-]?\d+,\d{1,2}$/.test(plain) ? `as ${plain.replace(',', '.')}` : 'like 26.50';
}
