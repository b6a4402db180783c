import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { WireReply, WireRequest } from '../../../src/lib/system/wire.ts';
import { contactImport } from '../../simulation/contacts.ts';
import { batch } from '../../simulation/emails.ts';
import type { History } from '../../simulation/history.ts';
import { type ImageDisk, makeImage, mountImage, whileStopped } from '../../support/image-disk.ts';
import { createPlace, root, startOf } from '../../support/process.ts';
import { seeded } from '../../support/seeded.ts';

// Power cuts on a real file system: while the program runs, its disk image is copied repeatedly, without the
// data that the kernel still has in memory. Each copy is mounted later, as after a power cut, and the same
// command line resumes from there.

const common = { seed: 1, names: 'in order', concurrency: 1, retries: 1, requests: [] } as const;
const emails: History = {
  ...common,
  rows: ['template a', 'template a', 'plain', 'rejected', 'alone'],
  troubles: [[0, 'power, all lost']],
};
/** More than one request has room for. */
const many = Array.from({ length: 1010 }, () => 'new' as const);
const contacts: History = {
  ...common,
  rows: ['changed', 'unsubscribed', 'pending', 'leaving', 'pending', ...many],
  book: 'asks',
  troubles: [[0, 'power, all lost']],
};

/** The content of a disk at one moment, and the requests that had reached the service by then. */
interface Cut {
  readonly image: string;
  readonly requests: readonly WireRequest[];
  /** The number of requests that change something. */
  readonly changes: number;
  /** Whether the last of these got no response. */
  readonly isUnanswered: boolean;
}

/** The copies kept between two requests: the first and the last. */
const mostBetween = 2;

/** The contacts by which the queue of the service advances after each list. */
const perList = 400;

/** A service with a queue. */
function createWorld(history: History, hours: number) {
  const later: (() => void)[] = [];
  const arrive = (most: number) => {
    for (const happen of later.splice(0, most)) happen();
  };
  const world = {
    now: Date.now(),
    random: seeded(1),
    later: (_: unknown, happen: () => void) => {
      later.push(happen);
      return () => {};
    },
  };
  const troubles: History['troubles'] = hours === 0 ? history.troubles : [[0, 'power, a day']];
  const create = history.book === undefined ? batch : contactImport;
  const scenario = create({ ...history, troubles }, world);
  return {
    scenario,
    passes(ms: number) {
      world.now += ms;
    },
    drain: () => arrive(later.length),
    answer(request: WireRequest) {
      scenario.service.leaves(request);
      // Without a trouble, the response comes at once.
      const replies: WireReply[] = [];
      scenario.service.answer(request, undefined, (reply) => replies.push(reply));
      if (request.url.pathname.endsWith('/contacts')) arrive(perList);
      const [reply] = replies;
      if (reply === undefined) throw new Error('There is no response.');
      return reply;
    },
  };
}

type World = ReturnType<typeof createWorld>;

