import { describe, expect, test } from 'vitest';
import { fileIn } from '../../../support/connected.ts';
import { createWorld } from '../../../support/run.ts';

const words =
  'email batch rows.csv --from hello@example.com --subject Hi --text Hello --sandbox --dry-run';

async function batch(column: string, value: string, flags: readonly string[] = []) {
  const world = createWorld();
  fileIn(world, 'rows.csv', `to,${column}\nana@example.org,${value}\nben@example.org,\n`);
  return await world.run([...words.split(' '), ...flags]);
}

const time = '2099-01-31T09:00:00Z';

describe('a column whose name is near that of a field, with values that fit', () => {
  test.each([
    ['send_at', time, 'scheduledAt'],
    ['sendAt', time, 'scheduledAt'],
    ['Send date', time, 'scheduledAt'],
    ['Send time', time, 'scheduledAt'],
    ['schedule', time, 'scheduledAt'],
    ['scheduled', time, 'scheduledAt'],
    ['scheduled_for', 'tomorrow 9am', 'scheduledAt'],
    ['CC email', 'cy@example.org', 'cc'],
    ['bcc_email', 'cy@example.org', 'bcc'],
    ['Reply-To Email', 'cy@example.org', 'replyTo'],
    ['Sender Email', 'hello@example.com', 'from'],
    ['Subject Line', 'News', 'subject'],
    ['Email body', 'Hello', 'text'],
    ['html_body', '<p>x</p>', 'html'],
  ])('%s stops, unless a flag says what it is', async (name, value, field) => {
    const { exitCode, stderr } = await batch(name, value);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(
      `rows.csv: the column ${JSON.stringify(name)} may be meant as ${field}: ${JSON.stringify(value)}`,
    );
    expect(stderr).toMatch(new RegExp(`--map '?${field}=${name}`));
    expect((await batch(name, value, ['--ignore-column', name])).exitCode).toBe(0);
    const mapped = await batch(name, value, ['--map', `${field}=${name}`]);
    expect(mapped.exitCode).toBe(0);
    expect(mapped.stdout).toContain(`"${field}"`);
    const preview = await batch(name, value, ['--preview', '1']);
    expect(preview.stderr).toContain('may be meant as');
  });

  test.each(['attachment', 'attach', 'Attached file'])('%s stops', async (name) => {
    const { exitCode, stderr } = await batch(name, 'invoice.pdf');
    expect(exitCode).toBe(2);
    expect(stderr).toContain('may be meant as attachments');
    expect(stderr).toContain('--attach');
    expect((await batch(name, 'invoice.pdf', ['--ignore-column', name])).exitCode).toBe(0);
  });

  test.each([
    ['body', 'Hello', 'text'],
    ['message', 'Hello', 'text'],
    ['template', 'tpl_1', 'templateId'],
  ])('%s is said, unless the template uses it', async (name, value, field) => {
    const { exitCode, stderr } = await batch(name, value);
    expect(exitCode).toBe(0);
    expect(stderr).toContain(
      `Nothing uses the column "${name}". If it is meant as ${field}: --map ${field}=${name}`,
    );
    const use = ['--html', `<p>{{ ${name} | default: "x" }}</p>`];
    expect((await batch(name, value, use)).stderr).not.toContain('Nothing uses');
  });
});

test.each([
  ['send_at', 'the counter'],
  ['schedule', 'weekly'],
  ['cc_to', 'nobody'],
  ['delivery date', time],
  ['attachment', ''],
])('%s with %j is a variable', async (name, value) => {
  const { exitCode, stderr } = await batch(name, value);
  expect(exitCode).toBe(0);
  expect(stderr).not.toContain('meant');
});

test('a template that uses such a column is certain', async () => {
  const flags = ['--html', '<p>{{ send_at | default: "x" }}</p>'];
  expect((await batch('send_at', time, flags)).exitCode).toBe(0);
});
