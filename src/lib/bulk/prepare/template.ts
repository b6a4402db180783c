import { Liquid, LiquidError, type Template } from 'liquidjs';
import { UsageError } from '../../errors.ts';
import { compilePlain, inJson, type PlainRender, type Scope } from './plain-template.ts';

/** Liquid templates for the parts of an email, each with the flag that gives it. */
export interface TemplateSources {
  readonly subject?: TemplateSource | undefined;
  readonly text?: TemplateSource | undefined;
  readonly html?: TemplateSource | undefined;
}

export interface TemplateSource {
  readonly flag: string;
  readonly source: string;
}

/** A part of an email, rendered: `subject`, `text` or `html`. */
export interface RenderedPart {
  readonly part: string;
  readonly text: string;
  /** The same as it stands in a JSON string, between the quotes. */
  readonly json: string;
}

export interface Templates {
  /** Renders for one row the parts that the row does not bring itself (`own`). */
  render(scope: Scope, own: Readonly<Record<string, unknown>>): RenderedPart[];
  /**
   * Renders all parts for one row as fields of a JSON object, a comma before each; undefined where
   * `render` is to be asked, which takes longer, and whether a service takes what becomes of them.
   */
  renderPlain(scope: Scope): string | undefined;
}

/** What a row can take at most: a template is code, and may loop. */
const limits = { memoryLimit: 64 * 1024 * 1024, renderLimit: 5000, parseLimit: 16 * 1024 * 1024 };

/**
 * Compiles the templates; the function renders them for one row. In HTML every value is escaped,
 * unless the template says `| raw`. A value that is missing and has no `default` is an error, and
 * so is an unknown filter. Templates reach neither files nor prototypes.
 *
 * Throws a `UsageError` for a template that cannot be parsed; the function throws one whose
 * message names the flag when a row cannot be rendered.
 */
export function compileTemplates(sources: TemplateSources): Templates {
  const plain = engine(false);
  const html = engine(true);
  const parts = Object.entries({
    subject: compile(plain, sources.subject),
    text: compile(plain, sources.text),
    html: compile(html, sources.html),
  }).flatMap(([part, compiled]) => (compiled === undefined ? [] : [{ part, compiled }]));
  return {
    render: (scope, own) =>
      parts
        .filter(({ part }) => own[part] === undefined)
        .map(({ part, compiled }) => ({ part, ...render(compiled, scope) })),
    renderPlain(scope) {
      let all = '';
      for (const { part, compiled } of parts) {
        const json = renderPlain(compiled, scope);
        if (json === undefined || json === '') return undefined;
        // A line break, perhaps.
        if (part === 'subject' && json.includes('\\')) return undefined;
        all += `,"${part}":"${json}"`;
      }
      return all;
    },
  };
}

interface Compiled {
  readonly flag: string;
  readonly liquid: Liquid;
  readonly template: Template[];
  readonly plain: PlainRender | undefined;
}

function engine(escapesHtml: boolean): Liquid {
  return new Liquid({
    strictVariables: true,
    strictFilters: true,
    // Without it `default` would be no help against a missing value.
    lenientIf: true,
    ownPropertyOnly: true,
    // Otherwise the size of the globals, 0, stands for a row's that is missing.
    globals: { size: undefined },
    // `include` and `render` find nothing: a template reads no files.
    templates: {},
    ...limits,
    ...(escapesHtml ? { outputEscape: 'escape' } : {}),
  });
}

function compile(liquid: Liquid, given: TemplateSource | undefined): Compiled | undefined {
  if (given === undefined) return undefined;
  try {
    const template = liquid.parse(given.source);
    return { flag: given.flag, liquid, template, plain: compilePlain(liquid, template) };
  } catch (error) {
    throw new UsageError(`${given.flag}: ${messageOf(error)}`, {
      hint: 'It is a Liquid template: {{ name }}, or {{ name | default: "friend" }}',
      cause: error,
    });
  }
}

/** What fails here fails there too, and is put into words. */
function renderPlain({ plain }: Compiled, scope: Scope): string | undefined {
  try {
    return plain?.(scope);
  } catch {
    return undefined;
  }
}

function render(compiled: Compiled, scope: Scope): Omit<RenderedPart, 'part'> {
  const json = renderPlain(compiled, scope);
  if (json !== undefined) return { text: JSON.parse(`"${json}"`) as string, json };
  const { liquid, template, flag } = compiled;
  try {
    const text = String(liquid.renderSync(template, scope));
    return { text, json: inJson(text) };
  } catch (error) {
    throw new UsageError(`${flag}: ${messageOf(error, scope)}`, { cause: error });
  }
}

/** What Liquid says, without the lines of the template around it. */
function messageOf(error: unknown, scope: Scope = {}): string {
  const [message = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  const [, variable] = /^undefined variable: (.+?)(?:, line:\d+, col:\d+)?$/.exec(message) ?? [];
  if (variable !== undefined) {
    const alike = Object.keys(scope).find((name) => asMeant(name) === asMeant(variable));
    const meant = alike === undefined ? '' : `; there is ${alike}`;
    return `no value for ${variable}, and no default${meant}`;
  }
  return LiquidError.is(error) ? message : `cannot be rendered: ${message}`;
}

/** A name as people mean it. */
function asMeant(name: string): string {
  return name.toLowerCase().replace(/[-_ ]/g, '');
}
