import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { acceptAny } from '../../support/batch-service.ts';
import { connected, connectedWithoutTemplates } from '../../support/connected.ts';

const line = ['email', 'send', '--to', 'ana@example.org', '--from', 'hello@example.com'];

/** A service that shows no templates, so that their placeholders are not known. */
const noTemplates = { status: 404, body: '404 Not Found' };

async function send(...words: readonly string[]) {
  const service = await connected(noTemplates, { body: { emailId: 'em_1' } });
  return { ...(await service.run([...line, ...words])), ...service };
}

test.each([
  ['Company Name', 'company_name'],
  ['Größe (cm)', 'grosse_cm'],
  ['C++', 'c'],
])('a variable %j of a stored template is an error that suggests %s', async (name, instead) => {
  const { exitCode, stderr, requests } = await send('--template', 'tmpl_1', '--var', `${name}=x`);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(
    `Error: --var: ${JSON.stringify(name)} cannot be the name of a variable; use letters, digits and _, such as ${instead}\n`,
  );
  expect(requests()).not.toContain('POST /api/v1/emails');
});

test.each(['company_name', 'first-name', 'user.name', 'código'])(
  'services fill in %s, so it is sent',
  async (name) => {
    const { exitCode, sent } = await send('--template', 'tmpl_1', '--var', `${name}=x`);
    expect(exitCode).toBe(0);
    expect(sent(1)).toMatchObject({ variables: { [name]: 'x' } });
  },
);

test('the names in --vars-file and --file are checked, too', async () => {
  const service = await connected(noTemplates, noTemplates);
  const variables = { 'Company Name': 'x' };
  const at = (name: string) => join(service.world.home, name);
  writeFileSync(at('vars.json'), JSON.stringify(variables));
  writeFileSync(at('email.json'), JSON.stringify({ templateId: 'tmpl_1', variables }));
  for (const words of [
    ['--template', 'tmpl_1', '--vars-file', 'vars.json'],
    ['--file', 'email.json'],
  ]) {
    const { exitCode, stderr } = await service.run([...line, ...words]);
    expect({ words, exitCode }).toEqual({ words, exitCode: 2 });
    expect(stderr).toContain('"Company Name" cannot be the name of a variable');
  }
  expect(service.requests()).not.toContain('POST /api/v1/emails');
});

async function batch(input: string, ...words: readonly string[]) {
  const service = await connectedWithoutTemplates(acceptAny);
  const flags = ['--from', 'hello@example.com', '--yes', ...words];
  const outcome = await service.run(['email', 'batch', '-', ...flags], { stdin: input });
  return { ...outcome, ...service };
}

const people = 'to,Company Name,city\nana@example.org,Ana Ltd,Rome\n';
const template = ['--template', 'tmpl_1'];

test('a column of a batch with a stored template: --map renames it, --ignore-column leaves it out', async () => {
  const refused = await batch(people, ...template);
  expect(refused.exitCode).toBe(2);
  expect(refused.stderr).toBe(
    [
      'The service does not show the template, so it is not checked.',
      'Error: stdin: "Company Name" cannot be the name of a variable; use letters, digits and _, such as company_name',
      'Hint: Nothing was sent.',
      "To send it under another name: --map 'company_name=Company Name'",
      "If the template has no such placeholder: --ignore-column 'Company Name'",
      '',
    ].join('\n'),
  );
  expect(refused.requests()).toEqual([]);
  const mapped = await batch(people, ...template, '--map', 'company_name=Company Name');
  expect(mapped.sent()).toMatchObject([{ variables: { company_name: 'Ana Ltd', city: 'Rome' } }]);
  const ignored = await batch(people, ...template, '--ignore-column', 'Company Name');
  expect(ignored.sent()).toMatchObject([{ variables: { city: 'Rome' } }]);
});

test('rows that name their template are checked, those of other emails are not', async () => {
  const csv = 'to,templateId,Company Name\nana@example.org,,x\nben@example.org,tmpl_1,y\n';
  const named = await batch(csv, '--subject', 'Hi', '--text', 'Hello');
  expect(named.stderr).toContain('"Company Name" cannot be the name of a variable');
  expect(named.requests()).toEqual([]);
  const text = '{{ ["Company Name"] }}';
  const own = await batch(people, '--subject', 'Hi', '--text', text);
  expect(own.sent()).toMatchObject([{ text: 'Ana Ltd' }]);
});

test('rows of JSON: the error names the row, and --map renames', async () => {
  const row = JSON.stringify({ to: 'ana@example.org', variables: { 'Company Name': 'Ana Ltd' } });
  const refused = await batch(row, ...template);
  expect(refused.exitCode).toBe(2);
  expect(refused.stderr).toContain('row 1: variables: "Company Name" cannot be the name');
  const mapped = await batch(row, ...template, '--map', 'company_name=Company Name');
  expect(mapped.sent()).toMatchObject([{ variables: { company_name: 'Ana Ltd' } }]);
});

test('a column about wanting email is no variable, and stops the batch for what it says', async () => {
  const csv = (says: string) => `to,Accepts Email Marketing\nana@example.org,${says}\n`;
  const no = await batch(csv('no'), ...template);
  expect(no.stderr).toContain('not want email');
  expect(no.stderr).not.toContain('--map');
  const yes = await batch(csv('yes'), ...template);
  expect(yes.exitCode).toBe(0);
  expect(yes.sent()).toEqual([
    { to: 'ana@example.org', from: 'hello@example.com', templateId: 'tmpl_1' },
  ]);
});

test('the recipients may be in a column of two words', async () => {
  const { exitCode, sent } = await batch('Email address,city\nana@example.org,Rome\n', ...template);
  expect(exitCode).toBe(0);
  expect(sent()).toMatchObject([{ to: 'ana@example.org', variables: { city: 'Rome' } }]);
});
