import {
  CaptureTag,
  type Context,
  defaultOperators,
  Liquid,
  LiquidError,
  type Template,
} from 'liquidjs';

import { isNoValue } from '../../../shared/no-value.ts';
import { UsageError } from '../../base/errors.ts';
import { asMeant, variable } from '../../base/text/column-names.ts';
import { nearest } from '../../base/text/nearest.ts';
import { asHtml } from './as-html.ts';
import type { ReadDates, Times } from './dates.ts';
import { HtmlText, keepHtml } from './html-text.ts';
import { compilePlain, type Scope, type WriteValue } from './plain-template.ts';
import { refuseTextsAsNumbers } from './strict-numbers.ts';
import { constantsIn, refuseConditions, refuseUnmeant } from './unmeant-outputs.ts';

/** Liquid templates for the parts of an email, each with the flag it comes from. */
export type TemplateSources = {
  readonly [part in 'to' | 'subject' | 'text' | 'html']?: TemplateSource | undefined;
};

export interface TemplateSource {
  readonly flag: string;
  readonly source: string;
}

/**
 * Renders the parts, by field, that a row does not have itself. Throws a `UsageError` for a row with
 * recipients if there is a template for them, too: it is unclear which ones are meant.
 */
export type Render = (
  row: RowValues & { readonly fields: Readonly<Record<string, unknown>> },
) => Readonly<Record<string, string>>;

/** The values of a row, and the names that its templates can use, even those without a value. */
export interface RowValues {
  readonly scope: () => Scope;
  readonly columns: readonly string[];
}

/** Renders one template for one row; `columns` are for the message about a missing value. */
export type Compiled = (scope: Scope, columns: readonly string[]) => string;

/** Limits for rendering a row: a template is code, and may loop. */
const limits = { memoryLimit: 64 * 1024 * 1024, renderLimit: 5000, parseLimit: 16 * 1024 * 1024 };

/**
 * Compiles the templates into a function that renders them for one row. In HTML every value is escaped once
 * without `| raw`. A missing value without `default` and an unknown filter are errors. Templates can read
 * neither files nor prototypes. Compiling and rendering throw a `UsageError` that names the flag.
 */
export function compileTemplates(sources: TemplateSources, readDates?: ReadDates): Render {
  const parts = Object.entries(sources).flatMap(([part, given]) =>
    given === undefined
      ? []
      : [[part, compile(part === 'html' ? inHtml : undefined, given, { readDates })] as const],
  );
  return ({ scope, fields, columns }) => {
    if (sources.to !== undefined && fields.to !== undefined) {
      throw new UsageError(`${sources.to.flag} is given, and the row has recipients in "to"`);
    }
    const rendered: Record<string, string> = {};
    const values = parts.length === 0 ? {} : scope();
    for (const [part, render] of parts) {
      if (fields[part] === undefined) rendered[part] = render(values, columns);
    }
    return rendered;
  };
}

/** The names that templates take from a row. Throws a `UsageError` for a template that cannot be read. */
export function variablesIn(
  templates: readonly (TemplateSource | undefined)[],
): ReadonlySet<string> {
  const liquid = engine(undefined, (text) => text);
  return new Set(
    templates.flatMap((one) => {
      if (one === undefined) return [];
      const parsed = parse(liquid, one);
      return liquid.globalVariablesSync(parsed, { partials: false });
    }),
  );
}

/** Writes a value into HTML. */
export function inHtml(text: string, isHtml: boolean): string {
  return isHtml ? text : asHtml(text);
}

/** The machine's, which each engine would look up by itself: that takes as long as reading a template. */
let locale: string | undefined;

function engine(write: WriteValue | undefined, captured: (text: string) => string): Liquid {
  locale ??= new Intl.DateTimeFormat().resolvedOptions().locale;
  const liquid = new Liquid({
    locale,
    strictVariables: true,
    strictFilters: true,
    // Without it, `default` would not help with a missing value.
    lenientIf: true,
    operators: { ...defaultOperators, '==': isEqual, '!=': isUnequal },
    ownPropertyOnly: true,
    // Otherwise a missing `size` of a row would be the size of the globals, 0.
    globals: { size: undefined },
    // `include` and `render` find nothing: a template reads no files.
    templates: {},
    ...limits,
    outputEscape: (value: unknown) => {
      refuseUnmeant(value);
      return write ? write(inWords(value), value instanceof HtmlText) : inWords(value);
    },
  });
  // The message of an unknown tag is clearer than that of a missing file.
  for (const tag of ['include', 'render', 'layout']) delete liquid.tags[tag];
  refuseTextsAsNumbers(liquid);
  const raw = (value: unknown) => {
    refuseUnmeant(value);
    return value;
  };
  liquid.registerFilter('raw', { raw: true, handler: raw });
  if (write !== undefined) {
    keepHtml(liquid);
    liquid.registerTag('capture', captureTag(captured));
  }
  return liquid;
}

const { '==': equal } = defaultOperators;

