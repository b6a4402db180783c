import { Command } from '@commander-js/extra-typings';
import { declare } from '../../src/cli/command-line.ts';
import { manifest } from '../../src/commands/manifest.ts';
import { isRepeatable } from '../../src/lib/command/flags/repeatable.ts';
import { version } from '../../src/lib/version.ts';
import { exitMeanings } from '../docs/exit-codes.ts';
import { commonOutputs, jsonOutputs } from '../docs/json/outputs.ts';
import { commandSchema, documentSchema, type JsonSchema } from '../docs/json/schemas.ts';

/** Whether and how a flag takes a value. */
type FlagKind = 'no value' | 'value' | 'repeatable value' | 'optional value';

/** An argument of a command: `file`, and whether it is optional. */
interface ContractArgument {
  readonly name: string;
  readonly required: boolean;
}

/** What scripts may rely on in one command. */
export interface CommandContract {
  readonly arguments: readonly ContractArgument[];
  /** By `--long` or `-s`. Hidden flags are not promised. */
  readonly flags: Readonly<Record<string, FlagKind>>;
  /** The schema of its JSON. */
  readonly json: JsonSchema;
}

/** What scripts may rely on in a version of the program. */
export interface Contract {
  readonly version: string;
  /** Names in JSON, by exit code. */
  readonly exitCodes: Readonly<Record<string, string>>;
  readonly commands: Readonly<Record<string, CommandContract>>;
  /** The schemas of documents that any command may print, by their names. */
  readonly documents: Readonly<Record<string, JsonSchema>>;
}

/** The contract of this checkout. */
export async function currentContract(): Promise<Contract> {
  const commands = await Promise.all(
    manifest.map(async ({ words, load }) => {
      const { command } = await load();
      const leaf = new Command(words.at(-1));
      declare(leaf, command);
      const name = words.join(' ');
      const contract: CommandContract = {
        arguments: leaf.registeredArguments.map((one) => ({
          name: one.name(),
          required: one.required,
        })),
        flags: Object.fromEntries(leaf.options.filter(({ hidden }) => !hidden).flatMap(namedKinds)),
        json: commandSchema(name, jsonOutputs[name] ?? []),
      };
      return [name, contract] as const;
    }),
  );
  return {
    version,
    exitCodes: Object.fromEntries(exitMeanings.map(([code, names]) => [String(code), names])),
    commands: Object.fromEntries(commands),
    documents: Object.fromEntries(
      Object.entries(commonOutputs).map(([name, one]) => [name, documentSchema(name, one)]),
    ),
  };
}

type Option = Command['options'][number];

function namedKinds(option: Option): [name: string, kind: FlagKind][] {
  const kind = kindOf(option);
  return [option.short, option.long].flatMap((name) => (name ? [[name, kind]] : []));
}

function kindOf(option: Option): FlagKind {
  if (option.optional) return 'optional value';
  if (!option.required) return 'no value';
  return isRepeatable(option) ? 'repeatable value' : 'value';
}
