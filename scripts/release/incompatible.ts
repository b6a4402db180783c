import type { JsonSchema } from '../docs/json/schemas.ts';
import type { CommandContract, Contract } from './contract.ts';

/** A change that breaks scripts. */
export interface Incompatible {
  /** What a changelog must name: `email send`, `--to`, `6`. */
  readonly names: readonly string[];
  /** The change, in a sentence without a full stop. */
  readonly message: string;
}

/** Changes in `after` that may break scripts written for the contract `before`. Additions break nothing. */
export function incompatible(before: Contract, after: Contract): readonly Incompatible[] {
  return [
    ...exitCodeChanges(before, after),
    ...Object.entries(before.commands).flatMap(([name, command]) => {
      const now = after.commands[name];
      if (now === undefined) return [{ names: [name], message: `${name} is gone` }];
      return commandChanges(name, command, now);
    }),
    ...Object.entries(before.documents).flatMap(([name, schema]) =>
      schemaChanges(schema, after.documents[name] ?? false).map(
        (change): Incompatible => ({ names: [name], message: `the JSON of ${name}: ${change}` }),
      ),
    ),
  ];
}

function exitCodeChanges(before: Contract, after: Contract): readonly Incompatible[] {
  return Object.entries(before.exitCodes).flatMap(([code, names]) => {
    const now = after.exitCodes[code];
    if (now === undefined) return [{ names: [code], message: `exit code ${code} is gone` }];
    const left = now.split(', ');
    return names
      .split(', ')
      .filter((name) => !left.includes(name))
      .map((name) => ({ names: [code], message: `exit code ${code} is no longer ${name}` }));
  });
}

function commandChanges(
  name: string,
  before: CommandContract,
  after: CommandContract,
): readonly Incompatible[] {
  const flags = Object.entries(before.flags).flatMap(([flag, kind]): Incompatible[] => {
    const now = after.flags[flag];
    // A flag that became repeatable still accepts what it accepted before.
    const isSame = now === kind || (kind === 'value' && now === 'repeatable value');
    if (isSame) return [];
    const change = now === undefined ? 'is gone' : `takes ${now}, not ${kind}`;
    return [{ names: [name, flag], message: `${name}: ${flag} ${change}` }];
  });
  const required = ({ arguments: all }: CommandContract) => all.filter((one) => one.required);
  const fewer = after.arguments.length < before.arguments.length;
  const more = required(after).length > required(before).length;
  const args =
    fewer || more
      ? [{ names: [name], message: `${name}: it takes ${fewer ? 'fewer' : 'more'} arguments` }]
      : [];
  const json = schemaChanges(before.json, after.json).map((change) => ({
    names: [name],
    message: `${name}: in its JSON, ${change}`,
  }));
  return [...flags, ...args, ...json];
}

/** Changes in the columns that a command prints to a pipe. Scripts count them, so new ones must come last. */
export function columnChanges(
  name: string,
  before: readonly string[],
  after: readonly string[],
): readonly Incompatible[] {
  const at = before.findIndex((column, index) => after[index] !== column);
  if (at < 0) return [];
  const now = after[at] ?? 'nothing';
  return [{ names: [name], message: `${name}: column ${at + 1} is ${now}, not ${before[at]}` }];
}

type Schema = JsonSchema | boolean;

/** How documents of `after` may break a reader of documents of `before`. */
export function schemaChanges(before: Schema, after: Schema, at = ''): readonly string[] {
  const where = at === '' ? 'the document' : at;
  if (before === true || after === true) return before === after ? [] : anyChange(before, where);
  if (before === false) return [];
  if (after === false) return [`${where} is gone`];
  if (isAny(before)) return [];
  if (after.anyOf !== undefined) {
    return after.anyOf.flatMap((one) => schemaChanges(before, one, at));
  }
  if (before.anyOf !== undefined) {
    const all = before.anyOf.map((one) => schemaChanges(one, after, at));
    return all.reduce((least, one) => (one.length < least.length ? one : least));
  }
  if (isAny(after)) return [`${where} may be anything`];
  return [
    ...typeChanges(before, after, where),
    ...propertyChanges(before, after, at),
    ...schemaChanges(before.items ?? true, after.items ?? true, `${at}[]`),
    ...Object.entries(before.$defs ?? {}).flatMap(([name, one]) =>
      schemaChanges(one, after.$defs?.[name] ?? false, name),
    ),
  ];
}

function anyChange(before: Schema, where: string): readonly string[] {
  return before === true || (typeof before === 'object' && isAny(before))
    ? []
    : [`${where} may be anything`];
}

/** Whether a schema allows every value. */
function isAny(schema: JsonSchema): boolean {
  return ['type', 'anyOf', 'enum', 'properties', 'const'].every((word) => !(word in schema));
}

function typeChanges(before: JsonSchema, after: JsonSchema, where: string): readonly string[] {
  const known = typesOf(before);
  const isKnown = (type: string) =>
    known.includes(type) || (type === 'integer' && known.includes('number'));
  const types = known.length === 0 ? [] : typesOf(after).filter((type) => !isKnown(type));
  const values =
    before.enum === undefined
      ? []
      : (after.enum ?? ['other values']).filter((value) => !before.enum?.includes(value));
  const rules = ['pattern', 'format'].filter(
    (rule) => before[rule] !== undefined && before[rule] !== after[rule],
  );
  return [
    ...types.map((type) => `${where} may be ${type}`),
    ...values.map((value) => `${where} may be ${String(value)}`),
    ...rules.map((rule) => `${where} has another ${rule}`),
  ];
}

function typesOf({ type }: JsonSchema): readonly string[] {
  return type === undefined ? [] : [type].flat();
}

/** New properties are compatible: readers skip those that they do not know. */
function propertyChanges(before: JsonSchema, after: JsonSchema, at: string): readonly string[] {
  return Object.entries(before.properties ?? {}).flatMap(([name, property]) => {
    const path = at === '' ? name : `${at}.${name}`;
    const now = after.properties?.[name];
    if (now === undefined) return [`${path} is gone`];
    const isOptional = before.required?.includes(name) && !after.required?.includes(name);
    return [
      ...(isOptional ? [`${path} may be missing`] : []),
      ...schemaChanges(property, now, path),
    ];
  });
}

/**
 * The changes that a version may not have: all of them, unless it increases the major version (or for 0.x,
 * the minor version); then those that its part of the changelog does not name.
 */
export function unexplained(
  changes: readonly Incompatible[],
  from: string,
  to: string,
  changelog: string,
): readonly string[] {
  const section = changelog.split(/^## /m).find((part) => part.startsWith(`${to} `)) ?? '';
  const mayBreak = breaking(from) !== breaking(to);
  return changes
    .filter(({ names }) => !(mayBreak && names.every((name) => section.includes(`\`${name}\``))))
    .map(({ message }) => message);
}

/** The part of a version that changes with incompatible changes: 1 in `1.2.3`, 0.1 in `0.1.2`. */
function breaking(version: string): string {
  const [major = '', minor = ''] = version.split('.');
  return major === '0' ? `${major}.${minor}` : major;
}
