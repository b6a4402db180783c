import * as z from 'zod';
import { UsageError } from '../../base/errors.ts';
import { visible } from '../../base/text/visible.ts';
import type { CommandModel, FlagModel } from '../../command-line/command/command-model.ts';
import { fileInside } from './inside-root.ts';
import type { Tool } from './tools.ts';

/** What a call asks for. */
export interface ToolInput {
  /** The words after those of the command. */
  readonly words: readonly string[];
  /** The argument alone, for the command that comes first. */
  readonly argument: readonly string[];
  readonly bodies: boolean;
  /** The digest of what is to be sent. */
  readonly digest: unknown;
}

const bodyFlags = ['--text', '--html'];
/** The most values of a repeatable field. */
const mostValues = 50;
// `-` would read stdin.
const text = (longest: number) =>
  z
    .string()
    .regex(/^(?!-$)[^\0]+$/)
    .max(longest);

/** The schema of a tool's arguments: fields that the command does not have are errors. */
export function inputSchema(tool: Tool, model: CommandModel, root: string | undefined) {
  const shape: Record<string, z.ZodType> = {};
  const { argument } = tool;
  if (argument !== undefined && (argument.endings === undefined || root !== undefined)) {
    const field = text(1000).describe(
      argument.endings === undefined ? argument.text : `${argument.text}: ${belowRoot}`,
    );
    shape[argument.field] = argument.required ? field : field.optional();
  }
  for (const flag of flagsOf(tool, model, root)) {
    const field = fieldOf(flag).describe(
      tool.paths?.includes(flag.name) ? `${flag.description}: ${belowRoot}` : flag.description,
    );
    shape[nameOf(flag.name)] = tool.required?.includes(flag.name) ? field : field.optional();
  }
  if (tool.bodies?.onRequest === true) {
    shape.bodies = z.boolean().optional().describe('also the bodies, which are long');
  }
  if (tool.only === 'sends') {
    shape.digest = text(200).describe('the digest of the entry, as prepare_email returned it');
  }
  return z.strictObject(shape);
}

const belowRoot = 'a path below the root of this server';

/** The words of a call. Throws a `UsageError` that names each wrong field. */
export function readToolInput(
  tool: Tool,
  model: CommandModel,
  root: string | undefined,
  given: unknown,
): ToolInput {
  const read = inputSchema(tool, model, root).safeParse(given ?? {});
  if (!read.success) throw new UsageError(visible(z.prettifyError(read.error)));
  const { data } = read;
  const words = flagsOf(tool, model, root).flatMap(({ name }) => {
    const values = [data[nameOf(name)] ?? []].flat();
    return values.flatMap((value) => {
      if (typeof value === 'boolean') return value ? [name] : [];
      const isPath = root !== undefined && tool.paths?.includes(name) === true;
      return [`${name}=${isPath ? fileInside(root, String(value)) : value}`];
    });
  });
  const argument = argumentOf(tool, root, data);
  return {
    words: [...words, ...argument],
    argument,
    bodies: data.bodies === true,
    digest: data.digest,
  };
}

function argumentOf(
  { argument }: Tool,
  root: string | undefined,
  data: Readonly<Record<string, unknown>>,
): readonly string[] {
  const value = argument && data[argument.field];
  if (argument === undefined || typeof value !== 'string') return [];
  const { endings } = argument;
  // After --, no value can be a flag.
  return ['--', endings && root !== undefined ? fileInside(root, value, endings) : value];
}

function flagsOf({ flags = [], paths = [] }: Tool, model: CommandModel, root?: string) {
  const names = root === undefined ? flags : [...flags, ...paths];
  return model.flags.filter(({ name }) => names.includes(name));
}

/** `--reply-to` is `replyTo`. */
function nameOf(flag: string): string {
  return flag.slice(2).replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function fieldOf({ name, value, choices, repeatable }: FlagModel): z.ZodType {
  const one =
    value === null
      ? z.boolean()
      : choices !== undefined
        ? z.enum(choices)
        : value === 'n'
          ? z.int().min(1).max(1_000_000)
          : text(bodyFlags.includes(name) ? 1_000_000 : 1000);
  return repeatable ? z.array(one).min(1).max(mostValues) : one;
}
