import { Drop, type Liquid } from 'liquidjs';
import { asHtml } from './as-html.ts';

/** Text that is HTML already, so that it is not escaped again. Filters and conditions see it as text. */
export class HtmlText extends Drop {
  readonly #text: string;

  constructor(text: string) {
    super();
    this.#text = text;
  }

  override valueOf(): string {
    return this.#text;
  }

  override liquidMethodMissing(key: string | number): unknown {
    return key === 'size' ? this.#text.length : undefined;
  }
}

/** Filters whose result is HTML. Of what is HTML already, nothing is escaped. */
const escaping = ['escape', 'xml_escape', 'escape_once'];

/** Filters whose result is HTML if they are given some. They decode nothing, so that no value becomes a tag. */
const keeping = [
  ...['append', 'prepend', 'default', 'newline_to_br', 'strip_html', 'slice'],
  ...['strip', 'lstrip', 'rstrip', 'strip_newlines', 'normalize_whitespace', 'squish'],
  ...['upcase', 'downcase', 'capitalize', 'truncate', 'truncatewords'],
  ...['replace', 'replace_first', 'replace_last', 'remove', 'remove_first', 'remove_last'],
];

/** Has filters return `HtmlText` where nothing in the result is to be escaped again. */
export function keepHtml(liquid: Liquid): void {
  for (const name of escaping) {
    const filter = handlerOf(liquid, name);
    liquid.registerFilter(name, function (value: unknown, ...args: unknown[]) {
      return value instanceof HtmlText ? value : new HtmlText(filter.call(this, value, ...args));
    });
  }
  for (const name of keeping) {
    const filter = handlerOf(liquid, name);
    liquid.registerFilter(name, function (...given: [unknown, ...unknown[]]) {
      if (!given.some((one) => one instanceof HtmlText)) return filter.apply(this, given);
      const [value, ...args] = given.map((one) => (typeof one === 'string' ? asHtml(one) : one));
      const result: unknown = filter.call(this, value, ...args);
      return typeof result === 'string' ? new HtmlText(result) : result;
    });
  }
}

type Handler = (this: unknown, value: unknown, ...args: readonly unknown[]) => string;

function handlerOf(liquid: Liquid, name: string): Handler {
  const filter = liquid.filters[name];
  // liquidjs implements these as functions.
  return filter as Handler;
}