/** A machine with its own disk, and a service; undefined if the disk cannot be mounted. */
async function setUp(history: History) {
  const place = createPlace({ MAILER_API_KEY: 'us_key_1234567890' });
  const path = join(place.home, 'disk');
  const files = join(place.home, 'files');
  for (const directory of [path, files]) mkdirSync(directory);
  let world = createWorld(history, 0);
  writeFileSync(join(files, 'rows.json'), world.scenario.input);
  const image = join(place.home, 'image');
  if (!(await makeImage(image, files))) return undefined;
  let requests: WireRequest[] = [];
  let changes = 0;
  let answered = 0;
  const waiting: (() => void)[] = [];
  let isRunning = false;
  const server = createServer(async (incoming, outgoing) => {
    const { method = '', url = '', headers } = incoming;
    const body = await text(incoming);
    const request = { method, url: new URL(url, 'http://service'), headers, body } as WireRequest;
    const reply = world.answer(request);
    requests.push(request);
    if (method === 'POST' || method === 'PATCH') changes++;
    // Copy the disk before the program gets the response.
    if (isRunning) await new Promise<void>((resolve) => waiting.push(resolve));
    outgoing.writeHead(reply.status, reply.headers).end(method === 'HEAD' ? '' : reply.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  // It listens on a port.
  const { port } = server.address() as AddressInfo;
  const env = {
    ...place.env,
    MAILER_BASE_URL: `http://127.0.0.1:${port}/api`,
    MAILER_STATE_DIR: join(path, 'state'),
  };
  // Do not wait long for contacts that do not arrive.
  const more = history.book === undefined ? [] : ['--wait-timeout', '1s'];
  const line = [...world.scenario.line, ...more];

  /** Runs the line to its end; returns a copy of each state of the disk. */
  async function cutsOf(start: readonly string[]): Promise<Cut[] | undefined> {
    const disk = await mountImage(image, path);
    if (disk === undefined) return undefined;
    const cuts: Cut[] = [];
    let copies = 0;
    let last = Buffer.alloc(0);
    const copy = () => {
      const held = readFileSync(image);
      const between = cuts.filter((cut) => cut.changes === changes);
      if (held.equals(last) && between.length > 0) return;
      if (between.length === mostBetween) cuts.pop();
      last = held;
      const copied = `${image}-${++copies}`;
      copyFileSync(image, copied);
      const isUnanswered = changes > answered;
      cuts.push({ image: copied, requests: [...requests], changes, isUnanswered });
    };
    const run = disk.start([...start, ...line], env);
    isRunning = true;
    void run.then(() => {
      isRunning = false;
    });
    while (isRunning) {
      const due = waiting.splice(0);
      await whileStopped(run, copy);
      if (due.length > 0) answered = changes;
      for (const respond of due) respond();
      // It gets a little further.
      await pause(4);
    }
    const { exitCode = -1, stderr } = await run;
    copy();
    expect({ exitCode, stderr }).toSatisfy((ended) => world.scenario.isComplete(ended, true));
    await disk.unmount();
    return cuts;
  }

  /** What is wrong after a power cut. */
  async function violationsAfter(cut: Cut, hours: number): Promise<string[]> {
    requests = [];
    world = createWorld(history, hours);
    for (const request of cut.requests) world.answer(request);
    world.passes(hours * 3_600_000);
    const resumed = `${cut.image}-resumed`;
    copyFileSync(cut.image, resumed);
    const disk = await mountImage(resumed, path);
    if (disk === undefined) throw new Error('an image that was mounted before cannot be mounted');
    const found = await resume(disk, world);
    await disk.unmount();
    return found;
  }

  async function resume(disk: ImageDisk, { scenario, drain }: World): Promise<string[]> {
    const { service, check, isComplete } = scenario;
    const found: string[] = [];
    const checkResults = () => {
      const lines = readFileSync(join(disk.path, 'results.jsonl'), 'utf8').split('\n').slice(0, -1);
      found.push(...check(lines.map((line): unknown => JSON.parse(line))));
    };
    // The file of results gets its name only when it is complete.
    if (existsSync(join(disk.path, 'results.jsonl'))) checkResults();
    const { exitCode = -1, stderr } = await disk.start([...startOf(), ...line], env);
    if (isComplete({ exitCode, stderr }, true)) checkResults();
    else found.push(`it does not resume: ${stderr}`);
    drain();
    return [...found, ...service.violations];
  }

  return { cutsOf, violationsAfter };
}

/** When the run is resumed: after a day, the service has forgotten the keys of emails. */
const hoursAfter = ({ isUnanswered }: Cut, history: History) =>
  isUnanswered && history === emails ? [0, 25] : [0];

const cannot = 'no file system can be mounted here';

test.for([
  ['email batch', emails],
  ['contact import', contacts],
] as const)(
  'after a power cut, %s resumes',
  { timeout: 240_000 },
  async ([_, history], context) => {
    const machine = await setUp(history);
    const cuts = await machine?.cutsOf(startOf());
    if (machine === undefined || cuts === undefined) return context.skip(cannot);
    expect(cuts.filter(({ isUnanswered }) => isUnanswered).length).toBeGreaterThan(2);
    const posts = cuts.map(
      ({ requests }) => requests.filter(({ method }) => method === 'POST').length,
    );
    expect(Math.max(...posts)).toBeGreaterThan(1);
    for (const [index, cut] of cuts.entries()) {
      for (const hours of hoursAfter(cut, history)) {
        const violations = await machine.violationsAfter(cut, hours);
        expect({ index, hours, violations }).toMatchObject({ violations: [] });
      }
    }
  },
);

// `npm run test:matrix` runs these before each release; each check of a change simulates the same defects.
test.skipIf(process.env.MAILER_TEST_WHOLE !== '1').for([
  ['email batch', 'the bodies are not flushed to the disk before they are sent', emails],
  ['email batch', 'the beginning of a request is not flushed to the disk', emails],
  ['email batch', 'results have their name before they are on the disk', emails],
  [
    'contact import',
    'contacts are sent that may be asked to confirm before that is safe on the disk',
    contacts,
  ],
] as const)(
  'a power cut in %s shows that %s',
  {
    timeout: 240_000,
  },
  async ([, what, history], context) => {
    const machine = await setUp(history);
    const planted = [process.execPath, '--no-warnings', join(root, 'test/simulation/planted.ts')];
    const cache = `NODE_COMPILE_CACHE=${join(root, 'node_modules/.cache/simulation')}`;
    const cuts = await machine?.cutsOf(['env', cache, ...planted, what]);
    if (machine === undefined || cuts === undefined) return context.skip(cannot);
    const found: string[] = [];
    for (const cut of cuts.toReversed()) {
      for (const hours of hoursAfter(cut, history).toReversed()) {
        if (found.length === 0) found.push(...(await machine.violationsAfter(cut, hours)));
      }
    }
    expect(found).not.toEqual([]);
  },
);