/** To an empty text, no value is equal: for a cell, they are the same. */
function* isEqual(left: unknown, right: unknown, context: Context): Generator<unknown, boolean> {
  return Boolean(
    (yield equal?.(left, right, context)) || (yield equal?.(left ?? '', right ?? '', context)),
  );
}

function* isUnequal(left: unknown, right: unknown, context: Context): Generator<unknown, boolean> {
  return !(yield isEqual(left, right, context));
}

/** `capture` of HTML, which is not escaped again. Its text passes through `captured`. */
function captureTag(captured: (text: string) => string) {
  return class extends CaptureTag {
    override *render(context: Context): Generator<unknown, void, string> {
      yield* super.render(context);
      const scope: Record<string, unknown> = context.bottom();
      scope[this.variable] = new HtmlText(captured(inWords(scope[this.variable])));
    }
  };
}

/** A value as Liquid prints it. */
function inWords(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === undefined || value === null) return '';
  // `String` would not use `valueOf`.
  if (value instanceof HtmlText) return value.valueOf();
  return Array.isArray(value) ? value.map(inWords).join('') : String(value);
}

interface CompileOptions {
  /** Converts captured text, which then is HTML. */
  readonly captured?: ((text: string) => string) | undefined;
  /** From `readDatesOf`, for a template that writes dates. */
  readonly readDates?: ReadDates | undefined;
}

/** Loads the reading of dates, if one of the templates writes any. */
export async function readDatesOf(
  context: Times,
  templates: readonly (TemplateSource | undefined)[],
): Promise<ReadDates | undefined> {
  if (!templates.some((one) => one && /\|\s*date/.test(one.source))) return undefined;
  return await (await import('./dates.ts')).createReadDates(context);
}

/**
 * Compiles one template; `write` converts each value for output, unless it is `raw`. Compiling and rendering throw a `UsageError` that names the flag.
 */
export function compile(
  write: WriteValue | undefined,
  given: TemplateSource,
  { captured = (text) => text, readDates }: CompileOptions = {},
): Compiled {
  const { flag, source } = given;
  const liquid = engine(write, captured);
  readDates?.(liquid);
  const template = parse(liquid, given);
  const plain = compilePlain(source, write);
  const constants = [...constantsIn(source)];
  return (scope, columns) => {
    const isName = ([one]: readonly [string, string]) =>
      columns.includes(one) || Object.hasOwn(scope, one);
    const [name, written] = constants.find(isName) ?? [];
    if (name !== undefined) {
      throw new UsageError(
        `${flag}: ${written} writes ${JSON.stringify(name)}, not its value, which is ${variable(name)}; write the word itself without braces`,
      );
    }
    try {
      return plain?.(scope) ?? String(liquid.renderSync(template, stated(scope)));
    } catch (error) {
      const missing = missingIn(error);
      const hint =
        missing &&
        `If there may be no value: {{ ${missing} | default: "friend" }}, or default: "" for nothing.`;
      throw new UsageError(`${flag}: ${messageOf(error, columns)}`, { cause: error, hint });
    }
  };
}

/** Values as templates see them: null, and a text of white space, are none at any depth, as an empty cell is. */
function stated(values: object): object {
  const read = (value: unknown): unknown => {
    if (isNoValue(value)) return undefined;
    if (Array.isArray(value)) return value.map(read);
    return value instanceof Object ? stated(value) : value;
  };
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, read(value)]));
}

function parse(liquid: Liquid, { flag, source }: TemplateSource): Template[] {
  try {
    const parsed = liquid.parse(source);
    refuseConditions(flag, source);
    return parsed;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${flag}: ${messageOf(error)}`, {
      hint: 'It is a Liquid template: {{ name }}, or {{ name | default: "friend" }}. Braces to be seen stand between {% raw %} and {% endraw %}',
      cause: error,
    });
  }
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n', 1).join();
}

/** The name that has no value, if that is the error. */
function missingIn(error: unknown): string | undefined {
  return /^undefined variable: (.+?)(?:, line:\d+, col:\d+)?$/.exec(firstLine(error))?.[1];
}

/** Liquid's message, without the lines of the template around it. */
function messageOf(error: unknown, columns: readonly string[] = []): string {
  const message = firstLine(error);
  const missing = missingIn(error);
  if (missing !== undefined) {
    const meant = likeliest(missing, columns);
    const instead = meant === undefined ? '' : `; did you mean ${variable(meant)}?`;
    return `no value for ${missing}, and no default${instead}`;
  }
  if (!LiquidError.is(error)) return `cannot be rendered: ${message}`;
  const [, unmeant] = /^(writes .*), line:\d+, col:\d+$/.exec(message) ?? [];
  return unmeant === undefined ? message : `${error.token.getText()} ${unmeant}`;
}

/** The column that a name without a value may stand for; undefined if there is one of that name. */
function likeliest(name: string, columns: readonly string[]): string | undefined {
  if (columns.includes(name)) return undefined;
  const meant = asMeant(name);
  return (
    columns.find((one) => asMeant(one) === meant) ??
    nearest(name, columns) ??
    // Liquid reads `{{ First Name }}` as `First`.
    columns.find((one) => one.startsWith(`${name} `))
  );
}
