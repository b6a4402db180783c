import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { execa } from 'execa';
import { describe, expect, test } from 'vitest';
import { linux, type Need, needing, notWindows, ofNode, root, works } from '../../support/needs.ts';
import { createPlace, type Finished, type Place, split, startOf } from '../../support/process.ts';
import { startRecorder } from '../../support/recorder.ts';
import { createWorld, type World } from '../../support/run.ts';

/** Only root can give files to other users and run programs as them. */
const isRoot = process.getuid?.() === 0;
const somebody = 54_321;

/** A place for the built program, or a machine within this process, which is as good and faster. */
type Machine = Place | World;

interface Planted<Of extends Machine = Place> {
  readonly place: Of;
  readonly directory: string;
  readonly file: string;
  /** Exists once the key command has run. */
  readonly ran: string;
}

/** A place with a profile whose key command leaves a trace. */
async function withKeyCommand(): Promise<Planted> {
  return await plantedIn(createPlace());
}

async function plantedIn<Of extends Machine>(place: Of): Promise<Planted<Of>> {
  const service = await startRecorder({ body: [] }, { body: [] });
  const directory = join(place.home, 'above', 'mailer');
  const ran = join(place.home, 'ran');
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const keyCommand = `touch '${ran}'; echo us_key_of_a_command_0123456789`;
  const profiles = { default: { baseUrl: service.baseUrl, keyCommand } };
  const file = join(directory, 'config.json');
  writeFileSync(file, JSON.stringify({ currentProfile: 'default', profiles }), { mode: 0o600 });
  return { place, directory, file, ran };
}

async function run({ place, directory }: Planted<Machine>, words: string, env = {}) {
  return await place.run(words, { env: { MAILER_CONFIG_DIR: directory, ...env } });
}

/** What gives others access, and the fix that the program prints. */
type Case = readonly [string, (planted: Planted<Machine>) => void, RegExp];

const ofModes: readonly Case[] = [
  [
    'a file that all may write to',
    ({ file }) => chmodSync(file, 0o606),
    /others can write to \S+\/config\.json \(mode 0606\).*\nHint: .*: (chmod go-w \S+\/config\.json)\n$/,
  ],
  [
    'a directory that all may write to',
    ({ directory }) => chmodSync(directory, 0o777),
    /others can write to \S+\/mailer \(mode 0777\).*\nHint: .*: (chmod go-w \S+\/mailer)\n$/,
  ],
  [
    'a directory above it that all may write to',
    ({ directory }) => chmodSync(dirname(directory), 0o757),
    /others can write to \S+\/above \(mode 0757\).*\nHint: Set MAILER_CONFIG_DIR to a directory that only you and root can change\.\n$/,
  ],
  [
    'a link through a directory that all may write to',
    ({ place, file }) => {
      const open = join(place.home, 'open');
      mkdirSync(open);
      chmodSync(open, 0o777);
      const content = readFileSync(file);
      rmSync(file);
      writeFileSync(join(open, 'linked.json'), content, { mode: 0o600 });
      symlinkSync(join(open, 'linked.json'), file);
    },
    /others can write to \S+\/open \(mode 0777\).*\nHint: Set MAILER_CONFIG_DIR to a directory that only you and root can change\.\n$/,
  ],
];

