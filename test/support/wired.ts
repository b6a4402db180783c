import { type Answer, type Recorder, startRecorder } from './recorder.ts';
import { createWorld, type World } from './run.ts';

/** A world whose account is at a recorder. */
export interface Wired {
  readonly world: World;
  readonly service: Recorder;
  /** Method and path of each request, in order. */
  readonly requests: () => string[];
  /** The JSON of a request's body, by its place from 0. */
  readonly sent: (index?: number) => Record<string, unknown>;
}

/** Starts a recorder that gives these answers, and a world with its URL and a key. */
export async function wired(...answers: readonly Answer[]): Promise<Wired> {
  const service = await startRecorder(...answers);
  const world = createWorld({ MAILER_API_KEY: 'us_key_1234567', MAILER_BASE_URL: service.baseUrl });
  return {
    world,
    service,
    requests: () => service.requests.map(({ method, path }) => `${method} ${path}`),
    sent: (index = 0) => JSON.parse(service.requests[index]?.body ?? ''),
  };
}
