import { Command, Help, type Option } from '@commander-js/extra-typings';
import type { LoadedCommand, ManifestEntry } from '../../commands/manifest.ts';
import type { CommandModel, FlagModel } from '../../lib/command-line/command/command-model.ts';
import { variableOf } from '../../lib/command-line/command/flags/common-flags.ts';
import { isRepeatable } from '../../lib/command-line/command/flags/repeatable.ts';
import { declare, type FlagOrArgument, offerFor } from '../command-line.ts';
import { groupsOf } from '../help.ts';
import { commonDocuments, documentsOf, type PrintedDocument } from './documents.ts';
import { plainSchema } from './schemas.ts';

/** Everything that a command's file and line of the manifest say, as JSON. */
export async function modelOf({ words, summary, load }: ManifestEntry): Promise<CommandModel> {
  const { command } = await load();
  const leaf = new Command(words.at(-1));
  declare(leaf, command);
  const documents = await documentsOf(command);
  return {
    command: words.join(' '),
    summary,
    description: command.description,
    usage: leaf.usage(),
    arguments: leaf.registeredArguments.map((one) => ({
      name: one.name(),
      required: one.required,
      repeatable: one.variadic,
      description: one.description,
      ...choicesOf(command, one),
    })),
    flags: groupsOf(new Help().visibleOptions(leaf)).flatMap(([group, options]) =>
      options.map((option) => flagModel(command, option, group.replace(/:$/, ''))),
    ),
    ...(command.grammar === undefined ? {} : { values: grammarOf(command.grammar) }),
    effects: Object.fromEntries(
      Object.entries(command.effects).map(([effect, cause]) => [
        effect,
        cause === true ? true : [...cause],
      ]),
    ),
    exits: exitsOf(command),
    prints: [...documents, ...commonOf(command)].map(
      ({ when, what, schema, line }: PrintedDocument, index) => ({
        when,
        what,
        schema: plainSchema(schema),
        ...(line === undefined ? {} : { line: plainSchema(line) }),
        columns: [...(command.prints[index]?.columns ?? [])],
      }),
    ),
    examples: Object.entries(command.examples).map(([line, effect]) => ({ line, effect })),
  };
}

/** The documents of the common flags that a command takes. */
function commonOf({ takes = [] }: LoadedCommand) {
  return [
    ...(takes.includes('approval') ? [commonDocuments['for-approval']] : []),
    ...(takes.includes('dry runs') ? [commonDocuments['dry-run']] : []),
  ];
}

function flagModel(command: LoadedCommand, option: Option, group: string): FlagModel {
  const { long, short, required, optional, flags, description, defaultValue } = option;
  const name = long ?? short ?? '';
  const env = variableOf[name];
  return {
    name,
    short: long === undefined ? null : (short ?? null),
    value: required || optional ? (/[<[](.*)[>\]]$/.exec(flags)?.[1] ?? '') : null,
    valueOptional: optional,
    repeatable: isRepeatable(option),
    description,
    group,
    ...choicesOf(command, option),
    ...(isPlain(defaultValue) ? { default: defaultValue } : {}),
    ...(env === undefined ? {} : { env }),
  };
}

/** The values of a flag or argument, if there are only a few. */
function choicesOf(command: LoadedCommand, taker: FlagOrArgument) {
  const offer = offerFor(command, taker);
  return Array.isArray(offer) ? { choices: offer } : {};
}

function grammarOf({ title, rows }: NonNullable<LoadedCommand['grammar']>) {
  return { title, rows: rows.map(([term, meaning]) => ({ term, meaning })) };
}

/** Success, and the codes that have a meaning of their own here. */
function exitsOf({ exits = {} }: LoadedCommand): CommandModel['exits'] {
  const own = Object.entries(exits).map(([code, meaning]) => ({ code: Number(code), meaning }));
  return [{ code: 0, meaning: 'done' }, ...own];
}

function isPlain(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}
