import { describe, expect, test } from 'vitest';
import type { JsonSchema } from '../../scripts/docs/json/schemas.ts';
import { type Contract, currentContract } from '../../scripts/release/contract.ts';
import {
  columnChanges,
  incompatible,
  schemaChanges,
  unexplained,
} from '../../scripts/release/incompatible.ts';
import { released, unannounced } from '../support/released.ts';

const current = await currentContract();

describe('what scripts rely on', () => {
  test('is as the last released version had it, or the version and the changelog say otherwise', () => {
    const { version, value } = released('contract.json', current);
    expect(Object.keys(value.commands).length).toBeGreaterThan(50);
    expect(unannounced(incompatible(value, current), version)).toEqual([]);
  });
});

/** The current contract with one change. */
function changed(change: (contract: Writable<Contract>) => void): Contract {
  // A deep copy of plain data, so it may be changed.
  const copy = structuredClone(current) as Writable<Contract>;
  change(copy);
  return copy;
}

type Writable<Value> = { -readonly [Key in keyof Value]: Writable<Value[Key]> };

/** A command of the contract, for changing. */
function command({ commands }: Writable<Contract>, name: string) {
  const found = commands[name];
  if (found === undefined) throw new Error(`there is no ${name}`);
  return found;
}

describe('a change', () => {
  test.each<[what: string, change: Parameters<typeof changed>[0], message: string]>([
    [
      'of a command that is gone',
      (contract) => {
        delete contract.commands['email cancel'];
      },
      'email cancel is gone',
    ],
    [
      'of a flag that is gone',
      (contract) => {
        delete command(contract, 'email send').flags['--cc'];
      },
      'email send: --cc is gone',
    ],
    [
      'of a flag that takes no value any more',
      (contract) => {
        command(contract, 'email send').flags['--from'] = 'no value';
      },
      'email send: --from takes no value, not value',
    ],
    [
      'of a flag that can no longer be repeated',
      (contract) => {
        command(contract, 'email send').flags['--to'] = 'value';
      },
      'email send: --to takes value, not repeatable value',
    ],
    [
      'of an argument that is required now',
      (contract) => {
        command(contract, 'domain list').arguments = [{ name: 'region', required: true }];
      },
      'domain list: it takes more arguments',
    ],
    [
      'of an exit code that is gone',
      (contract) => {
        delete contract.exitCodes['6'];
      },
      'exit code 6 is gone',
    ],
    [
      'of a name of an exit code',
      (contract) => {
        contract.exitCodes['4'] = 'not_found';
      },
      'exit code 4 is no longer not_offered',
    ],
    [
      'of a field that is gone',
      (contract) => {
        command(contract, 'campaign get').json = { type: 'object', properties: {} };
      },
      'campaign get: in its JSON, id is gone',
    ],
    [
      'of the JSON of errors',
      (contract) => {
        contract.documents.error = { type: 'string' };
      },
      'the JSON of error: the document may be string',
    ],
  ])('%s is named', (_, change, message) => {
    const messages = incompatible(current, changed(change)).map((one) => one.message);
    expect(messages).toContain(message);
  });

  test.each<[what: string, change: Parameters<typeof changed>[0]]>([
    ['nothing', () => {}],
    [
      'a new flag',
      (contract) => {
        command(contract, 'email send').flags['--new'] = 'value';
      },
    ],
    [
      'a flag that may be repeated now',
      (contract) => {
        command(contract, 'email send').flags['--from'] = 'repeatable value';
      },
    ],
    [
      'an argument that may be left out now',
      (contract) => {
        command(contract, 'email get').arguments = [{ name: 'id', required: false }];
      },
    ],
    [
      'a new command and a new exit code',
      (contract) => {
        contract.commands['email new'] = command(contract, 'email get');
        contract.exitCodes['13'] = 'new';
      },
    ],
  ])('%s breaks nothing', (_, change) => {
    expect(incompatible(current, changed(change))).toEqual([]);
  });
});

describe('JSON', () => {
  const id = { type: 'string' };
  const object = { type: 'object', properties: { id }, required: ['id'] };

  test.each<[before: JsonSchema, after: JsonSchema, changes: string[]]>([
    [object, { ...object, properties: { id, name: id } }, []],
    [object, { ...object, properties: {} }, ['id is gone']],
    [object, { ...object, required: [] }, ['id may be missing']],
    [object, { ...object, properties: { id: { type: 'number' } } }, ['id may be number']],
    [object, { type: 'array', items: object }, ['the document may be array', 'id is gone']],
    [{ type: 'array', items: id }, { type: 'array', items: {} }, ['[] may be anything']],
    [{ type: 'number' }, { type: 'integer' }, []],
    [{ type: 'integer' }, { type: 'number' }, ['the document may be number']],
    [{ anyOf: [id, { type: 'null' }] }, id, []],
    [id, { anyOf: [id, { type: 'null' }] }, ['the document may be null']],
    [{ enum: ['a'] }, { enum: ['a', 'b'] }, ['the document may be b']],
    [{ enum: ['a'] }, id, ['the document may be other values']],
    [{ type: 'string', pattern: 'a' }, id, ['the document has another pattern']],
    [{}, object, []],
    [object, {}, ['the document may be anything']],
    [{ $defs: { line: object } }, { $defs: { line: { ...object, required: [] } } }, []],
    [
      { ...object, $defs: { line: object } },
      { ...object, $defs: { line: { ...object, required: [] } } },
      ['line.id may be missing'],
    ],
  ])('%j, then %j', (before, after, changes) => {
    expect(schemaChanges(before, after)).toEqual(changes);
  });
});

describe('columns', () => {
  test.each<[before: string[], after: string[], messages: string[]]>([
    [['id', 'to'], ['id', 'to', 'when'], []],
    [['id', 'to'], ['id', 'when', 'to'], ['email list: column 2 is when, not to']],
    [['id', 'to'], ['id'], ['email list: column 2 is nothing, not to']],
  ])('%j, then %j', (before, after, messages) => {
    const changes = columnChanges('email list', before, after);
    expect(changes.map(({ message }) => message)).toEqual(messages);
  });
});

describe('an incompatible change', () => {
  const changes = [{ names: ['email send', '--cc'], message: 'email send: --cc is gone' }];
  const changelog = (line: string) => `# Changelog\n\n## 2.0.0 (2030-01-01)\n\n- ${line}\n`;
  const naming = changelog('`email send` has no `--cc` any more.');

  test.each<[from: string, to: string, changelog: string, left: number]>([
    ['1.4.0', '2.0.0', naming, 0],
    ['1.4.0', '2.0.0', changelog('`email send` is better.'), 1],
    ['2.0.0', '2.0.0', naming, 1],
    ['1.4.0', '1.5.0', naming.replace('2.0.0', '1.5.0'), 1],
    ['0.1.0', '0.2.0', naming.replace('2.0.0', '0.2.0'), 0],
    ['0.1.0', '0.1.1', naming.replace('2.0.0', '0.1.1'), 1],
  ])('from %s to %s with a changelog: %#', (from, to, text, left) => {
    expect(unexplained(changes, from, to, text)).toHaveLength(left);
  });
});
