import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commonOutputs, jsonOutputs } from '../../scripts/docs/json/outputs.ts';
import { jsonPage } from '../../scripts/docs/json/page.ts';
import {
  caseSchema,
  commandSchema,
  documentSchema,
  schemaFile,
} from '../../scripts/docs/json/schemas.ts';
import { manifest } from '../../src/commands/manifest.ts';
import { root } from '../support/process.ts';
import { filesIn } from '../support/sources.ts';
import { acceptedBroken, problem, silentIn } from './json/checks.ts';
import { errorSamples } from './json/error-samples.ts';
import { example } from './json/example.ts';
import { createMachine, type Machine } from './json/machine.ts';
import { type Sample, samples } from './json/samples.ts';

const schemas = [
  ...Object.entries(jsonOutputs).map(
    ([words, cases]) => [schemaFile(words), commandSchema(words, cases)] as const,
  ),
  ...Object.entries(commonOutputs).map(
    ([name, one]) => [schemaFile(name), documentSchema(name, one)] as const,
  ),
];

const schemaOf = new Map(schemas);
const errorSchema = caseSchema(commonOutputs.error);

/** The page's examples, by command and case. */
const examples = new Map<string, (string | undefined)[]>();

function keepExample(command: string, index: number, json: string, { world }: Machine): void {
  const kept = examples.get(command) ?? [];
  kept[index] ??= example(json, world.home);
  examples.set(command, kept);
}

/** The regular expressions in a schema. */
function patternsIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([name, value]) =>
    name === 'pattern' && typeof value === 'string' ? [value] : patternsIn(value),
  );
}

