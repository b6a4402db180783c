import { Liquid, LiquidError, type Template } from 'liquidjs';
import { UsageError } from '../../errors.ts';
import { compilePlain, type Scope } from './plain-template.ts';

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

/** Renders for one row the parts that the row does not bring itself (`own`), by their fields. */
export type Render = (scope: Scope, own: Scope) => Readonly<Record<string, string>>;

/** What a row can take at most: a template is code, and may loop. */
const limits = { memoryLimit: 64 * 1024 * 1024, renderLimit: 5000, parseLimit: 16 * 1024 * 1024 };

/**
 * Compiles the templates into a function that renders them for one row. In HTML every value is escaped
 * without `| raw`. A missing value without `default` and an unknown filter are errors. Templates reach
 * neither files nor prototypes. Both throw a `UsageError` that names the flag.
 */
export function compileTemplates(sources: TemplateSources): Render {
  const parts = Object.entries({
    subject: compile(false, sources.subject),
    text: compile(false, sources.text),
    html: compile(true, sources.html),
  });
  return (scope, own) => {
    const rendered: Record<string, string> = {};
    for (const [part, render] of parts) {
      if (render !== undefined && own[part] === undefined) rendered[part] = render(scope);
    }
    return rendered;
  };
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

function compile(
  escapesHtml: boolean,
  given: TemplateSource | undefined,
): ((scope: Scope) => string) | undefined {
  if (given === undefined) return undefined;
  const { flag, source } = given;
  const liquid = engine(escapesHtml);
  let template: Template[];
  try {
    template = liquid.parse(source);
  } catch (error) {
    throw new UsageError(`${flag}: ${messageOf(error)}`, {
      hint: 'It is a Liquid template: {{ name }}, or {{ name | default: "friend" }}',
      cause: error,
    });
  }
  const plain = compilePlain(source, escapesHtml);
  return (scope) => {
    try {
      return plain?.(scope) ?? String(liquid.renderSync(template, scope));
    } catch (error) {
      throw new UsageError(`${flag}: ${messageOf(error, scope)}`, { cause: error });
    }
  };
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
