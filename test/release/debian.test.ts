import { cpSync, mkdirSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, test } from 'vitest';
import { root as asRoot, installed, needing } from '../support/needs.ts';
import { node, temporaryDirectory } from '../support/process.ts';
import { serveFiles } from '../support/release-files.ts';
import { createDebian, type Debian, debootstrap } from './debian.ts';
import { deb, folder, made, makeAgain, released, tarball, version, x64 } from './released.ts';

/** What an email to the sandbox ends with. */
const send =
  'mailer email send --sandbox --from hello@example.com --to a@example.org --subject S --text T --wait --jq .emailEvents[0].status';

async function expectWorking({ run }: Debian): Promise<void> {
  expect(await run('mailer --version')).toMatchObject({ exitCode: 0, stdout: version, stderr: '' });
  expect(await run(send)).toMatchObject({ exitCode: 0, stdout: 'DELIVERED' });
  const page = await run('man mailer-email-send');
  expect(page.stdout).toMatch(/^MAILER-EMAIL-SEND\(1\)/);
}

/** What each shell completes, with nothing set up by the user. */
const completing = {
  bash: `bash -c '. /usr/share/bash-completion/bash_completion; _completion_loader mailer
    COMP_WORDS=(mailer camp) COMP_CWORD=1 COMP_LINE="mailer camp" COMP_POINT=11
    $(complete -p mailer | sed "s/.* -F \\([^ ]*\\) .*/\\1/") mailer camp mailer; echo "\${COMPREPLY[@]}"'`,
  zsh: `zsh -fc 'autoload -U compinit; compinit -D; echo "campaign: $_comps[mailer]"; autoload +X _mailer'`,
  // It looks into the folders of /usr/local only if this names them, as desktops do.
  fish: `XDG_DATA_DIRS=/usr/local/share:/usr/share fish -c 'complete -C "mailer camp"'`,
};

async function expectCompletions({ run }: Debian): Promise<void> {
  expect((await run(completing.bash)).stdout).toContain('campaign');
  expect(await run(completing.zsh)).toMatchObject({ exitCode: 0, stdout: 'campaign: _mailer' });
  expect((await run(completing.fish)).stdout).toMatch(/^campaign\b/);
}

/** Everything there is, except what dpkg and man keep of every package. */
async function everything({ run }: Debian): Promise<string> {
  const { stdout } = await run(
    'find / -xdev -not -path "/proc/*" -not -path "/dev/*" -not -path "/tmp/*" | grep -vE "^/var/(lib/dpkg|log|cache/(man|ldconfig))" | sort',
  );
  return stdout;
}

describe('on a bare Debian', needing(x64, asRoot, debootstrap), () => {
  test('the deb has no error for lintian', needing(made(deb), installed('lintian')), async () => {
    const words = ['--fail-on', 'error', '--allow-root', released(deb)];
    const { exitCode, stdout } = await execa('lintian', words, { reject: false });
    expect({ exitCode, errors: stdout.match(/^E: .*/gm) }).toEqual({ exitCode: 0, errors: null });
  });

  test(
    'the deb is installed, upgraded, run and purged, and leaves nothing',
    needing(made(deb)),
    async () => {
      const debian = await createDebian();
      const older = join(temporaryDirectory(), 'older');
      await makeAgain(older, ['amd64.deb'], '0.0.9');
      debian.add(join(older, 'release', 'mailer_0.0.9_amd64.deb'));
      debian.add(released(deb));
      const before = await everything(debian);
      expect(await debian.run('dpkg -i /mnt/mailer_0.0.9_amd64.deb')).toMatchObject({
        exitCode: 0,
      });
      expect((await debian.run('mailer --version')).stdout).toBe('0.0.9');
      const pages = 'ls /usr/share/man/man1 | grep -c ^mailer';
      const { stdout: pagesBefore } = await debian.run(pages);
      const upgrade = await debian.run(`dpkg -i /mnt/${deb}`);
      expect(upgrade.stdout).toContain(`(${version}) over (0.0.9)`);
      expect((await debian.run(pages)).stdout).toBe(pagesBefore);
      await expectWorking(debian);
      await expectCompletions(debian);
      // What dpkg has on disk is what it was given.
      expect(await debian.run('dpkg --verify mailer')).toMatchObject({ exitCode: 0, stdout: '' });
      expect(await debian.run('dpkg --purge mailer')).toMatchObject({ exitCode: 0 });
      expect((await debian.run('dpkg -s mailer')).exitCode).toBe(1);
      expect(await everything(debian)).toBe(before);
    },
  );

  test(
    'the archive is unpacked into /usr/local, and removed',
    needing(made(`${folder}.tar.gz`)),
    async () => {
      const debian = await createDebian();
      debian.add(released(`${folder}.tar.gz`));
      const before = await everything(debian);
      const unpack = `tar -xzf /mnt/${folder}.tar.gz --strip-components=1 -C /usr/local`;
      expect(await debian.run(unpack)).toMatchObject({ exitCode: 0, stderr: '' });
      await expectWorking(debian);
      await expectCompletions(debian);
      await debian.run(
        `cd /usr/local && tar -tzf /mnt/${folder}.tar.gz | sed "s,^[^/]*/,," | tac | while read -r path; do
         case $path in */) rmdir "$path" 2>/dev/null ;; ?*) rm "$path" ;; esac; done; true`,
      );
      const known = new Set(before.split('\n'));
      const left = (await everything(debian)).split('\n').filter((path) => !known.has(path));
      expect(left).toEqual([]);
    },
  );

  test(
    'install.sh installs the archive beside it, and removes it',
    needing(made('install.sh'), made(`${folder}.tar.gz`)),
    async () => {
      const debian = await createDebian();
      debian.add(released('install.sh'));
      const { url } = await serveFiles(released(''));
      const files = async () => (await debian.run('find /usr/local -not -type d')).stdout;
      const before = await files();
      const install = `MAILER_DOWNLOAD=${url} sh /mnt/install.sh --dir /usr/local`;
      expect(await debian.run(install)).toMatchObject({ exitCode: 0 });
      await expectWorking(debian);
      await expectCompletions(debian);
      expect(await debian.run(`${install} --uninstall`)).toMatchObject({ exitCode: 0 });
      expect(await files()).toBe(before);
    },
  );

  test(
    'the npm package is installed beside a Node, and removed',
    needing(made(tarball)),
    async () => {
      const debian = await createDebian();
      debian.add(released(tarball));
      const local = join(debian.directory, 'usr/local');
      cpSync(node, join(local, 'bin/node'));
      const { stdout: npm } = await execa('sh', ['-c', 'readlink -f "$(command -v npm)"']);
      mkdirSync(join(local, 'lib/node_modules'), { recursive: true });
      cpSync(dirname(dirname(realpathSync(npm))), join(local, 'lib/node_modules/npm'), {
        recursive: true,
      });
      await debian.run(
        'ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm; mkdir -p /usr/local/share/man',
      );
      const before = await everything(debian);
      const install = await debian.run(
        `npm install --global --offline --prefix /usr/local /mnt/${tarball}`,
      );
      expect(install).toMatchObject({ exitCode: 0 });
      await expectWorking(debian);
      const completion = `bash -c 'eval "$(mailer completion bash)"; complete -p mailer'`;
      expect((await debian.run(completion)).stdout).toContain('-F');
      await debian.run('npm uninstall --global --prefix /usr/local mailer-cli');
      const known = new Set(before.split('\n'));
      const left = (await everything(debian)).split('\n').filter((path) => !known.has(path));
      expect(left.filter((path) => path !== '/usr/local/share/man/man1')).toEqual([]);
    },
  );
});
