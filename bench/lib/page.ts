import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, totalmem, type } from 'node:os';
import type { Section } from './bench.ts';
import { report } from './report.ts';

/**
 * Writes results into a page: each bench's figures, with the machine and the date, replace the block below
 * the heading that names it. Other blocks stay.
 */
export function writePage(path: string, sections: readonly Section[], now: Date): void {
  let page = readFileSync(path, 'utf8');
  for (const section of sections) {
    const block = blockOf(section.name);
    if (!block.test(page)) throw new Error(`${path} has no block for ${section.name}`);
    const text = `${conditions(now)}\n\n${report([section])}`;
    page = page.replace(block, (_, before: string, after: string) => `${before}${text}${after}`);
  }
  writeFileSync(path, page);
}

/** The first block after the heading, which ends with the bench's command. */
function blockOf(name: string): RegExp {
  return new RegExp(
    `(^## .*\`npm run bench -- ${name}\`\\n(?:(?!## ).*\\n)*?\`\`\`text\\n)[\\s\\S]*?(^\`\`\`$)`,
    'm',
  );
}

/** The date and the machine. */
function conditions(now: Date): string {
  const date = now.toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
  const memory = `${Math.round(totalmem() / 1024 ** 3)} GiB`;
  const machine = `${availableParallelism()} cores of ${cpus()[0]?.model.trim()}, ${memory}`;
  return `${date}, ${machine}, ${system()}, Node ${process.versions.node}`;
}

function system(): string {
  try {
    const file = readFileSync('/etc/os-release', 'utf8');
    return /^PRETTY_NAME="?(.*?)"?$/m.exec(file)?.[1] ?? type();
  } catch {
    return type();
  }
}
