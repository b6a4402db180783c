import { describe, expect, test } from 'vitest';
import { schemas } from '../../scripts/docs/schema-files.ts';
import { commonDocuments, documentsOf } from '../../src/cli/model/documents.ts';
import { fieldRows } from '../../src/cli/model/field-rows.ts';
import { caseSchema } from '../../src/cli/model/schemas.ts';
import { manifest } from '../../src/commands/manifest.ts';
import { createMachine, type Machine } from '../support/sample-machine.ts';
import { type Sample, samples } from '../support/samples.ts';
import { read } from '../support/sources.ts';
import { acceptedBroken, problem, silentIn } from './json/checks.ts';
import { errorSamples } from './json/error-samples.ts';

const all = await schemas();
const schemaOf = new Map(all);
const errorSchema = caseSchema(commonDocuments.error);
const documents = new Map(
  await Promise.all(
    manifest.map(async ({ words, load }) => {
      const { command } = await load();
      return [words.join(' '), await documentsOf(command)] as const;
    }),
  ),
);

/** The regular expressions in a schema. */
function patternsIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([name, value]) =>
    name === 'pattern' && typeof value === 'string' ? [value] : patternsIn(value),
  );
}

describe('the schemas', () => {
  test('have patterns that need no flag of a regular expression', () => {
    const patterns = all.flatMap(([, schema]) => patternsIn(schema));
    expect(patterns.length).toBeGreaterThan(0);
    expect(patterns.filter((one) => /\\[pPkuU]\{|\(\?<?[^=!:]/.test(one))).toEqual([]);
  });

  test('have a line for commands that list, and no others', async () => {
    for (const { words, load } of manifest) {
      const { command } = await load();
      const cases = documents.get(words.join(' ')) ?? [];
      const hasLine = cases.some(({ line }) => line !== undefined);
      expect([words, hasLine]).toEqual([words, command.takes?.includes('lists') === true]);
    }
  });

  test('describe every value, except where any is allowed', () => {
    const silent = all.flatMap(([name, schema]) => [...silentIn(schema, name)]);
    // Values from the service or from a user's own body may be any JSON.
    expect(silent.sort()).toEqual([
      'api',
      'api/body',
      'api/line',
      'campaign test/attachments',
      'campaign test/emailEvents/0/data',
      'campaign test/headers',
      'contact sync/requests/0/body',
      'dry-run/body',
      'dry-run/others/0/body',
      'dry-run/requests/0/body',
      'email batch/data/0/attachments',
      'email batch/data/0/emailEvents/0/data',
      'email batch/data/0/headers',
      'email batch/line/attachments',
      'email batch/line/emailEvents/0/data',
      'email batch/line/headers',
      'email get/0/attachments',
      'email get/0/emailEvents/0/data',
      'email get/0/headers',
      'email get/attachments',
      'email get/emailEvents/0/data',
      'email get/headers',
      'email get/line/attachments',
      'email get/line/emailEvents/0/data',
      'email get/line/headers',
      'email send/attachments',
      'email send/emailEvents/0/data',
      'email send/headers',
      'outbox get/request/body',
      'outbox send/data/0/attachments',
      'outbox send/data/0/emailEvents/0/data',
      'outbox send/data/0/headers',
      'outbox send/line/attachments',
      'outbox send/line/emailEvents/0/data',
      'outbox send/line/headers',
      'run resume/data/0/attachments',
      'run resume/data/0/emailEvents/0/data',
      'run resume/data/0/headers',
      'run resume/line/attachments',
      'run resume/line/emailEvents/0/data',
      'run resume/line/headers',
      'run retry/data/0/attachments',
      'run retry/data/0/emailEvents/0/data',
      'run retry/data/0/headers',
      'run retry/line/attachments',
      'run retry/line/emailEvents/0/data',
      'run retry/line/headers',
      'sandbox webhook log/0/data',
      'sandbox webhook log/line/data',
      'segment create/rules/conditions/0/value',
      'segment list/0/rules/conditions/0/value',
      'segment list/line/rules/conditions/0/value',
      'template push/requests/0/body',
    ]);
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
    const cases = documents.get(command) ?? [];
    const [one] = cases.slice(index);
    if (one === undefined) throw new Error(`${command} has no document ${index}`);

    const machine = await createMachine();
    const outcome = await print(machine, `${await sample.line(machine)} --json`, sample.stdin);
    expect({ ...outcome, exitCode: outcome.exitCode }).toMatchObject({ exitCode });
    const document: unknown = JSON.parse(outcome.stdout);
    const schema = caseSchema(one);
    expect(problem(schema, document)).toBeUndefined();
    expect(problem(schemaOf.get(command) ?? {}, document)).toBeUndefined();
    if (exitCode !== 130 && exitCode !== 0) {
      expect(problem(errorSchema, JSON.parse(outcome.stderr))).toBeUndefined();
    }

    // A schema that accepts everything would be useless.
    expect(acceptedBroken(schema, document)).toEqual([]);
    if (one.line !== undefined) await expectLines(sample);
  });

  async function expectLines({ command, line, exitCode, stdin }: Sample): Promise<void> {
    const { $defs } = schemaOf.get(command) ?? {};
    const lineSchema = { $ref: '#/$defs/line', $defs };
    const machine = await createMachine();
    const outcome = await print(machine, `${await line(machine)} --jsonl`, stdin);
    expect(outcome).toMatchObject({ exitCode });
    const lines = outcome.stdout.split('\n').filter((text) => text !== '');
    expect(lines.length).toBeGreaterThan(0);
    for (const text of lines) expect(problem(lineSchema, JSON.parse(text))).toBeUndefined();
  }
});

test('the page about JSON names every field of an error', () => {
  const page = read('docs/json.md');
  const names = fieldRows(errorSchema).map(({ path }) => path.split('.').at(-1));
  expect(names.filter((name) => !page.includes(`\`${name}\``) && name !== 'error')).toEqual([]);
});

describe('an error matches its schema', () => {
  test.each(errorSamples)('%s', async (code, run) => {
    const machine = await createMachine();
    const { stderr } = await run(machine);
    const document = JSON.parse(stderr);
    expect(document.error.code).toBe(code);
    expect(problem(errorSchema, document)).toBeUndefined();
    expect(acceptedBroken(errorSchema, document)).toEqual([]);
  });
});

test('a dry run matches its schema', async () => {
  const machine = await createMachine();
  const lines = [
    'email send --to ana@example.org --from hello@example.com --subject Hi --text Hello --sandbox',
    'email cancel cm3k9x2f8000008l4',
    'domain delete example.com --yes',
  ];
  const schema = caseSchema(commonDocuments['dry-run']);
  for (const line of lines) {
    const { stdout } = await machine.run(`${line} --dry-run --json`);
    expect(problem(schema, JSON.parse(stdout))).toBeUndefined();
    expect(acceptedBroken(schema, JSON.parse(stdout))).toEqual([]);
    const help = await machine.run(`commands ${line.split(' ', 2).join(' ')} --json`);
    expect(JSON.parse(help.stdout)[0].prints.at(-1).schema).toMatchObject({
      required: ['method', 'url', 'headers', 'requests', 'effect', 'counts'],
    });
  }
});

test('with --jsonl, a dry run is one line', async () => {
  const machine = await createMachine();
  const batch =
    'email batch - --from hello@example.com --subject s --text t --sandbox --dry-run --jsonl';
  const { stdout } = await machine.run(batch, {
    stdin: '{"to":"a@example.org"}\n{"to":"b@example.org"}\n',
  });
  const lines = stdout.trimEnd().split('\n');
  const schema = caseSchema(commonDocuments['dry-run']);
  expect(lines).toHaveLength(1);
  expect(problem(schema, JSON.parse(lines[0] ?? ''))).toBeUndefined();
});
