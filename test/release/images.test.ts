import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, onTestFinished, test } from 'vitest';
import { buildah as works } from '../process/package/container.ts';
import { root as asRoot, needing } from '../support/needs.ts';
import { temporaryDirectory } from '../support/process.ts';
import { made, released, version, x64 } from './released.ts';

const archive = (kind: string) => `${kind}-${version}-oci.tar`;

/** What an image says how to run it. */
interface Config {
  readonly User: string;
  readonly Env: readonly string[];
  readonly Entrypoint: readonly string[];
  readonly Cmd?: readonly string[];
  readonly Volumes: Readonly<Record<string, unknown>>;
}

/**
 * Unpacks an image, and starts it as a runtime does that has been told to: as the image's user, with a root that nobody
 * can write to, a volume, and a /tmp of its own. Containers have the network of the machine.
 */
async function openImage(kind: string) {
  const directory = temporaryDirectory();
  const storage = ['--root', join(directory, 'storage'), '--runroot', join(directory, 'run')];
  const buildah = async (...words: readonly string[]) =>
    (await execa('buildah', [...storage, '--storage-driver', 'vfs', ...words])).stdout;
  const container = await buildah('from', `oci-archive:${released(archive(kind))}`);
  const mounted = await buildah('mount', container);
  // buildah prints what the OCI format has.
  const { OCIv1 } = JSON.parse(await buildah('inspect', container)) as {
    readonly OCIv1: { readonly config: Config };
  };
  const volume = join(directory, 'volume');
  await execa('cp', ['-a', join(mounted, 'data'), volume]);
  for (const name of ['proc', 'dev']) mkdirSync(join(mounted, name), { recursive: true });
  const { config } = OCIv1;
  const enter = `mount --bind "$0" "$0" && mount --bind "$1" "$0/data" && mount -t tmpfs tmpfs "$0/tmp" &&
    mount -t proc proc "$0/proc" && mount --bind /dev "$0/dev" && mount -o remount,ro,bind "$0" &&
    root=$0 user=$2 && shift 2 && exec chroot --userspec="$user" "$root" "$@"`;
  const isolated = ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', enter];
  const start = (words: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    execa('unshare', [...isolated, mounted, volume, config.User, ...config.Entrypoint, ...words], {
      // With a group of its own, so that signals reach the program, too.
      detached: true,
      reject: false,
      extendEnv: false,
      env: {
        PATH: process.env.PATH,
        ...Object.fromEntries(config.Env.map(nameAndValue)),
        ...env,
      },
    });
  return { config, mounted, start };
}

function nameAndValue(text: string): readonly [string, string] {
  const [, name = '', value = ''] = /^(.*?)=(.*)$/.exec(text) ?? [];
  return [name, value];
}

describe(
  'images',
  needing(x64, asRoot, works, made(archive('mailer')), made(archive('mailer-sandbox'))),
  () => {
    test('the program runs without root and without a shell, and writes into its volume only', async () => {
      const { config, mounted, start } = await openImage('mailer');
      expect(config.User).toBe('65532:65532');
      expect(Object.keys(config.Volumes)).toEqual(['/data']);
      expect(await start(['--version'])).toMatchObject({
        stdout: version,
        stderr: '',
        exitCode: 0,
      });
      const send = [
        'email',
        'send',
        '--sandbox',
        '--from',
        'hello@example.com',
        '--to',
        'a@example.org',
      ];
      const content = ['--subject', 'S', '--text', 'T', '--wait', '--json'];
      const sent = await start([...send, ...content]);
      expect({ exitCode: sent.exitCode, stderr: sent.stderr }).toEqual({ exitCode: 0, stderr: '' });
      // The next container has the same volume.
      const list = await start(['email', 'list', '--sandbox', '--fields', 'subject', '--jsonl']);
      expect(list.stdout).toContain('{"subject":"S"}');
      expect((await execa('find', [mounted, '-name', 'sh', '-o', '-name', 'bash'])).stdout).toBe(
        '',
      );
    });

    test('another container sends to the sandbox, which keeps it in its volume', async () => {
      const sandbox = await openImage('mailer-sandbox');
      expect(sandbox.config.User).toBe('65532:65532');
      expect(sandbox.config.Cmd).toEqual(['--port', '4100', '--smtp-port', '1025']);
      const serve = async () => {
        // Those ports may be taken on this machine.
        const serving = sandbox.start(['--port', '0', '--smtp-port', '0', '--json']);
        const stop = async () => {
          const ended = await Promise.race([serving, Promise.resolve(undefined)]);
          if (ended === undefined) process.kill(-Number(serving.pid), 'SIGTERM');
          return await serving;
        };
        onTestFinished(async () => void (await stop()));
        const ended = serving.then(({ stderr }) => {
          throw new Error(`it ended: ${stderr}`);
        });
        const [line] = await Promise.race([once(serving.stdout, 'data'), ended]);
        ended.catch(() => {});
        // What sandbox start prints with --json.
        const { baseUrl, apiKey } = JSON.parse(line) as {
          readonly baseUrl: string;
          readonly apiKey: string;
        };
        return { stop, env: { MAILER_BASE_URL: baseUrl, MAILER_API_KEY: apiKey } };
      };
      const first = await serve();
      const program = await openImage('mailer');
      const send = ['email', 'send', '--from', 'hello@example.com', '--to', 'a@example.org'];
      const sent = await program.start([...send, '--subject', 'Kept', '--text', 'T'], first.env);
      expect({ exitCode: sent.exitCode, stderr: sent.stderr }).toMatchObject({ exitCode: 0 });
      await first.stop();
      const second = await serve();
      const list = await program.start(
        ['email', 'list', '--fields', 'subject', '--jsonl'],
        second.env,
      );
      expect(list.stdout).toContain('{"subject":"Kept"}');
    });
  },
);
