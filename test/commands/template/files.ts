import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileIn } from '../../support/connected.ts';
import type { World } from '../../support/run.ts';

/** A template as a file in a directory. */
export function templateText(name: string, subject: string, html: string): string {
  return `---\nname: ${name}\nsubject: ${subject}\n---\n${html}\n`;
}

/** Writes a template into the directory `templates` of a world. */
export function putTemplate(world: World, file: string, name: string, html = '<p>Hi</p>'): void {
  fileIn(world, `templates/${file}`, templateText(name, `About ${name}`, html));
}

export function textOf(world: World, file: string): string {
  return readFileSync(join(world.home, 'templates', file), 'utf8');
}

/** The ids in the lock file by name, for its only service. */
export function lockedIds(world: World): Record<string, string> {
  const { services } = JSON.parse(textOf(world, 'mailer-templates.lock.json'));
  const [ids = {}] = Object.values<Record<string, string>>(services);
  return ids;
}
