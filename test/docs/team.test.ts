import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { needing, works } from '../support/needs.ts';
import { read } from '../support/sources.ts';
import { createMachine } from './machine.ts';
import { startService } from './service.ts';

// Each block runs as on the page, on a machine with an account of a team, its `make` and its `assistant`.

const page = read('docs/team.md');
const blocks = [...page.matchAll(/^( *)```sh (\S+)\n([\s\S]*?)^\1```$/gm)].map(
  ([, , name = '', text = '']) => ({ name, text }),
);

/** A program that tries to delete, and to mail somebody. */
const tries = `#!/bin/sh
mailer domain delete 3 --yes --json 2>&1
mailer email send --from hello@example.com --to ana@example.org --subject s --text t --json 2>&1
true
`;

/** What a block prints. */
const answers: Readonly<Record<string, RegExp>> = {
  whoami: /^team\t\S/m,
  person: /^Set in profile default\./m,
  job: /"rule":"deletes"[\s\S]*"rule":"allow-to"/,
  program: /"rule":"read-only"[\s\S]*"rule":"read-only"/,
  approve: /^Deleted contact book/m,
  collect: /"command":"email send"/,
  stop: /^\S+\tSCHEDULED\tlater@example\.org\t/m,
  compare: /^/,
};

test('each block of the page has its answer here', () => {
  expect(blocks.map(({ name }) => name)).toEqual(Object.keys(answers));
});

test.each(blocks)('$name', needing(works('jq --version', 'jq')), async ({ name, text }) => {
  const service = await startService();
  const machine = createMachine();
  await machine.store({ apiKey: service.apiKey, baseUrl: service.baseUrl });
  for (const program of ['make', 'assistant']) machine.addProgram(program, tries);
  const send =
    'mailer email send --from hello@example.com --to later@example.org --subject s --text t';
  await machine.run(`${send} --scheduled-at 'in 2 days'`);
  const book = { name: 'Customers', doubleOptInEnabled: false };
  const { id } = z
    .object({ id: z.string() })
    .parse(await service.call('POST', '/contactBooks', book));
  const { log, exitCode } = await machine.run(`set -e\n${text.replaceAll('book_customers', id)}`);
  expect({ log, exitCode }).toMatchObject({
    exitCode: 0,
    log: expect.stringMatching(answers[name] ?? /^$/),
  });
  if (name !== 'compare') return;
  for (const file of ['at-service.jsonl', 'from-here.jsonl']) {
    expect(readFileSync(join(machine.home, file), 'utf8')).toMatch(/^\{.*\}\n$/s);
  }
});
