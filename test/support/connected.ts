import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ErrorCode } from '../../src/lib/base/errors.ts';
import { type Answer, type Recorder, startRecorder, startWithoutTemplates } from './recorder.ts';
import { createWorld, type World } from './run.ts';

/** The key of a world that is connected to a recorder. */
export const key = 'us_key_1234567890';

/** A world with an account on a recorder, and shortcuts to both. */
export interface Connected {
  readonly world: World;
  readonly service: Recorder;
  readonly run: World['run'];
  /** Method and path of each request, in order. */
  requests(): string[];
  /** The JSON body of a request, by its index. */
  sent(index?: number): Record<string, unknown>;
  /** Puts a file into the world's working directory and returns its name. */
  file(name: string, content: FileContent): string;
}

/** Text or bytes as they are; other objects become JSON. */
export type FileContent = string | Uint8Array | object;

export async function connected(...answers: readonly Answer[]): Promise<Connected> {
  return connectedTo(await startRecorder(...answers));
}

/** The same for a service that shows no stored templates: requests for them are not recorded. */
export async function connectedWithoutTemplates(...answers: readonly Answer[]): Promise<Connected> {
  return connectedTo(await startWithoutTemplates(...answers));
}

function connectedTo(service: Recorder): Connected {
  const world = createWorld({ MAILER_API_KEY: key, MAILER_BASE_URL: service.baseUrl });
  service.now = () => world.clock.now;
  return {
    world,
    service,
    run: world.run,
    requests: () => service.requests.map(({ method, path }) => `${method} ${path}`),
    sent: (index = 0) => JSON.parse(service.requests[index]?.body ?? ''),
    file: (name, content) => fileIn(world, name, content),
  };
}

/** Puts a file into a world's working directory and returns its name. */
export function fileIn(world: World, name: string, content: FileContent): string {
  const path = join(world.home, name);
  mkdirSync(dirname(path), { recursive: true });
  const asIs = typeof content === 'string' || content instanceof Uint8Array;
  writeFileSync(path, asIs ? content : JSON.stringify(content));
  return name;
}

/** The error object, which under `--json` is all of stderr; expects an empty stdout. */
export function errorOf(outcome: { readonly stderr: string; readonly stdout: string }): ErrorShown {
  if (outcome.stdout !== '') throw new Error(`stdout is not empty: ${outcome.stdout}`);
  return JSON.parse(outcome.stderr).error;
}

/** The error object, which under `--json` is all of stderr, along with a result on stdout. */
export function failureOf(outcome: {
  readonly stderr: string;
  readonly stdout: string;
}): ErrorShown {
  if (outcome.stdout === '') throw new Error('stdout is empty');
  return JSON.parse(outcome.stderr).error;
}

export interface ErrorShown {
  readonly code: ErrorCode;
  readonly message: string;
  readonly status?: number;
  readonly apiCode?: string;
  readonly issues?: unknown;
  readonly unreachableSince?: string;
  readonly last?: string | null;
  readonly hint?: string;
  readonly next?: readonly string[];
  readonly requestId?: string;
  readonly idempotencyKey?: string;
  readonly ids?: readonly string[];
  readonly run?: string;
}
