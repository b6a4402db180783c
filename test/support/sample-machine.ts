import { vi } from 'vitest';
import { InterruptedError } from '../../src/lib/base/errors.ts';
import { fileIn } from './connected.ts';
import { reportOf } from './dmarc-reports.ts';
import { startDns } from './dns-server.ts';
import { patience } from './patience.ts';
import { startRecorder } from './recorder.ts';
import { createWorld, type Outcome, type RunOptions, type World } from './run.ts';

/** A machine for a sample: a home directory, a service without domains, DNS. */
export interface Machine {
  readonly world: World;
  /** The base URL of a service that accepts any key. */
  readonly service: string;
  /** A DNS server without records. */
  readonly dns: string;
  /** Runs a command line until it ends. */
  run(line: string, options?: RunOptions): Promise<Outcome>;
  /** Runs a command line with `--quiet`, and returns the first line of its output. */
  first(line: string): Promise<string>;
  /** Serves the sandbox during `work`, and returns the server's output. */
  serving(line: string, work: () => Promise<unknown>): Promise<Outcome>;
}

export const key = 'us_key_1234567890';

export async function createMachine(): Promise<Machine> {
  const world = createWorld();
  const service = await startRecorder({ body: [] }, { body: [] });
  const dns = await startDns([]);
  fileIn(
    world,
    'contacts.csv',
    'email,first name,plan\nana@example.org,Ana,pro\nben@example.org,Ben,free\n',
  );
  fileIn(world, 'people.csv', 'to,name\nana@example.org,Ana\nben@example.org,Ben\n');
  fileIn(world, 'nobody.csv', 'to,name\nana@example.org,Ana\nnobody,Ben\n');
  fileIn(world, 'report.xml', reportOf('google'));
  fileIn(world, 'seeds.json', { contacts: [{ book: 'Customers', email: 'cy@example.org' }] });
  const run = (line: string, options: RunOptions = {}) => world.run(split(line), options);
  return {
    world,
    service: service.baseUrl,
    dns: dns.address,
    run,
    async first(line) {
      const { stdout, stderr } = await run(`${line} --quiet`);
      const [first = ''] = stdout.split('\n');
      if (first === '') throw new Error(`nothing was printed by ${line}: ${stderr}`);
      return first;
    },
    async serving(line, work) {
      const stop = new AbortController();
      const served = world.run(split(line), { signal: stop.signal });
      const ready = async () => {
        const { stdout } = await run('sandbox status --quiet');
        if (stdout !== 'running\n') throw new Error('the sandbox is not being served');
      };
      await vi.waitFor(ready, { timeout: patience });
      await work();
      stop.abort(new InterruptedError('Interrupted.'));
      return await served;
    },
  };
}

/** Splits a command line as a shell does, as far as needed here. */
function split(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
}