describe('the schemas', () => {
  test.each(schemas)('%s is current', async (file, schema) => {
    const text = `${JSON.stringify(schema, null, 2)}\n`;
    await expect(text).toMatchFileSnapshot(join(root, 'docs', 'schemas', file));
  });

  test('have patterns that need no flag of a regular expression', () => {
    const patterns = schemas.flatMap(([, schema]) => patternsIn(schema));
    expect(patterns.length).toBeGreaterThan(0);
    expect(patterns.filter((one) => /\\[pPkuU]\{|\(\?<?[^=!:]/.test(one))).toEqual([]);
  });

  test('exist for every command, and for nothing else', () => {
    expect(Object.keys(jsonOutputs)).toEqual(manifest.map(({ words }) => words.join(' ')));
    expect(filesIn('docs/schemas/*')).toEqual(
      schemas.map(([file]) => `docs/schemas/${file}`).sort(),
    );
  });

  test('have a line for commands that list, and no others', async () => {
    for (const { words, load } of manifest) {
      const { command } = await load();
      const cases = jsonOutputs[words.join(' ')] ?? [];
      const hasLine = cases.some(({ line }) => line !== undefined);
      expect([words, hasLine]).toEqual([words, command.takes?.includes('lists') === true]);
    }
  });

  test('describe every value, except where any is allowed', () => {
    const silent = schemas.flatMap(([file, schema]) => [...silentIn(schema, file)]);
    // Values from the service or from a user's own body may be any JSON.
    expect(silent.sort()).toEqual([
      'api.json',
      'api.json/body',
      'api.json/line',
      'campaign-test.json/emailEvents/0/data',
      'dry-run.json/body',
      'dry-run.json/others/0/body',
      'email-batch.json/data/0/emailEvents/0/data',
      'email-batch.json/line/emailEvents/0/data',
      'email-get.json/emailEvents/0/data',
      'email-send.json/emailEvents/0/data',
      'run-resume.json/data/0/emailEvents/0/data',
      'run-resume.json/line/emailEvents/0/data',
      'segment-create.json/rules/conditions/0/value',
      'segment-list.json/0/rules/conditions/0/value',
      'segment-list.json/line/rules/conditions/0/value',
    ]);
  });

  test('are each tested with a document', () => {
    const tried = samples.map((one) => `${one.command} ${one.case}`);
    const all = Object.entries(jsonOutputs).flatMap(([words, cases]) =>
      cases.map((_, index) => `${words} ${index}`),
    );
    expect([...new Set(tried)]).toEqual(all);
  });
});

async function print(machine: Machine, line: string, stdin: string | undefined) {
  const options = stdin === undefined ? {} : { stdin };
  if (line.startsWith('sandbox start')) return await machine.serving(line, async () => {});
  if (!line.startsWith('sandbox open')) return await machine.run(line, options);
  let opened = await machine.run('sandbox path');
  await machine.serving('sandbox start --port 0', async () => {
    opened = await machine.run(line);
  });
  return opened;
}

describe('output matches its schema', () => {
  const named = samples.map((one, at) => [one.command, one.case, at, one] as const);

  test.each(named)('%s, document %i (sample %i)', async (_, index, __, sample) => {
    const { command, exitCode } = sample;
    const cases = jsonOutputs[command] ?? [];
    const [one] = cases.slice(index);
    if (one === undefined) throw new Error(`${command} has no document ${index}`);

    const machine = await createMachine();
    const outcome = await print(machine, `${await sample.line(machine)} --json`, sample.stdin);
    expect({ ...outcome, exitCode: outcome.exitCode }).toMatchObject({ exitCode });
    const document: unknown = JSON.parse(outcome.stdout);
    const schema = caseSchema(one);
    expect(problem(schema, document)).toBeUndefined();
    expect(problem(schemaOf.get(schemaFile(command)) ?? {}, document)).toBeUndefined();
    if (exitCode !== 130 && exitCode !== 0) {
      expect(problem(errorSchema, JSON.parse(outcome.stderr))).toBeUndefined();
    }
    keepExample(command, index, outcome.stdout, machine);

    // A schema that accepts everything would be useless.
    expect(acceptedBroken(schema, document)).toEqual([]);
    if (one.line !== undefined) await expectLines(sample);
  });

  async function expectLines({ command, line, exitCode, stdin }: Sample): Promise<void> {
    const { $defs } = schemaOf.get(schemaFile(command)) ?? {};
    const lineSchema = { $ref: '#/$defs/line', $defs };
    const machine = await createMachine();
    const outcome = await print(machine, `${await line(machine)} --jsonl`, stdin);
    expect(outcome).toMatchObject({ exitCode });
    const lines = outcome.stdout.split('\n').filter((text) => text !== '');
    expect(lines.length).toBeGreaterThan(0);
    for (const text of lines) expect(problem(lineSchema, JSON.parse(text))).toBeUndefined();
  }
});

describe('an error matches its schema', () => {
  test.each(errorSamples)('%s', async (code, run) => {
    const machine = await createMachine();
    const { stderr } = await run(machine);
    const document = JSON.parse(stderr);
    expect(document.error.code).toBe(code);
    expect(problem(errorSchema, document)).toBeUndefined();
    expect(acceptedBroken(errorSchema, document)).toEqual([]);
    keepExample('error', code === 'rejected' ? 0 : 1, stderr, machine);
  });
});

test('a dry run matches its schema', async () => {
  const machine = await createMachine();
  const lines = [
    'email send --to ana@example.org --from hello@example.com --subject Hi --text Hello --sandbox',
    'email cancel cm3k9x2f8000008l4',
    'domain delete example.com --yes',
  ];
  const schema = caseSchema(commonOutputs['dry-run']);
  for (const line of lines) {
    const { stdout } = await machine.run(`${line} --dry-run --json`);
    expect(problem(schema, JSON.parse(stdout))).toBeUndefined();
    expect(acceptedBroken(schema, JSON.parse(stdout))).toEqual([]);
    keepExample('dry-run', 0, stdout, machine);
  }
});

test('the page is current', async () => {
  // The tests above collect them; without them, the page would lose its examples.
  expect(examples.size).toBe(schemas.length);
  await expect(jsonPage(examples)).toMatchFileSnapshot(join(root, 'docs', 'json.md'));
});
