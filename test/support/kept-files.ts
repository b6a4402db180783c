import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { down } from './batch-run.ts';
import { accept } from './batch-service.ts';
import { valuesOf } from './complete.ts';
import { key } from './connected.ts';
import { peopleCsv } from './people.ts';
import { root } from './process.ts';
import { startRecorder, startWithoutTemplates } from './recorder.ts';
import { createWorld, type World } from './run.ts';
import { configOf } from './stored-profiles.ts';

// Files as each version has left them on a machine, for the versions after it: docs/tests.md tells how to make the next.

const directory = join(root, 'test', 'fixtures');

/** The versions whose files are kept. */
export function keptVersions(): readonly string[] {
  const byNumber = (one: string, other: string) =>
    one.localeCompare(other, 'en', { numeric: true });
  return readdirSync(directory).sort(byNumber);
}

/** A machine with the files of a version, at the time when they were written. */
export function worldOf(version: string): World {
  const world = createWorld();
  cpSync(join(directory, version), world.home, { recursive: true });
  // git keeps no modes.
  chmodSync(world.home, 0o700);
  for (const name of readdirSync(world.home, { recursive: true, encoding: 'utf8' })) {
    const path = join(world.home, name);
    chmodSync(path, statSync(path).isDirectory() ? 0o700 : 0o600);
  }
  return world;
}

/** Writes the files of this version: everything that a command may find of an earlier one. */
export async function keepFiles(version: string): Promise<void> {
  const world = createWorld();
  const run = async (words: readonly string[], env: Readonly<Record<string, string>> = {}) => {
    const { exitCode, stderr } = await world.run(words, { env });
    if (exitCode !== 0) throw new Error(`${words.join(' ')}: ${stderr}`);
  };
  const domain = { id: 7, name: 'example.com', status: 'SUCCESS', dnsRecords: [] };
  const service = await startRecorder({ body: [domain] });
  await configOf(world).update(() => ({
    currentProfile: 'shop',
    profiles: {
      shop: {
        baseUrl: service.baseUrl,
        apiKey: 'us_0123456789_wxyz',
        settings: { from: 'hello@example.com' },
        policy: { allowTo: ['*@example.org'] },
      },
      other: { baseUrl: 'https://mail.example.com/api', keyCommand: 'echo us_0123456789_wxyz' },
    },
  }));
  // The cache of completion.
  await valuesOf(world, 'domain get ');
  const mail = ['--sandbox', '--from', 'hello@example.com', '--text', 'Hello'];
  const limits = { MAILER_MAX_PER_DAY: '100' };
  const one = ['email', 'send', ...mail, '--to', 'ana@example.org', '--subject'];
  await run([...one, 'Sent'], limits);
  await run([...one, 'For approval', '--for-approval']);
  writeFileSync(
    join(world.home, 'people.csv'),
    'to,name\nana@example.org,Ana\nben@example.org,Ben\n',
  );
  await run(
    ['email', 'batch', 'people.csv', ...mail, '--subject', 'Hi {{ name }}', '--yes'],
    limits,
  );
  // A run that stopped when the service did.
  const stopping = await startWithoutTemplates(accept, down);
  writeFileSync(join(world.home, 'many.csv'), peopleCsv(150));
  const stopped = await world.run(
    [
      'email',
      'batch',
      'many.csv',
      ...mail.slice(1),
      '--subject',
      'News',
      '--yes',
      '--retries',
      '0',
    ],
    { env: { MAILER_BASE_URL: stopping.baseUrl, MAILER_API_KEY: key } },
  );
  if (stopped.exitCode !== 7) throw new Error(stopped.stderr);
  const target = join(directory, version);
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  for (const name of ['.config', '.local', '.cache']) {
    cpSync(join(world.home, name), join(target, name), { recursive: true });
  }
}