const ofOwners: readonly Case[] = [
  [
    'a file and its directory, of another user and open to all',
    ({ directory, file }) => {
      chownSync(file, somebody, somebody);
      chmodSync(file, 0o666);
      chmodSync(directory, 0o777);
    },
    /others can write to \S+\/mailer \(mode 0777\), user 54321 owns \S+\/config\.json.*\nHint: .*then run: (chown 0 \S+\/config\.json && chmod go-w \S+\/mailer \S+\/config\.json)\n$/,
  ],
  [
    'a directory like /tmp of another user',
    ({ directory }) => {
      chmodSync(directory, 0o1777);
      chownSync(directory, somebody, somebody);
    },
    /user 54321 owns \S+\/mailer, and.*\nHint: .*: (chown 0 \S+\/mailer)\n$/,
  ],
  [
    'several directories above it that all may write to',
    ({ place, directory }) => {
      chmodSync(place.home, 0o777);
      chmodSync(dirname(directory), 0o777);
      chmodSync(directory, 0o777);
    },
    /others can write to \S+ \(mode 0777\), others can write to \S+\/above \(mode 0777\), others can write to \S+\/mailer \(mode 0777\), and.*\nHint: Set MAILER_CONFIG_DIR to a directory that only you and root can change\.\n$/,
  ],
  [
    'a file of another user',
    ({ file }) => chownSync(file, somebody, somebody),
    /user 54321 owns \S+\/config\.json.*\nHint: Run mailer as user 54321, .*: (chown 0 \S+\/config\.json)\n$/,
  ],
  [
    'a directory of another user',
    ({ directory }) => chownSync(directory, somebody, somebody),
    /user 54321 owns \S+\/mailer.*\nHint: .*: (chown 0 \S+\/mailer)\n$/,
  ],
  [
    'a directory above it of another user',
    ({ directory }) => chownSync(dirname(directory), somebody, somebody),
    /user 54321 owns \S+\/above.*\nHint: Run mailer as user 54321, or set MAILER_CONFIG_DIR to a directory [^:]*\.\n$/,
  ],
  [
    'a link of another user',
    ({ place, file }) => {
      execFileSync('mv', [file, join(place.home, 'own.json')]);
      symlinkSync(join(place.home, 'own.json'), file);
      lchownSync(file, somebody, somebody);
    },
    /user 54321 owns \S+\/config\.json.*\nHint: .*: (chown -h 0 \S+\/config\.json)\n$/,
  ],
  [
    'a file that a group may write to',
    ({ file }) => {
      chownSync(file, 0, somebody);
      chmodSync(file, 0o660);
    },
    /others can write to \S+\/config\.json \(mode 0660\).*\nHint: .*: (chmod go-w \S+\/config\.json)\n$/,
  ],
];

const cases = [
  ...ofModes.map((one) => [...one, needing(notWindows)] as const),
  ...ofOwners.map(([name, ...rest]) => [`as root: ${name}`, ...rest, needing(root)] as const),
];

describe.each(cases)('%s', (_, open, says, options) => {
  test('is not used, no command in it is run, and the error has the fix', options, async () => {
    const planted = await plantedIn(createWorld());
    open(planted);
    const { exitCode, stdout, stderr } = await run(planted, 'domain list');
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toMatch(says);
    expect(existsSync(planted.ran)).toBe(false);

    const [, remedy] = says.exec(stderr) ?? [];
    if (remedy === undefined) return;
    execFileSync('sh', ['-c', remedy]);
    expect(await run(planted, 'domain list --json')).toMatchObject({ exitCode: 0, stdout: '[]\n' });
    expect(existsSync(planted.ran)).toBe(true);
  });

  test('stores no key and no setting', async () => {
    const planted = await plantedIn(createWorld());
    open(planted);
    const before = readFileSync(planted.file, 'utf8');
    const service = await startRecorder({ body: [] });
    const login = `login --with-token --base-url ${service.baseUrl}`;
    const env = { MAILER_CONFIG_DIR: planted.directory };
    const stdin = 'us_key_0123456789abcdef\n';
    for (const ended of [
      await planted.place.run(login, { stdin, env }),
      await planted.place.run('config set from a@example.com --json', { env }),
    ]) {
      expect(ended.exitCode).toBe(2);
      expect(ended.stderr).toMatch(/others can write to|user 54321 owns/);
    }
    expect(readFileSync(planted.file, 'utf8')).toBe(before);
  });

  test('is only a warning with key and URL in the environment, unless somebody would be mailed', async () => {
    const planted = await plantedIn(createWorld());
    open(planted);
    const service = await startRecorder({ body: [] });
    const env = { MAILER_API_KEY: 'us_0123456789abcdef', MAILER_BASE_URL: service.baseUrl };
    const ended = await run(planted, 'domain list', env);
    expect(ended.exitCode).toBe(0);
    expect(ended.stderr).toMatch(
      /^Warning: The configuration \S+ was not used: .* (Set|run|then run)\b/,
    );
    const line = 'email send --to a@b.example --from c@d.example --subject Hi --text Hi --json';
    for (const where of [line, `${line} --sandbox`]) {
      const { exitCode, stderr } = await run(planted, where, env);
      expect(exitCode).toBe(2);
      const { code, message, hint } = JSON.parse(stderr).error;
      expect(code).toBe('usage');
      expect(message).toContain('It may have a policy, so nothing is sent.');
      expect(`${message}\nHint: ${hint}\n`).toMatch(says);
    }
    expect(service.requests).toHaveLength(1);
    const status = await run(planted, 'sandbox status', env);
    expect(status.stderr).not.toContain('was not used');
  });

  test('gets no key of the environment at TAB', async () => {
    const planted = await plantedIn(createWorld());
    const service = await startRecorder({ body: [] });
    const profiles = { default: { baseUrl: service.baseUrl } };
    writeFileSync(planted.file, JSON.stringify({ currentProfile: 'default', profiles }));
    const env = { MAILER_API_KEY: 'us_0123456789abcdef' };
    await run(planted, '__complete fish domain get x', env);
    expect(service.requests).toHaveLength(1);
    open(planted);
    await run(planted, '__complete fish domain get y', env);
    expect(service.requests).toHaveLength(1);
  });
});

