import { expect, test } from 'vitest';
import { fill } from '../../support/emails.ts';
import { serveHere } from '../../support/here.ts';
import { createPlace, finished } from '../../support/process.ts';

const count = 300;

test('a reader that is slower than the program gets everything', async () => {
  const place = createPlace();
  const sandbox = await serveHere(place);
  await fill(sandbox, count, 'x'.repeat(2000));
  // bash reads a pipe byte by byte.
  const reader = 'while IFS= read -r line; do printf "%s\\n" "$line"; done';
  const line = `mailer email list --all --jsonl | ${reader}; exit "\${PIPESTATUS[0]}"`;
  const { exitCode, stdout, stderr } = await finished(place.shell(line, { env: sandbox.env }));
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  const subjects = stdout
    .trimEnd()
    .split('\n')
    // The command replied with an object per line, each with a subject.
    .map((row) => (JSON.parse(row) as { subject: string }).subject);
  const numbered = Array.from({ length: count }, (_, index) => `Number ${index + 1}`);
  expect(new Set(subjects)).toEqual(new Set([...numbered, 'Your receipt', 'Welcome, Ben!']));
  expect(subjects).toHaveLength(count + 2);
});

test('pages are joined into one document', async () => {
  const place = createPlace();
  const sandbox = await serveHere(place);
  await fill(sandbox, count, 'x'.repeat(2000));
  const { exitCode, stdout } = await place.run('email list --all --json', { env: sandbox.env });
  expect(exitCode).toBe(0);
  // The output has to be one JSON document of this shape.
  const { data } = JSON.parse(stdout) as { data: { id: string; text: string }[] };
  expect(new Set(data.map(({ id }) => id)).size).toBe(count + 2);
  expect(data.filter(({ text }) => text.length === 2000)).toHaveLength(count);
});
