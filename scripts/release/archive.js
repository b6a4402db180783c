// Archives of folders, with nothing in them of the machine or the moment that made them.
import { readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../run.js';
import { need } from './needed.js';

/** Packs a folder of `directory` into a file whose suffix tells how: .zip or .tar.gz. `epoch` in seconds dates all of it. */
export function archive(file, directory, folder, epoch) {
  if (file.endsWith('.zip')) zip(file, directory, folder, epoch);
  else tar(file, directory, folder, epoch);
}

function tar(file, directory, folder, epoch) {
  need({ tar: 'tar', gzip: 'gzip' });
  const same = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', '--format=gnu'];
  const modes = ['--mode=u=rwX,go=rX', `--mtime=@${epoch}`];
  const words = ['--use-compress-program=gzip -n', '-C', directory, '-cf', file, folder];
  run('tar', [...same, ...modes, ...words]);
}

function zip(file, directory, folder, epoch) {
  need({ zip: 'zip' });
  const names = readdirSync(join(directory, folder), { recursive: true });
  const paths = [folder, ...names.map((name) => join(folder, name))].sort();
  for (const path of paths) utimesSync(join(directory, path), epoch, epoch);
  // The format has local times.
  run('zip', ['-q', '-X', file, ...paths], { cwd: directory, env: { TZ: 'UTC' } });
}