test('doctor names what others can change', needing(notWindows), async () => {
  const planted = await withKeyCommand();
  chmodSync(planted.directory, 0o777);
  const { exitCode, stdout } = await run(planted, 'doctor --json');
  expect(exitCode).toBe(2);
  const { checks } = JSON.parse(stdout) as { readonly checks: unknown };
  expect(checks).toContainEqual({
    check: 'config',
    state: 'FAILED',
    detail: expect.stringContaining(`others can write to ${planted.directory} (mode 0777)`),
    remedy: expect.stringContaining(`chmod go-w ${planted.directory}`),
    code: 'usage',
  });
});

describe('as root: another user who changes files during a command', needing(root, ofNode), () => {
  /** The environment in which `script` runs first; it finds `fs`, the directory and the file. */
  function withHook({ place, directory, file }: Planted, script: string) {
    const hook = join(place.home, 'hook.cjs');
    const names = JSON.stringify({ directory, file, somebody });
    writeFileSync(
      hook,
      `const fs = require('node:fs'); const { directory, file, somebody } = ${names}; ${script}`,
    );
    return { NODE_OPTIONS: `--require=${hook}` };
  }

  test('cannot run a command by moving a directory during the check', async () => {
    const planted = await withKeyCommand();
    chownSync(planted.directory, somebody, somebody);
    const env = withHook(
      planted,
      `const { lstatSync } = fs;
      fs.lstatSync = (path, ...options) => {
        if (path !== directory) return lstatSync(path, ...options);
        fs.renameSync(directory, directory + '-away');
        const stats = lstatSync(path, ...options);
        fs.renameSync(directory + '-away', directory);
        return stats;
      };`,
    );
    const { stdout } = await run(planted, 'domain list', env);
    await run(planted, '__complete fish domain get x', env);
    expect(stdout).toBe('');
    expect(existsSync(planted.ran)).toBe(false);
  });

  test('gets no key by creating the directory first', async () => {
    const planted = await withKeyCommand();
    rmSync(planted.directory, { recursive: true });
    const env = withHook(
      planted,
      `const { mkdirSync, chownSync } = fs;
      fs.mkdirSync = (path, ...options) => {
        if (path === directory) {
          mkdirSync(path, ...options);
          chownSync(path, somebody, somebody);
        }
        return mkdirSync(path, ...options);
      };`,
    );
    const { exitCode, stderr } = await run(planted, 'config set from a@example.com', env);
    expect({ exitCode, stderr }).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining(`user ${somebody} owns ${planted.directory}`),
    });
    expect(readdirSync(planted.directory)).toEqual([]);
  });

  test('cannot lock or change files by a link in a directory like /tmp', async () => {
    const planted = await withKeyCommand();
    rmSync(planted.file);
    chmodSync(planted.directory, 0o1777);
    const victim = join(planted.place.home, 'victim');
    writeFileSync(victim, 'untouched');
    chmodSync(victim, 0o644);
    // After the check of the path, there is a link.
    const env = withHook(
      planted,
      `const { lstatSync } = fs;
      fs.lstatSync = (path, ...options) => {
        const stats = lstatSync(path, ...options);
        if (path === file && stats === undefined) {
          fs.symlinkSync(${JSON.stringify(victim)}, file);
          fs.lchownSync(file, somebody, somebody);
        }
        return stats;
      };`,
    );
    const { exitCode } = await run(planted, 'config set from a@example.com', env);
    expect(exitCode).toBe(2);
    expect(readFileSync(victim, 'utf8')).toBe('untouched');
    expect(statSync(victim).mode & 0o777).toBe(0o644);
  });
});

