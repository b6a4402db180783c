import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { needing } from '../support/needs.ts';
import { temporaryDirectory } from '../support/process.ts';
import { bill, deb, folder, made, makeAgain, released, tarball, version, x64 } from './released.ts';

const archive = `${folder}.tar.gz`;

function sha256(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}

test('SHA256SUMS has every file, as sha256sum checks it', async () => {
  const words = ['--check', '--strict', 'SHA256SUMS'];
  const { stdout } = await execa('sha256sum', words, { cwd: released('') });
  const names = stdout.split('\n').map((line) => line.replace(/: OK$/, ''));
  expect([...names, 'SHA256SUMS'].sort()).toEqual(readdirSync(released('')).sort());
});

test(
  'the npm package, the archive and the deb have the same bytes when they are made again elsewhere',
  needing(x64, made(tarball), made(archive), made(deb)),
  async () => {
    const clone = join(temporaryDirectory(), 'elsewhere');
    const names = [tarball, archive, deb];
    await makeAgain(clone, names);
    const sums = names.map((name) => [name, sha256(released(name))]);
    const again = names.map((name) => [name, sha256(join(clone, 'release', name))]);
    expect(again).toEqual(sums);
  },
);

/** What the checks here read of it. */
interface Bill {
  readonly bomFormat: string;
  readonly specVersion: string;
  readonly metadata: { readonly component: { readonly version: string } };
  readonly components: readonly {
    readonly name: string;
    readonly version: string;
    readonly 'bom-ref': string;
    readonly licenses: readonly unknown[];
  }[];
  readonly dependencies: readonly { readonly ref: string }[];
}

test(
  'the bill of materials lists what LICENSES.txt of the executable has a licence of, no more and no less',
  needing(made(bill), made(archive)),
  async () => {
    const list = JSON.parse(readFileSync(released(bill), 'utf8')) as Bill;
    expect(list).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6' });
    expect(list.metadata.component.version).toBe(version);
    const file = `${folder}/share/doc/mailer/LICENSES.txt`;
    const { stdout } = await execa('tar', ['-xzOf', released(archive), file]);
    const titles = [...stdout.matchAll(/^(?:-{80}\n\n)?(\S+) (\d\S*) \([^)\n]+\)/gm)];
    const licensed = new Set(titles.map(([, name, of]) => `${name?.toLowerCase()} ${of}`));
    const listed = list.components.map((one) => `${one.name} ${one.version}`);
    expect(listed.length).toBeGreaterThan(100);
    expect(listed.toSorted()).toEqual([...licensed].sort());
    const refs = list.components.map((one) => one['bom-ref']);
    expect(new Set(refs).size).toBe(refs.length);
    expect(list.dependencies.map(({ ref }) => ref).slice(1)).toEqual(refs);
    expect(list.components.filter(({ licenses }) => licenses.length !== 1)).toEqual([]);
    expect(stdout).toContain('GNU LESSER GENERAL PUBLIC LICENSE');
  },
);
