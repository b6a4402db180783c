import type { Method } from '../../src/api/operation.ts';
import { readLine } from '../../src/cli/command-line.ts';
import { commandNamed, nameBelow } from '../../src/cli/command-names.ts';
import type { LoadedCommand } from '../../src/commands/manifest.ts';
import type { Transport, WireRequest } from '../../src/lib/base/system/wire.ts';
import type { CommandEffect } from '../../src/lib/command-line/command/effects.ts';
import { classify } from '../../src/lib/service/policy/mailing.ts';

/** What a command line did, to be compared with what the file of its command says. */
export interface Deeds {
  readonly argv: readonly string[];
  readonly requests: readonly WireRequest[];
  readonly exitCode: number;
  readonly stdout: string;
}

/** A transport that collects the requests it sends. */
export function collecting(transport: Transport, requests: WireRequest[]): Transport {
  return {
    send: (request, signal) => {
      requests.push(request);
      return transport.send(request, signal);
    },
    close: () => transport.close(),
  };
}

/** Throws an error if a command sent, or printed as JSON, what its file does not say. Every test that runs a command checks it. */
export async function expectPromised({ argv, requests, exitCode, stdout }: Deeds): Promise<void> {
  const { path, command } = await namedBy(argv);
  if (command === undefined) return;
  const words = path.join(' ');
  // Others only find out whether a sandbox is being served.
  for (const request of requests.filter(({ url }) => url.pathname.includes('/v1/'))) {
    const allowed = effectsOf(request);
    if (allowed.some((effect) => command.effects[effect] !== undefined)) continue;
    const { method, url } = request;
    throw new Error(`${words} sends ${method} ${url.pathname}, but its effects are not ${allowed}`);
  }
  const has = (flag: string) => argv.some((word) => word === flag || word.startsWith(`${flag}=`));
  const isDocument = has('--json') && has('--sandbox') && stdout.startsWith('{');
  const isUnchanged = ![
    '--fields',
    '--jq',
    '--dry-run',
    '--for-approval',
    '--format',
    '--help',
  ].some(has);
  if (isDocument && isUnchanged && [0, 9, 10, 11].includes(exitCode)) {
    await expectDocument(words, command, stdout);
  }
}

/** The command that a line names. Without a flag before it, its words say which: its flags need not be declared again. */
async function namedBy(argv: readonly string[]) {
  if (argv[0]?.startsWith('-') === true) return (await readLine(argv)).level;
  const path: string[] = [];
  for (const word of argv) {
    const name = nameBelow(path, word);
    if (name === undefined) break;
    path.push(name);
  }
  return { path, command: (await commandNamed(path)?.load())?.command };
}

/** The effects of which a command must have one to send a request. */
function effectsOf({ method, url: { pathname } }: WireRequest): readonly CommandEffect[] {
  if (method === 'DELETE') return ['deletes'];
  // These change nothing, whatever their method is.
  if (method === 'GET' || method === 'HEAD' || /\/(preview|render)$/.test(pathname)) {
    return ['reads', 'changes', 'mails', 'deletes'];
  }
  const { kind } = classify({
    method: method as Method,
    path: pathname.replace(/^.*?(?=\/v1\/)/, ''),
  });
  const mails = ['email', 'batch', 'campaign start'].includes(kind);
  return mails ? ['mails'] : ['changes', 'mails', 'deletes'];
}

async function expectDocument(words: string, { prints }: LoadedCommand, stdout: string) {
  const document: unknown = JSON.parse(stdout);
  const schemas = await Promise.all(prints.map(({ schema }) => schema()));
  if (schemas.some((schema) => schema.safeParse(document).success)) return;
  throw new Error(`${words} prints JSON that none of its schemas allows: ${stdout.slice(0, 500)}`);
}