describe('as root: a home directory that others can move away', needing(root), () => {
  /** A user's configuration in a home directory, below a directory that is neither theirs nor root's. */
  function homeBelowOthers() {
    const world = createWorld();
    const home = join(world.home, 'homes', 'somebody');
    const directory = join(home, '.config', 'mailer');
    mkdirSync(directory, { recursive: true });
    for (const one of [home, dirname(directory), directory]) chownSync(one, somebody, somebody);
    chownSync(dirname(home), 999, 999);
    const runAs = (home: string | undefined, words: string) => {
      const account = home === undefined ? { user: somebody } : { user: somebody, home };
      return world.run(words, { account, env: { MAILER_CONFIG_DIR: directory } });
    };
    return { world, home, directory, runAs };
  }

  const setting = 'config set from a@example.com';

  test('is accepted for a configuration in it, also through a link', async () => {
    const { world, home, directory, runAs } = homeBelowOthers();
    expect((await runAs(undefined, setting)).stderr).toContain(`user 999 owns ${dirname(home)}`);
    expect(await runAs(home, setting)).toMatchObject({ exitCode: 0 });
    // The tests write this as root.
    for (const name of readdirSync(directory)) chownSync(join(directory, name), somebody, somebody);
    const link = join(world.home, 'link');
    symlinkSync(dirname(home), link);
    lchownSync(link, 999, 999);
    const get = await runAs(join(link, 'somebody'), 'config get from');
    expect(get).toMatchObject({ exitCode: 0, stdout: 'a@example.com\n' });
  });

  test('is rejected if others control something in it, or outside of it', async () => {
    const { home, directory, runAs } = homeBelowOthers();
    chownSync(home, 999, 999);
    expect((await runAs(home, setting)).stderr).toContain(`user 999 owns ${home},`);
    chownSync(home, somebody, somebody);
    chownSync(dirname(directory), 999, 999);
    expect((await runAs(home, setting)).stderr).toContain(`user 999 owns ${dirname(directory)},`);
    const another = join(dirname(home), 'some');
    expect((await runAs(another, setting)).stderr).toContain(`user 999 owns ${dirname(home)},`);
    // The home directory in the list of users may be empty, which does not mean the working directory.
    const fromHere = relative(process.cwd(), home);
    expect((await runAs(fromHere, setting)).stderr).toContain(`user 999 owns ${dirname(home)},`);
  });
});

/** Whether the group of the user who runs this test has no other members. */
function hasOwnGroup(): boolean {
  const group = String(process.getegid?.());
  const { stdout: members } = spawnSync('getent', ['group', group], { encoding: 'utf8' });
  const { stdout: users } = spawnSync('getent', ['passwd'], { encoding: 'utf8' });
  const isAlone = users.split('\n').filter((user) => user.split(':')[3] === group).length === 1;
  return isAlone && /:\d+:\n$/.test(members);
}

const ownGroup: Need = { isMet: hasOwnGroup(), why: 'the group of this user has other members' };

test(
  'a group with nobody else in it may write, as with a umask of 002',
  needing(linux, ownGroup),
  async () => {
    const planted = await withKeyCommand();
    chmodSync(dirname(planted.directory), 0o775);
    chmodSync(planted.file, 0o664);
    const { exitCode, stderr } = await run(planted, 'domain list --json');
    expect({ exitCode, stderr }).toEqual({
      exitCode: 0,
      stderr: `Warning: Others could use ${planted.file} (mode 0664); it is now 0600.\n`,
    });
    expect(statSync(planted.file).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(planted.directory)).mode & 0o777).toBe(0o775);
  },
);

/** Makes root appear as nobody, as in a rootless container. */
const withoutRoot = ['unshare', '--user', '--map-user=1000'];

