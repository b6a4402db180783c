import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import type { WireReply, WireRequest } from '../../../src/lib/base/system/wire.ts';
import { contactImport } from '../../simulation/contacts.ts';
import { batch } from '../../simulation/emails.ts';
import type { History } from '../../simulation/history.ts';
import {
  type ImageDisk,
  makeImage,
  mountImage,
  mountingImages,
  whileStopped,
} from '../../support/image-disk.ts';
import { needing } from '../../support/needs.ts';
import { createPlace, startOf } from '../../support/process.ts';
import { seeded } from '../../support/seeded.ts';

// A power cut on a real kernel and file system: the image of the disk is copied without the data that the kernel still
// has in memory, and the same command line resumes from the copy. `npm run prove` tries every moment on a simulated
// disk; this shows that what the program asks to be on the disk there is on a real one.

const common = { seed: 1, names: 'in order', concurrency: 1, retries: 1, requests: [] } as const;
const emails: History = {
  ...common,
  rows: ['template a', 'template a', 'plain', 'rejected', 'alone'],
  // A day later, the service has forgotten the keys of emails.
  troubles: [[0, 'power, a day']],
};
/** More than one request has room for. */
const many = Array.from({ length: 1010 }, () => 'new' as const);
const contacts: History = {
  ...common,
  rows: ['changed', 'unsubscribed', 'pending', 'leaving', 'pending', ...many],
  book: 'asks',
  troubles: [[0, 'power, all lost']],
};

/** A service with a queue of contacts, which advances after each list. */
function createWorld(history: History) {
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
  const scenario = (history.book === undefined ? batch : contactImport)(history, world);
  return {
    scenario,
    passDay() {
      world.now += 25 * 3_600_000;
    },
    drain: () => arrive(later.length),
    answer(request: WireRequest) {
      scenario.service.leaves(request);
      // Without a trouble, the response comes at once.
      const replies: WireReply[] = [];
      scenario.service.answer(request, undefined, (reply) => replies.push(reply));
      if (request.url.pathname.endsWith('/contacts')) arrive(400);
      const [reply] = replies;
      if (reply === undefined) throw new Error('There is no response.');
      return reply;
    },
  };
}

/** The content of a disk at one moment, and the requests that had reached the service by then. */
interface Cut {
  readonly image: string;
  readonly requests: readonly WireRequest[];
}

const isSend = ({ method }: WireRequest) => method === 'POST';

/** A machine with its own disk, and a service. */
async function setUp(history: History) {
  const place = createPlace({ MAILER_API_KEY: 'us_key_1234567890' });
  const path = join(place.home, 'disk');
  const files = join(place.home, 'files');
  for (const directory of [path, files]) mkdirSync(directory);
  let world = createWorld(history);
  writeFileSync(join(files, 'rows.json'), world.scenario.input);
  const image = join(place.home, 'image');
  await makeImage(image, files);
  let requests: WireRequest[] = [];
  let beforeResponse = async () => {};
  const server = createServer(async (incoming, outgoing) => {
    const { method = '', url = '', headers } = incoming;
    const body = await text(incoming);
    const request = { method, url: new URL(url, 'http://service'), headers, body } as WireRequest;
    const reply = world.answer(request);
    requests.push(request);
    await beforeResponse();
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
  const words = [...startOf(), ...world.scenario.line, ...more];

  /** Runs the line to its end; copies the disk while its second request that sends has no response, and at the end. */
  async function cuts(): Promise<readonly Cut[]> {
    const disk = await mountImage(image, path);
    const found: Cut[] = [];
    const copy = () => {
      const copied = `${image}-${found.length + 1}`;
      copyFileSync(image, copied);
      found.push({ image: copied, requests: [...requests] });
    };
    const run = disk.start(words, env);
    beforeResponse = async () => {
      if (requests.filter(isSend).length === 2 && found.length === 0) await whileStopped(run, copy);
    };
    const { exitCode = -1, stderr } = await run;
    copy();
    expect({ exitCode, stderr }).toSatisfy((ended) => world.scenario.isComplete(ended, true));
    await disk.unmount();
    return found;
  }

  /** What is wrong if the line is run again on the copy of a disk. */
  async function violationsAfter({ image: copied, requests: before }: Cut): Promise<string[]> {
    requests = [];
    world = createWorld(history);
    for (const request of before) world.answer(request);
    if (history === emails) world.passDay();
    const disk = await mountImage(copied, path);
    const found = await resume(disk);
    await disk.unmount();
    return found;
  }

  async function resume(disk: ImageDisk): Promise<string[]> {
    const { service, check, isComplete } = world.scenario;
    const found: string[] = [];
    const checkResults = () => {
      const lines = readFileSync(join(disk.path, 'results.jsonl'), 'utf8').split('\n').slice(0, -1);
      found.push(...check(lines.map((line): unknown => JSON.parse(line))));
    };
    // The file of results gets its name only when it is complete.
    if (existsSync(join(disk.path, 'results.jsonl'))) checkResults();
    const { exitCode = -1, stderr } = await disk.start(words, env);
    if (isComplete({ exitCode, stderr }, true)) checkResults();
    else found.push(`it does not resume: ${stderr}`);
    world.drain();
    return [...found, ...service.violations];
  }

  return { cuts, violationsAfter };
}

test.for([
  ['email batch', emails],
  ['contact import', contacts],
] as const)('after a power cut, %s resumes', needing(mountingImages), async ([_, history]) => {
  const machine = await setUp(history);
  const cuts = await machine.cuts();
  const [unanswered, ended] = cuts.map(({ requests }) => requests);
  expect(unanswered?.filter(isSend)).toHaveLength(2);
  expect(ended?.length).toBeGreaterThan(unanswered?.length ?? 0);
  for (const cut of cuts) expect(await machine.violationsAfter(cut)).toEqual([]);
});
