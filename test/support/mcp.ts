import { Client, type ClientOptions } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { onTestFinished } from 'vitest';
import { createPlace, type Place, split, startOf } from './process.ts';

/** What every tool of `mailer mcp` returns. */
export interface Returned {
  readonly isError: boolean;
  readonly untrusted: string;
  readonly exitCode: number;
  /** The document that the command prints; the client checks it against the tool's schema. */
  readonly result: unknown;
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly hint?: string;
  } | null;
  readonly notes: readonly string[];
  readonly cut: readonly string[];
}

/** The generations of the protocol that clients speak. */
export const generations = {
  '2026-07-28': { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  'before 2026': { versionNegotiation: { mode: 'legacy' } },
} as const satisfies Record<string, ClientOptions>;

/** A client of the real program over pipes. */
export async function connectMcp(
  words: string | readonly string[] = '--sandbox',
  {
    place = createPlace(),
    env = {},
    options = generations['2026-07-28'],
  }: {
    readonly place?: Place;
    readonly env?: Readonly<Record<string, string>>;
    readonly options?: ClientOptions;
  } = {},
) {
  const [command, ...before] = startOf();
  const transport = new StdioClientTransport({
    command,
    args: [...before, 'mcp', ...split(words)],
    env: { ...place.env, ...env },
    cwd: place.home,
    stderr: 'pipe',
  });
  let stderr = '';
  transport.stderr?.on('data', (chunk) => {
    stderr += String(chunk);
  });
  const client = new Client({ name: 'test', version: '1.0.0' }, options);
  await client.connect(transport);
  onTestFinished(() => client.close());
  /** The client checks the result against the schema of the tool, once it has listed the tools. */
  const call = async (
    name: string,
    args: Readonly<Record<string, unknown>> = {},
    signal?: AbortSignal,
  ): Promise<Returned> => {
    const returned = await client.callTool({ name, arguments: args }, signal ? { signal } : {});
    const [text] = returned.content as readonly { readonly text: string }[];
    const structured = returned.structuredContent as unknown as Returned;
    if (JSON.stringify(structured) !== text?.text) throw new Error('The text differs');
    return { ...structured, isError: returned.isError === true };
  };
  return { client, place, call, pid: transport.pid, stderr: () => stderr };
}