/** Runs the program as another user. */
async function runAsSomebody(
  { place, directory }: Planted,
  words: string,
  through: readonly string[] = [],
): Promise<Finished> {
  const user = [`--reuid=${somebody}`, `--regid=${somebody}`, '--clear-groups'];
  const { exitCode, signal, stdout, stderr } = await execa(
    'setpriv',
    [...user, ...through, ...startOf(), ...split(words)],
    {
      cwd: '/',
      env: { ...place.env, XDG_CACHE_HOME: '/nowhere', MAILER_CONFIG_DIR: directory },
      extendEnv: false,
      reject: false,
      stripFinalNewline: false,
    },
  );
  return { exitCode, signal, stdout, stderr };
}

function canBeSomebody(): boolean {
  const user = [`--reuid=${somebody}`, `--regid=${somebody}`, '--clear-groups'];
  const ended = spawnSync('setpriv', [...user, ...startOf(), '--version'], { env: {} });
  return process.platform === 'linux' && isRoot && ended.status === 0;
}

const becoming: Need = {
  isMet: canBeSomebody(),
  why: 'this user cannot become another one, who can run the program',
};

describe('as root, with setpriv: several users', needing(becoming), () => {
  test('a configuration by root is used by all', async () => {
    const planted = await withKeyCommand();
    for (const path of [planted.place.home, dirname(planted.directory), planted.directory]) {
      chmodSync(path, 0o755);
    }
    chmodSync(planted.file, 0o644);
    const ended = await runAsSomebody(planted, 'profile list --quiet');
    expect(ended).toMatchObject({ exitCode: 0, stdout: 'default\n' });
  });

  test('one by another user is not, and the hint names who can change that', async () => {
    const planted = await withKeyCommand();
    for (const path of [planted.place.home, dirname(planted.directory), planted.directory]) {
      chmodSync(path, 0o755);
    }
    chownSync(planted.file, 999, 999);
    chmodSync(planted.file, 0o644);
    const { exitCode, stderr } = await runAsSomebody(planted, 'profile list');
    expect(exitCode).toBe(2);
    expect(stderr).toContain(`run as root: chown ${somebody} ${planted.file}`);
  });

  test(
    'where root is unknown, no command is shown that changes /',
    needing(works(`${withoutRoot.join(' ')} true`, 'util-linux')),
    async () => {
      const planted = await withKeyCommand();
      for (const path of [planted.place.home, dirname(planted.directory), planted.directory]) {
        chmodSync(path, 0o755);
        chownSync(path, somebody, somebody);
      }
      chownSync(planted.file, somebody, somebody);
      const { exitCode, stderr } = await runAsSomebody(planted, 'profile list', withoutRoot);
      expect(exitCode).toBe(2);
      expect(stderr).toMatch(
        /user \d+ owns \/,.*\nHint: Others can change \/, so only .* Set MAILER_CONFIG_DIR to one\.\n$/,
      );
      expect(stderr).not.toMatch(/chown|chmod/);
    },
  );

  /** A directory like /tmp, in which a user and root both have files. */
  function sharedPlace(): Planted {
    const place = createPlace();
    chmodSync(place.home, 0o755);
    const directory = join(place.home, 'shared');
    mkdirSync(directory);
    chmodSync(directory, 0o1777);
    return { place, directory, file: join(directory, 'config.json'), ran: '' };
  }

  test('a directory like /tmp can be used', async () => {
    const planted = sharedPlace();
    const set = await runAsSomebody(planted, 'config set from a@example.com');
    expect(set).toMatchObject({ exitCode: 0 });
    const get = await runAsSomebody(planted, 'config get from');
    expect(get).toMatchObject({ exitCode: 0, stdout: 'a@example.com\n' });
  });

  test.each(['config.json', 'config.lock'])('a planted %s there is not used', async (name) => {
    const planted = sharedPlace();
    const victim = join(planted.place.home, 'victim');
    writeFileSync(victim, 'untouched');
    chmodSync(victim, 0o666);
    symlinkSync(victim, join(planted.directory, name));
    lchownSync(join(planted.directory, name), 999, 999);
    const { exitCode, stderr } = await runAsSomebody(planted, 'config set from a@example.com');
    expect({ exitCode, stderr }).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining(`user 999 owns ${planted.directory}/${name}`),
    });
    expect(readFileSync(victim, 'utf8')).toBe('untouched');
  });
});
