import {
  Context,
  type Filter,
  IfTag,
  type Liquid,
  Output,
  type Template,
  type Token,
  TypeGuards,
  toValueSync,
  type Value,
} from 'liquidjs';

/** Values that a template is rendered over. */
export type Scope = Readonly<Record<string, unknown>>;

/**
 * Renders a text, as it stands in a JSON string between the quotes. Undefined for values of which only
 * Liquid itself can say what becomes.
 */
export type PlainRender = (scope: Scope) => string | undefined;

type Read = (scope: Scope) => unknown;

/** The name that Liquid gives to the filter of `outputEscape`. */
const escapingAll = '[object Function]';

/** Filters that make a string of a string (or of nothing) at once, and have no other effect. */
const plainFilters = new Set([
  'append',
  'capitalize',
  'default',
  'downcase',
  'escape',
  'escape_once',
  'lstrip',
  'newline_to_br',
  'prepend',
  'raw',
  'rstrip',
  'strip',
  'upcase',
  'url_encode',
  escapingAll,
]);

/** Those of them that change no text but an empty one, and what is escaped in HTML. */
const onlyEscapes = new Set(['default', 'escape', 'escape_once', 'raw', escapingAll]);

/** Names that Liquid finds in every value. */
const ownNames = new Set([
  'first',
  'last',
  'size',
  ...Object.getOwnPropertyNames(Object.prototype),
]);

/**
 * Most templates of mailings hold nothing but values, some filters, and a choice by `if`. Liquid
 * walks through them with a generator for every step, which for a million rows is nearly all the
 * time there is; here they become functions, over what Liquid has parsed and with its own filters.
 *
 * What becomes of a template goes out as JSON. The texts in it, most of a letter, are escaped here
 * once and not for each row.
 *
 * Returns undefined for a template that holds anything else. The function returns undefined for
 * values other than strings and numbers, and where one is missing, so that Liquid says so.
 */
export function compilePlain(
  liquid: Liquid,
  templates: readonly Template[],
): PlainRender | undefined {
  const pieces = templates.map((template) => compileOne(liquid, template));
  if (!pieces.every((piece) => piece !== undefined)) return undefined;
  return (scope) => {
    let all = '';
    for (const piece of pieces) {
      const json = piece(scope);
      if (json === undefined) return undefined;
      all += json;
    }
    return all;
  };
}

function compileOne(liquid: Liquid, template: Template): PlainRender | undefined {
  const { token } = template;
  if (TypeGuards.isHTMLToken(token)) {
    const json = inJson(token.getContent());
    return () => json;
  }
  if (template instanceof Output) return compileOutput(liquid, template.value);
  if (template instanceof IfTag) return compileIf(liquid, template);
  return undefined;
}

/** A text as it stands in a JSON string, between the quotes. */
export function inJson(text: string): string {
  // Half of a pair of surrogates is escaped.
  return /["\\\p{Cc}\p{Cs}]/u.test(text) ? JSON.stringify(text).slice(1, -1) : text;
}

/** Whether a value is a text in which nothing is escaped, be it in HTML or in JSON, as most are. */
function isUnescaped(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && !/[&<>'"\\\p{Cc}\p{Cs}]/u.test(value);
}

function compileOutput(liquid: Liquid, { initial, filters }: Value): PlainRender | undefined {
  const [token, ...more] = initial.postfix;
  const read = more.length === 0 ? compileToken(token) : undefined;
  const steps = filters.map((filter) => compileFilter(liquid, filter));
  if (read === undefined || !steps.every((step) => step !== undefined)) return undefined;
  return (scope) => {
    let value = read(scope);
    let stays = isUnescaped(value);
    for (const step of steps) {
      if (stays && step.onlyEscapes) continue;
      if (!isPlain(value) && !(value === undefined && step.takesNothing)) return undefined;
      value = step.apply(value);
      stays = isUnescaped(value);
    }
    if (stays) return String(value);
    return isPlain(value) ? inJson(String(value)) : undefined;
  };
}

interface Step {
  readonly apply: (value: unknown) => unknown;
  readonly takesNothing: boolean;
  /** Whether it leaves a text as it is in which nothing is escaped. */
  readonly onlyEscapes: boolean;
}

function compileFilter(liquid: Liquid, filter: Filter): Step | undefined {
  const { name, args } = filter;
  if (!plainFilters.has(name) || !args.every((arg) => TypeGuards.isQuotedToken(arg))) {
    return undefined;
  }
  // What becomes of one value is bounded by the length of a row.
  const context = new Context({}, liquid.options, { sync: true, memoryLimit: Infinity });
  // Where there are no arguments to wait for, the first thing that it yields is the result.
  const isSimple = args.length === 0;
  return {
    apply(value) {
      const steps = filter.render(value, context);
      return isSimple ? steps.next().value : toValueSync(steps);
    },
    takesNothing: name === 'default',
    onlyEscapes: onlyEscapes.has(name),
  };
}

function compileIf(
  liquid: Liquid,
  { branches, elseTemplates = [] }: IfTag,
): PlainRender | undefined {
  const otherwise = compilePlain(liquid, elseTemplates);
  const choices = branches.map(({ value, templates }) => {
    const holds = compileCondition(value);
    const render = compilePlain(liquid, templates);
    return holds && render && { holds, render };
  });
  if (otherwise === undefined || !choices.every((choice) => choice !== undefined)) return undefined;
  return (scope) => {
    for (const { holds, render } of choices) {
      const held = holds(scope);
      if (held === undefined) return undefined;
      if (held) return render(scope);
    }
    return otherwise(scope);
  };
}

/** A value that is there, or two that are the same or not; undefined for all other conditions. */
function compileCondition({
  initial,
  filters,
}: Value): ((scope: Scope) => boolean | undefined) | undefined {
  if (filters.length > 0) return undefined;
  const [first, second, operator, ...more] = initial.postfix;
  const left = compileToken(first);
  if (left === undefined || more.length > 0) return undefined;
  if (second === undefined) {
    return (scope) => {
      const value = left(scope);
      return isPlainOrMissing(value) ? value !== undefined : undefined;
    };
  }
  const right = compileToken(second);
  if (right === undefined || !TypeGuards.isOperatorToken(operator)) return undefined;
  const wanted = operator.operator === '==' ? true : operator.operator === '!=' ? false : undefined;
  if (wanted === undefined) return undefined;
  return (scope) => {
    const one = left(scope);
    const other = right(scope);
    if (!isPlainOrMissing(one) || !isPlainOrMissing(other)) return undefined;
    return (one === other) === wanted;
  };
}

/** A text in quotes, a number, or a variable without anything behind it. */
function compileToken(token: Token | undefined): Read | undefined {
  if (TypeGuards.isQuotedToken(token) || TypeGuards.isNumberToken(token)) {
    const { content } = token;
    return () => content;
  }
  if (!TypeGuards.isPropertyAccessToken(token) || token.variable !== undefined) return undefined;
  const [name, ...more] = token.props;
  if (!TypeGuards.isWordToken(name) || more.length > 0 || ownNames.has(name.content)) {
    return undefined;
  }
  const { content } = name;
  return (scope) => (Object.hasOwn(scope, content) ? scope[content] : undefined);
}

function isPlain(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}

function isPlainOrMissing(value: unknown): value is string | number | undefined {
  return value === undefined || isPlain(value);
}
