import { Command } from '@commander-js/extra-typings';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { loadOperation } from '../src/api/load-operation.ts';
import { type OperationId, operations } from '../src/api/operations.ts';
import { manifest } from '../src/commands/manifest.ts';
import {
  addCommonFlags,
  commonOffers,
  flagGroups,
} from '../src/lib/command-line/command/flags/common-flags.ts';
import { createFlagOf } from '../src/lib/mail/campaign/create-flags.ts';
import { scheduleFlagOf } from '../src/lib/mail/campaign/schedule-flags.ts';
import { sendFlagOf } from '../src/lib/mail/email/write/send-flags.ts';
import { templateFlagOf } from '../src/lib/mail/template/template-flags.ts';
import { addFlagOf } from '../src/lib/people/contact/add-flags.ts';
import { createBookFlagOf, updateBookFlagOf } from '../src/lib/people/contact/book/book-flags.ts';
import { eventFlagOf } from '../src/lib/people/contact/event-flags.ts';
import { updateFlagOf } from '../src/lib/people/contact/update-flags.ts';
import { segmentFlagOf } from '../src/lib/people/segment/segment-flags.ts';
import { missingOperation } from '../src/lib/service/http/missing-operation.ts';
import { undocumentedRoutes } from '../src/sandbox/http/handlers/undocumented.ts';
import { complete } from './support/complete.ts';
import { createWorld } from './support/run.ts';
import { callsIn, filesIn, read } from './support/sources.ts';

const ids = Object.keys(operations) as OperationId[];

describe('every operation', () => {
  test('of the specification is here', () => {
    const specified = Object.values(operations).filter((one) => !('beyond' in one));
    expect(specified).toHaveLength(18);
  });

  test('is loaded by its id', async () => {
    for (const id of ids) expect(await loadOperation(id)).toBe(operations[id]);
  });

  test('is called by a command, itself or by a file of lib that it imports', () => {
    const commands = filesIn('src/commands/**/*.ts');
    expect(ids.filter((id) => !callsIn(commands).has(id))).toEqual([]);
    // Proves that the check can fail.
    const fewer = commands.filter((path) => path !== 'src/commands/email/cancel.ts');
    expect(ids.filter((id) => !callsIn(fewer).has(id))).toEqual(['email.cancel']);
  });

  test('that servers may lack has words for that', () => {
    const beyond = Object.values(operations).filter((one) => 'beyond' in one);
    const unworded = beyond.filter((one) => missingOperation(one).message.includes(one.path));
    expect(unworded.map(({ id }) => id)).toEqual([]);
    // Proves that the check can fail.
    expect(missingOperation(operations['email.send']).message).toContain('POST /v1/emails');
  });
});

/** Endpoints of live servers that no command needs. */
const withoutCommand = {
  // Works like POST, which commands use: goes by the address in the body, and ignores the id.
  'PUT /v1/contactBooks/book_customers/contacts/any': 200,
  // Documented, but a 404 on live servers, so contacts are deleted one by one.
  'DELETE /v1/contactBooks/book_customers/contacts/bulk': 404,
};

describe('endpoints without a command', () => {
  test.each(Object.entries(withoutCommand))('%s: %i in the sandbox', async (line, status) => {
    const world = createWorld();
    const body = line.startsWith('PUT') ? '{"email":"ana@example.com"}' : '{"contactIds":["a"]}';
    const words = ['api', ...line.split(' '), '--input', '-', '--yes', '--sandbox'];
    const { exitCode } = await world.run(words, { stdin: body });
    expect(exitCode).toBe(status === 404 ? 4 : 0);
  });

  test('are those of the sandbox that are no operations', () => {
    const own = undocumentedRoutes.map(({ operation: { method, path } }) => `${method} ${path}`);
    expect(own).toEqual(['PUT /v1/contactBooks/{contactBookId}/contacts/{contactId}']);
  });
});

describe('the manifest', () => {
  test('has every file of a command, and each under its own name', () => {
    const imported = read('src/commands/manifest.ts').matchAll(/\bimport\('\.\/([^']+)\.ts'\)/g);
    const named = [...imported].map(([, file = '']) => file.replaceAll('/', ' '));
    const words = manifest.map((entry) => entry.words.join(' '));
    expect(words).toEqual(named);
    const files = filesIn('src/commands/**/*.ts')
      .filter((path) => path !== 'src/commands/manifest.ts')
      .map((path) => path.slice('src/commands/'.length, -'.ts'.length).replaceAll('/', ' '));
    expect(named.sort()).toEqual(files.sort());
  });

  test.each(manifest.map((entry) => [entry.words.join(' '), entry] as const))(
    'loads %s',
    async (_, entry) => {
      const { command } = await entry.load();
      expect(Object.keys(command.examples).length).toBeGreaterThan(0);
    },
  );
});

