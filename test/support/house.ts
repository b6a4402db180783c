import { posix } from 'node:path';

/**
 * The floors of each folder that has floors, from the ground up, by the names of the rooms on them; `*.ts`
 * stands for files that are not named. A file may import from lower floors and from its own room.
 */
export const floors: Readonly<Record<string, readonly (readonly string[])[]>> = {
  src: [
    ['api', 'shared', 'testing'],
    ['lib', 'sandbox'],
    ['json-schemas'],
    ['local-service'],
    ['commands'],
    ['cli'],
  ],
  'src/lib': [
    ['base'],
    ['service'],
    ['command-line'],
    ['mail'],
    ['people'],
    ['domains'],
    ['runs'],
    ['agents'],
  ],
  'src/lib/base': [
    ['system'],
    ['errors.ts', 'version.ts'],
    ['text', 'json'],
    ['files', 'input', 'terminal'],
  ],
  'src/lib/service': [['http'], ['account'], ['policy']],
  'src/lib/command-line': [
    ['output'],
    ['completion', 'log', 'reputation'],
    ['command'],
    ['doctor', 'login', 'outbox', 'webhook'],
  ],
  'src/lib/mail': [
    ['check', 'content', 'eml', 'message'],
    ['api-command', 'campaign', 'email', 'template'],
    ['sendmail'],
  ],
  'src/lib/people': [['rows'], ['consent'], ['contact', 'segment'], ['import'], ['sync']],
  'src/lib/domains': [['mail-authentication'], ['domain'], ['dmarc-reports']],
  'src/lib/runs': [['bulk'], ['find'], ['approved', 'retry']],
  'src/lib/agents': [['mcp', 'skill']],
  'src/lib/domains/domain': [['dns'], ['formats'], ['*.ts'], ['deep']],
  'src/lib/service/http': [['network'], ['*.ts']],
  'src/lib/runs/bulk': [
    ['flags.ts'],
    ['journal'],
    ['prepare'],
    ['send'],
    ['show'],
    ['hold.ts'],
    ['run.ts'],
  ],
  'src/sandbox': [
    ['store'],
    ['model'],
    ['dns', 'mail', 'unsubscribe', 'calls', 'arrivals'],
    ['seeds'],
    ['http'],
    ['inbox'],
    ['app.ts', 'accounts.ts'],
    ['open.ts'],
  ],
  'src/sandbox/inbox': [
    ['assets'],
    ['page'],
    ['calls', 'campaigns', 'contacts', 'domains', 'messages', 'reputation', 'requests'],
    ['inbox.ts'],
  ],
  'src/sandbox/model': [
    [
      'api-account.ts',
      'addresses.ts',
      'clock.ts',
      'dns-changes.ts',
      'ids.ts',
      'iso.ts',
      'jobs.ts',
      'reputation-events.ts',
    ],
    ['webhooks.ts'],
    ['content', 'domains.ts'],
    ['dns.ts', 'email', 'templates.ts'],
    ['contact'],
    ['campaign'],
    ['catch-up.ts'],
    ['advance.ts'],
  ],
};

/** Who may import the sandbox: the code that serves it, and the sandbox commands. */
const usersOfSandbox = /^src\/(sandbox|local-service|commands\/sandbox)\//;

/** A sentence about what is wrong with an import; undefined if nothing is. */
export function wrongImport(path: string, imported: string): string | undefined {
  const isOfCommand = path.startsWith('src/commands/') && path !== 'src/commands/manifest.ts';
  if (isOfCommand && imported.startsWith('src/commands/')) {
    return `${path} imports another command, ${imported}: what both need belongs in src/lib.`;
  }
  if (imported.startsWith('src/sandbox/') && !usersOfSandbox.test(path)) {
    return `${path} imports ${imported}: only src/local-service and the commands about the sandbox may.`;
  }
  for (const folder of Object.keys(floors)) {
    const [from, to] = [childOf(folder, path), childOf(folder, imported)];
    if (from === undefined || to === undefined || from === to) continue;
    if (floorOf(folder, from) > floorOf(folder, to)) continue;
    const room = posix.join(folder, floorOf(folder, from) === floorOf(folder, to) ? '' : to);
    return room === folder
      ? `${path} imports ${imported}, from the same floor: what both need belongs on a lower one.`
      : `${path} imports ${imported}, from a higher floor: ${posix.basename(path)} belongs in ${room}, or what it needs lower.`;
  }
  return undefined;
}

/** A sentence about what is wrong with a file's place; undefined if nothing is. */
export function wrongPlace(path: string): string | undefined {
  for (const [folder, rooms] of Object.entries(floors)) {
    const child = childOf(folder, path);
    if (child === undefined || rooms.flat().includes(child)) continue;
    return `${path}: ${folder} has no room "${child}"; it has ${rooms.flat().join(', ')}.`;
  }
  return undefined;
}

/** Import cycles, each as its files in order. */
export function circles(imports: ReadonlyMap<string, readonly string[]>): string[][] {
  const found: string[][] = [];
  const done = new Set<string>();
  const visit = (path: string, way: readonly string[]): void => {
    const start = way.indexOf(path);
    if (start !== -1) found.push(way.slice(start));
    if (start !== -1 || done.has(path)) return;
    for (const next of imports.get(path) ?? []) visit(next, [...way, path]);
    done.add(path);
  };
  for (const path of imports.keys()) visit(path, []);
  return found;
}

/** The room of a file in `folder`, as named in its floors; undefined if the file is elsewhere. */
function childOf(folder: string, path: string): string | undefined {
  if (!path.startsWith(`${folder}/`)) return undefined;
  const [child = '', ...below] = path.slice(folder.length + 1).split('/');
  const known = floors[folder]?.flat() ?? [];
  return below.length === 0 && !known.includes(child) && known.includes('*.ts') ? '*.ts' : child;
}

function floorOf(folder: string, child: string): number {
  return floors[folder]?.findIndex((rooms) => rooms.includes(child)) ?? -1;
}
