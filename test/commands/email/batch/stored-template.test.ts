import { expect, test } from 'vitest';
import { repeat } from '../../../support/batch-run.ts';
import { accept } from '../../../support/batch-service.ts';
import { connected, fileIn } from '../../../support/connected.ts';
import type { Answer } from '../../../support/recorder.ts';
import { createWorld } from '../../../support/run.ts';

const template = {
  body: {
    id: 'tmpl_1',
    name: 'Offer',
    subject: 'Hi {{name}}',
    html: '<p>{{name}}, {{plan,fallback=Free}}</p>',
  },
};
/** A sandbox with such a template, and its id. */
async function withTemplate(csv: (id: string) => string) {
  const world = createWorld();
  const { stdout } = await world.run([
    ...['template', 'create', '--sandbox', '--name', 'Offer', '--subject', 'Hi {{name}}'],
    ...['--html', '<p>{{name}}</p>', '--quiet'],
  ]);
  fileIn(world, 'people.csv', csv(stdout.trim()));
  return { world, id: stdout.trim() };
}

const batch = 'email batch people.csv --from hello@example.com --text Hi --yes --template';

/** Runs a batch over these rows with a service that shows the template so. */
async function send(csv: string, more: string, answer: Answer) {
  const service = await connected(answer);
  fileIn(service.world, 'people.csv', csv);
  const outcome = await service.run(`${batch} ${more}`);
  const posts = service.requests().filter((line) => line.startsWith('POST'));
  return { ...outcome, posts, requests: service.requests() };
}

test('a value that is missing in some rows stops the batch, with the rows', async () => {
  const csv = 'to,name,city\na@example.org,Ana,Rome\nb@example.org,,Rome\nc@example.org,,Bern\n';
  const { exitCode, stderr, posts } = await send(csv, 'tmpl_1', template);
  expect({ exitCode, posts }).toEqual({ exitCode: 2, posts: [] });
  expect(stderr).toContain('rows 2, 3: these placeholders have no value:');
  expect(stderr).toContain('template Offer, subject: {{name}}');
  expect(stderr).not.toContain('city');
  expect(stderr).not.toContain('plan');
});

test('a column near a name that is missing is named, with --map', async () => {
  const csv = 'to,nmae\na@example.org,Ana\n';
  const { exitCode, stderr } = await send(csv, 'tmpl_1', template);
  expect(exitCode).toBe(2);
  expect(stderr).toContain('did you mean --map name=nmae?');
});

test('--map and --literal settle it in the sandbox', async () => {
  const { world } = await withTemplate(() => 'to,nmae\na@example.org,Ana\n');
  const line = `${batch} Offer --sandbox`;
  expect((await world.run(line)).exitCode).toBe(2);
  expect((await world.run(`${line} --map name=nmae`)).exitCode).toBe(0);
  expect((await world.run(`${line} --literal`)).exitCode).toBe(0);
});

test('templates that rows name are compared, too, each read once', async () => {
  const { world } = await withTemplate(
    (id) => `to,templateId,name\na@example.org,${id},Ana\nb@example.org,${id},\n`,
  );
  const line = 'email batch people.csv --from hello@example.com --text Hi --yes --sandbox';
  const { exitCode, stderr } = await world.run(line);
  expect(exitCode).toBe(2);
  expect(stderr).toContain('row 2: these placeholders have no value:');
  expect((await world.run(`${line} --skip-invalid`)).exitCode).toBe(11);
});

test('a template that cannot be read for the moment: 7, and nothing is sent', async () => {
  const down = { status: 503, body: 'down' };
  const csv = 'to,name\na@example.org,Ana\n';
  const { exitCode, stderr, posts } = await send(csv, 'tmpl_1 --retries 0 --json', down);
  expect({ exitCode, posts }).toEqual({ exitCode: 7, posts: [] });
  expect(stderr).toContain('the template could not be read');
});

test('templates that the service does not show: that is said once, and the batch goes on', async () => {
  const service = await connected(...repeat(2, { status: 404, body: '404 Not Found' }), accept);
  const csv = 'to,name,templateId\na@example.org,Ana,one\nb@example.org,,two\nc@example.org,,one\n';
  fileIn(service.world, 'people.csv', csv);
  const { stderr } = await service.run(
    'email batch people.csv --from hello@example.com --text Hi --yes --retries 0',
  );
  expect(stderr.match(/The service does not show the template/g)).toHaveLength(1);
  expect(service.requests()).toEqual([
    'GET /api/v1/templates/one',
    'GET /api/v1/templates/two',
    'POST /api/v1/emails/batch',
    'POST /api/v1/emails/batch',
  ]);
});