/** The tables from field to flag, each with its operation and command. */
const tables = [
  ['email.send', 'email send', sendFlagOf],
  ['campaign.create', 'campaign create', createFlagOf],
  ['campaign.schedule', 'campaign schedule', scheduleFlagOf],
  ['contact.create', 'contact add', addFlagOf],
  ['contact.update', 'contact update', updateFlagOf],
  ['contactBook.create', 'contact book create', createBookFlagOf],
  ['contactBook.update', 'contact book update', updateBookFlagOf],
  ['segment.create', 'segment create', segmentFlagOf],
  ['event.send', 'event send', eventFlagOf],
  ['template.create', 'template create', templateFlagOf],
] as const;

/**
 * Bodies without a table: rows come from a file, fields are flags of the same name or arguments, or
 * no person gives them.
 */
const withoutTable = [
  'contact.bulkCreate',
  'email.batch',
  'email.reschedule',
  'domain.create',
  'segment.materialize',
  'template.render',
];

describe('every field of a body', () => {
  // The type check compares the table with the fields.
  test.each(tables)('of %s has a flag of %s', async (_, words, flagOf) => {
    const flags = await flagsOf(words);
    expect(Object.values(flagOf).filter((flag) => !flags.includes(flag))).toEqual([]);
  });

  test('is in a table, for every operation that has a body', () => {
    const withBody = Object.values(operations)
      .filter(({ input }) => 'body' in input.shape)
      .map(({ id }) => id);
    expect(withBody.sort()).toEqual([...tables.map(([id]) => id), ...withoutTable].sort());
  });

  test('of email.reschedule has the flag of its name', async () => {
    expect(fieldsOf(operations['email.reschedule'].input.shape.body)).toEqual(['scheduledAt']);
    expect(await flagsOf('email reschedule')).toContain('--scheduled-at');
  });

  test('has a table that is listed here', () => {
    const found = filesIn('src/lib/**/*-flags.ts').flatMap((path) => [
      ...read(path).matchAll(/export const \w+FlagOf\b/g),
    ]);
    expect(found).toHaveLength(tables.length);
  });
});

describe('what TAB offers', () => {
  const names = manifest.map(({ words }) => [words.join(' ')] as const);

  test.each(names)('for %s is for values that it takes', async (words) => {
    const { offers = {} } = await commandOf(words);
    const { options, registeredArguments } = await declaredBy(words);
    const values = [
      ...options.filter(({ required, optional }) => required || optional).map(({ long }) => long),
      ...registeredArguments.map((one) => one.name()),
    ];
    expect(values).toEqual(expect.arrayContaining(Object.keys(offers)));
  });

  test('for common flags is for those that take a value', () => {
    const all = new Command();
    addCommonFlags(all, { takes: flagGroups });
    const values = all.options.filter(({ required }) => required).map(({ long }) => long);
    expect(values).toEqual(expect.arrayContaining(Object.keys(commonOffers)));
  });

  test.each(names)(
    'for %s is files, where a flag or argument is named after one',
    async (words) => {
      const { options, registeredArguments } = await declaredBy(words);
      const line = words.split(' ');
      for (const { long } of options) {
        if (long === undefined || !/^--(file|attach|input|.*-file)$/.test(long)) continue;
        expect([long, await complete(createWorld(), [...line, long, ''])]).toEqual([long, 'files']);
      }
      if (registeredArguments[0]?.name() === 'file') {
        expect(await complete(createWorld(), [...line, ''])).toBe('files');
      }
    },
  );
});

function fieldsOf(schema: z.ZodType): string[] {
  if (schema instanceof z.ZodObject) return Object.keys(schema.shape);
  const inner: unknown = schema instanceof z.ZodOptional ? schema.unwrap() : undefined;
  if (inner instanceof z.ZodType) return fieldsOf(inner);
  throw new TypeError(`no object: ${schema.def.type}`);
}

/** A command's long flags, and its arguments as errors name them. */
async function flagsOf(words: string): Promise<string[]> {
  const { options, registeredArguments } = await declaredBy(words);
  return [
    ...options.map(({ long }) => long ?? ''),
    ...registeredArguments.map((one) => one.name().toUpperCase()),
  ];
}

/** A command's arguments and options, as commander has them. */
async function declaredBy(words: string) {
  const command = await commandOf(words);
  const declared = new Command();
  command.flags(declared);
  addCommonFlags(declared, command);
  return declared;
}

async function commandOf(words: string) {
  const entry = manifest.find((one) => one.words.join(' ') === words);
  if (entry === undefined) throw new Error(`no command ${words}`);
  return (await entry.load()).command;
}
