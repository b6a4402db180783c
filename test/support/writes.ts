import type { World } from './run.ts';

/** The requests to the sandbox that are no reading ones, as method and path. */
export async function writesTo(world: World): Promise<string[]> {
  const { stdout } = await world.run('sandbox logs --jsonl');
  const requests = stdout
    .split('\n')
    .filter(Boolean)
    .map((one) => JSON.parse(one));
  return requests
    .filter(({ method }) => method !== 'GET')
    .map(({ method, path }) => `${method} ${path}`);
}
