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

/** What a template has become: a text, and the same as a JSON string without its quotes. */
export interface Rendered {
  text: string;
  json: string;
}

/** Adds to what is rendered; false for values of which only Liquid itself can say what becomes. */
type Piece = (scope: Scope, rendered: Rendered) => boolean;

/** Renders, or returns undefined for values of which only Liquid itself can say what becomes. */
export type PlainRender = (scope: Scope) => Rendered | undefined;

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
  const piece = compileAll(liquid, templates);
  if (piece === undefined) return undefined;
  return (scope) => {
    const rendered = { text: '', json: '' };
    return piece(scope, rendered) ? rendered : undefined;
  };
}

function compileAll(liquid: Liquid, templates: readonly Template[]): Piece | undefined {
  const pieces = templates.map((template) => compileOne(liquid, template));
  if (!pieces.every((piece) => piece !== undefined)) return undefined;
  return (scope, rendered) => {
    for (const piece of pieces) if (!piece(scope, rendered)) return false;
    return true;
  };
}

function compileOne(liquid: Liquid, template: Template): Piece | undefined {
  const { token } = template;
  if (TypeGuards.isHTMLToken(token)) {
    const text = token.getContent();
    const json = inJson(text);
    return (_, rendered) => {
      rendered.text += text;
      rendered.json += json;
      return true;
    };
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

function compileOutput(liquid: Liquid, { initial, filters }: Value): Piece | undefined {
  const [token, ...more] = initial.postfix;
  const read = more.length === 0 ? compileToken(token) : undefined;
  const steps = filters.map((filter) => compileFilter(liquid, filter));
  if (read === undefined || !steps.every((step) => step !== undefined)) return undefined;
  return (scope, rendered) => {
    let value = read(scope);
    for (const step of steps) {
      if (!isPlain(value) && !(value === undefined && step.takesNothing)) return false;
      value = step.apply(value);
    }
    if (!isPlain(value)) return false;
    const text = String(value);
    rendered.text += text;
    rendered.json += inJson(text);
    return true;
  };
}

function compileFilter(
  liquid: Liquid,
  filter: Filter,
): { apply: (value: unknown) => unknown; takesNothing: boolean } | undefined {
  const { name, args } = filter;
  if (!plainFilters.has(name) || !args.every((arg) => TypeGuards.isQuotedToken(arg))) {
    return undefined;
  }
  // What becomes of one value is bounded by the length of a row.
  const context = new Context({}, liquid.options, { sync: true, memoryLimit: Infinity });
  const unchanged = leavesAsItIs(name);
  return {
    apply: (value) => (unchanged(value) ? value : toValueSync(filter.render(value, context))),
    takesNothing: name === 'default',
  };
}

/** Values that a filter has nothing to do with, as most are. */
function leavesAsItIs(name: string): (value: unknown) => boolean {
  switch (name) {
    case 'default':
      return (value) => typeof value === 'string' && value !== '';
    case 'escape':
    case escapingAll:
      return (value) => typeof value === 'string' && !/[&<>"']/.test(value);
    default:
      return () => false;
  }
}

function compileIf(liquid: Liquid, { branches, elseTemplates = [] }: IfTag): Piece | undefined {
  const otherwise = compileAll(liquid, elseTemplates);
  const choices = branches.map(({ value, templates }) => {
    const holds = compileCondition(value);
    const render = compileAll(liquid, templates);
    return holds && render && { holds, render };
  });
  if (otherwise === undefined || !choices.every((choice) => choice !== undefined)) return undefined;
  return (scope, rendered) => {
    for (const { holds, render } of choices) {
      const held = holds(scope);
      if (held === undefined) return false;
      if (held) return render(scope, rendered);
    }
    return otherwise(scope, rendered);
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
