import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { execa } from 'execa';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { blockedApiKey } from '../../src/sandbox/model/api-account.ts';
import { setupMailer } from '../support/composite.ts';
import { makeRecord, makeReport, messageWith, signed, spf } from '../support/dmarc-reports.ts';
import { startDns, type ZoneRecord } from '../support/dns-server.ts';
import { listItem } from '../support/emails.ts';
import { needing, works } from '../support/needs.ts';
import { program, temporaryDirectory } from '../support/process.ts';
import { type Recorded, startRecorder } from '../support/recorder.ts';
import { createRelease, serveFiles } from '../support/release-files.ts';
import { readWorkflow, runWorkflow } from './github.ts';
import { readPipeline, runPipeline } from './gitlab.ts';
import { createMachine, type Machine, type MachineOptions, packageFile } from './machine.ts';
import { openPage } from './page.ts';
import { type Service, startService } from './service.ts';

// Each block runs exactly as on the page. The tests only add a machine: programs on its PATH,
// variables, a DNS server, and a service at MAILER_BASE_URL.

const page = openPage('docs/recipes.md', {
  jq: works('jq --version', 'jq'),
  sqlite3: works('sqlite3 --version', 'sqlite3'),
  duckdb: { ...works('duckdb --version', ''), why: 'duckdb is missing (duckdb.org)' },
});
const mail = { MAIL_FROM: 'hello@example.com', MAIL_TO: 'delivered@example.org' };

const shellcheck = works('shellcheck --version', 'shellcheck');

const key = 'us_key_1234567890';

/** A machine whose account is at a recorder, on which `mailer` never retries. */
async function impatientMachine(baseUrl: string, env: Readonly<Record<string, string>> = {}) {
  const machine = createMachine({ env: { MAILER_BASE_URL: baseUrl, MAILER_API_KEY: key, ...env } });
  await machine.store({ settings: { retries: '0' } });
  return machine;
}

/** The base URL of a service that has stopped. */
async function nobody(): Promise<string> {
  const recorder = await startRecorder();
  await recorder.close();
  return recorder.baseUrl;
}

function bodyOf({ body }: Recorded): unknown {
  return JSON.parse(body);
}

const install = 'npm install --global "$MAILER_PACKAGE"';

/** A machine on which a job must first install the package, which is there. */
function bareMachine(options: MachineOptions = {}): Machine {
  const machine = createMachine({ bare: true, ...options });
  writeFileSync(join(machine.home, packageFile), 'contents');
  return machine;
}

page.recipe('package', (text) => {
  test('makes the file that the page names, which can be installed', async () => {
    const machine = createMachine({ bare: true, env: { MAILER_PACKAGE: packageFile } });
    expect(await machine.run('mailer --version')).toMatchObject({ exitCode: 127 });
    const made = await machine.run(text, { shell: ['bash', '-e'] });
    expect(made).toEqual({ exitCode: 0, log: `${packageFile}\n` });
    const shown = readFileSync(page.path, 'utf8');
    expect(shown).toContain(`\`${install}\``);
    expect(shown).toContain(`\`${packageFile}\``);
    const { log } = await machine.run(`${install} && mailer --version`);
    expect(log).toBe(`${/(\d+\.\d+\.\d+)/.exec(packageFile)?.[1]}\n`);
  });
});

/** The version in the page's names of files. */
const [, onPage = ''] = /-(\d+\.\d+\.\d+)\.tgz/.exec(packageFile) ?? [];
const archiveOnPage = `mailer-${onPage}-linux-x64.tar.gz`;

page.recipe('executable', (text) => {
  const curl = works('curl --version', 'curl');
  async function scene() {
    const { directory } = await createRelease(onPage);
    const { url, requested } = await serveFiles(directory);
    const [sum = ''] = readFileSync(join(directory, 'SHA256SUMS'), 'utf8').split(' ');
    const machine = createMachine({ bare: true });
    const run = (checksum = sum) =>
      machine.run(`${text}.mailer/bin/mailer --version`, {
        shell: ['sh', '-e'],
        env: { MAILER_DOWNLOAD: url, MAILER_SHA256: checksum },
      });
    return { run, requested };
  }

  test('downloads and checks it once', needing(curl), async () => {
    const { run, requested } = await scene();
    expect(await run()).toEqual({ exitCode: 0, log: `mailer.tar.gz: OK\n${onPage}\n` });
    expect(await run()).toEqual({ exitCode: 0, log: `${onPage}\n` });
    expect(requested).toEqual([`/${archiveOnPage}`]);
  });

  test('ends the job with a wrong checksum, each time', needing(curl), async () => {
    const { run } = await scene();
    for (const _ of [1, 2]) {
      const { exitCode, log } = await run('0'.repeat(64));
      expect(exitCode).not.toBe(0);
      expect(log).not.toContain(onPage);
    }
  });

  test('is kept by each system, in the directory and under the version of the line', () => {
    const shown = readFileSync(page.path, 'utf8');
    const rows = [...shown.matchAll(/^\| (GitHub|GitLab|Circle|Azure|Drone|Wood|Jenkins).*$/gm)];
    expect(rows).toHaveLength(7);
    for (const [row] of rows) {
      const [first = '', ...others] = [...row.matchAll(/`([^`]*)`/g)].map(([, code = '']) => code);
      expect(row).toContain(onPage);
      if (row.startsWith('| Jenkins')) {
        expect(first).toBe(`mkdir -p ~/.cache/mailer-${onPage} && cd ~/.cache/mailer-${onPage}`);
        continue;
      }
      const all = [first, ...others.filter((code) => code.startsWith('save_cache'))];
      for (const code of all) expect(parse(code)).toEqual(expect.any(Object));
      const isAction = row.startsWith('| GitHub');
      expect(all.join()).toContain(isAction ? setupMailer.name && 'setup-mailer@' : '.mailer');
      if (!isAction) continue;
      const step = parse(first) as { readonly with: object };
      expect(Object.keys(setupMailer.inputs)).toEqual(
        expect.arrayContaining(Object.keys(step.with)),
      );
    }
  });
});

page.recipe('executable-image', (text) => {
  test('unpacks the archive that it adds', async () => {
    const { directory } = await createRelease(onPage);
    const [add = '', run = ''] = text.split('\n');
    expect(add).toMatch(/^ADD --checksum=sha256:HEX https:\/\/\S+ \/tmp\/mailer\.tar\.gz$/);
    expect(add).toContain(`/${archiveOnPage} `);
    const place = temporaryDirectory();
    mkdirSync(join(place, 'local'));
    const archive = join(place, 'mailer.tar.gz');
    await execa('cp', [join(directory, archiveOnPage), archive]);
    const script = run
      .replace('RUN ', '')
      .replaceAll('/tmp/mailer.tar.gz', archive)
      .replace('/usr/local', join(place, 'local'));
    await execa('sh', ['-c', script]);
    expect(existsSync(archive)).toBe(false);
    const { stdout } = await execa(join(place, 'local', 'bin', 'mailer'), ['--version']);
    expect(stdout).toBe(onPage);
  });
});

describe('a job that verifies a domain', () => {
  const domain = 'fail.example.org';
  const spf = 'v=spf1 include:amazonses.com ~all';
  const mx: ZoneRecord = [
    'mail.fail.example.org',
    'MX',
    '10 feedback-smtp.us-east-1.amazonses.com',
  ];
  const dmarc: ZoneRecord = ['_dmarc.example.org', 'TXT', 'v=DMARC1; p=none'];
  const isVerify = (request: string) => request.endsWith('/verify');
  /** The records of a domain, as its owner publishes them, and what they refer to. */
  async function published(service: Service, name: string): Promise<readonly ZoneRecord[]> {
    const domains = z
      .array(
        z.object({
          name: z.string(),
          dnsRecords: z.array(
            z.looseObject({
              type: z.enum(['MX', 'TXT']),
              name: z.string(),
              value: z.string(),
              priority: z.string().optional(),
            }),
          ),
        }),
      )
      .parse(await service.call('GET', '/domains'));
    const own = domains.find((one) => one.name === name)?.dnsRecords ?? [];
    return [
      ...own.map(({ type, name: label, value, priority = '' }): ZoneRecord => {
        return [`${label}.${name}`, type, `${priority} ${value}`.trim()];
      }),
      ['amazonses.com', 'TXT', 'v=spf1 ip4:192.0.2.0/24 -all'],
    ];
  }
  /** A service and a machine for jobs; without records, DNS has those of example.org. Verifications of a domain with this name fail. */
  async function ci(...records: readonly ZoneRecord[]) {
    const service = await startService();
    await service.call('POST', '/domains', { name: domain, region: 'us-east-1' });
    const dns = await startDns(
      records.length > 0 ? records : await published(service, 'example.org'),
    );
    return { service, machine: bareMachine({ dns: dns.address }) };
  }

  page.recipe('github-domain', (text) => {
    const workflow = readWorkflow(text);

    async function run(MAIL_DOMAIN: string, service: Service, machine: Machine) {
      const { MAILER_BASE_URL = '', MAILER_API_KEY = '' } = service.env;
      const settings = {
        vars: { MAILER_PACKAGE: packageFile, MAIL_DOMAIN, MAILER_BASE_URL },
        secrets: { MAILER_API_KEY },
      };
      return await runWorkflow(workflow, settings, machine);
    }

    test('waits for as long as the verification needs', () => {
      const [job] = Object.values(workflow.jobs);
      expect(text).toContain('--wait-timeout 10m');
      expect(job?.['timeout-minutes']).toBeGreaterThan(10);
    });

    test('gives the key only to the step that needs it', () => {
      const steps = Object.values(workflow.jobs).flatMap(({ steps }) => steps);
      const holders = steps.filter((step) => JSON.stringify(step).includes('secrets.'));
      expect(holders).toEqual([
        expect.objectContaining({ run: expect.stringMatching(/^mailer /) }),
      ]);
      expect(Object.values(workflow.jobs)).not.toContainEqual(
        expect.objectContaining({ env: expect.anything() }),
      );
    });

    test('passes when the domain is verified', async () => {
      const { service, machine } = await ci();
      const { exitCode, log } = await run('example.org', service, machine);
      expect({ exitCode, log }).toMatchObject({ exitCode: 0 });
      expect(log).toContain('\noutcome\tsuccess\n');
      expect(service.requests.filter(isVerify)).toEqual(['PUT /api/v1/domains/2/verify']);
      const again = await run('example.org', service, machine);
      expect(again).toMatchObject({
        exitCode: 0,
        log: expect.stringContaining('already verified'),
      });
      expect(service.requests.filter(isVerify)).toHaveLength(1);
    });

    test('fails with 9 and each record that is missing or wrong', async () => {
      const wrong: ZoneRecord = ['mail.fail.example.org', 'TXT', 'v=spf1 include:example.net ~all'];
      const { service, machine } = await ci(mx, wrong);
      const { exitCode, log } = await run(domain, service, machine);
      expect(exitCode).toBe(9);
      const lines = log.split('\n');
      const record = (name: string) => lines.find((line) => line.startsWith(`TXT\t${name}\t`));
      expect(record('usesend._domainkey.fail.example.org')).toMatch(/\tmissing\ttrue\tp=\S+\t\t/);
      expect(record('mail.fail.example.org')).toContain(
        `\twrong\ttrue\t${spf}\t${wrong[2]}\tThe SPF record is missing include:amazonses.com`,
      );
      expect(record('_dmarc.example.org')).toContain('\tmissing\tfalse\t');
      expect(lines.some((line) => line.startsWith('MX\t'))).toBe(false);
      expect(log).not.toContain(service.apiKey);
      page.logged('github-domain', log);
    });

    test('fails first if the package is not named', async () => {
      const { service, machine } = await ci();
      const vars = { MAILER_PACKAGE: '', MAIL_DOMAIN: domain, MAILER_BASE_URL: service.baseUrl };
      const settings = { vars, secrets: { MAILER_API_KEY: service.apiKey } };
      const { exitCode, log } = await runWorkflow(workflow, settings, machine);
      expect(exitCode).toBe(1);
      expect(log).toContain('MAILER_PACKAGE: parameter null or not set');
      expect(service.requests).toEqual([]);
    });
  });

  page.recipe('gitlab-domain', (text) => {
    const jobs = readPipeline(text);

    async function run(MAIL_DOMAIN: string, service: Service, machine: Machine) {
      const variables = { ...service.env, MAILER_PACKAGE: packageFile, MAIL_DOMAIN };
      return await runPipeline(jobs, variables, machine);
    }

    test('waits for as long as the verification needs', () => {
      const [job] = Object.values(jobs);
      expect(text).toContain('--wait-timeout 10m');
      expect(Number.parseInt(job?.timeout ?? '', 10)).toBeGreaterThan(10);
    });

    test('passes when the domain is verified', async () => {
      const { service, machine } = await ci();
      const { exitCode, log } = await run('example.org', service, machine);
      expect({ exitCode, log }).toMatchObject({ exitCode: 0 });
      expect(log).toContain('\noutcome\tsuccess\n');
      expect(await run('example.org', service, machine)).toMatchObject({ exitCode: 0 });
      expect(service.requests.filter(isVerify)).toHaveLength(1);
    });

    test('fails with 9 and the record that is missing', async () => {
      const own: ZoneRecord = ['mail.fail.example.org', 'TXT', spf];
      const { service, machine } = await ci(mx, dmarc, own, [
        'amazonses.com',
        'TXT',
        'v=spf1 -all',
      ]);
      const { exitCode, log } = await run(domain, service, machine);
      expect({ exitCode, log }).toMatchObject({ exitCode: 9 });
      expect(log.match(/^(TXT|MX)\t\S+/gm)).toEqual(['TXT\tusesend._domainkey.fail.example.org']);
      expect(log).not.toContain(service.apiKey);
      page.logged('gitlab-domain', log);
    });
  });
});

page.recipe('reputation-gate', (text) => {
  /** A machine with a project to deploy. */
  async function deploying(env: Readonly<Record<string, string>>) {
    const machine = createMachine({ env });
    await machine.store({ settings: { retries: '0' } });
    writeFileSync(join(machine.home, 'deploy'), '#!/bin/sh\necho deployed\n', { mode: 0o755 });
    return machine;
  }

  test('passes for a healthy account', async () => {
    const service = await startService();
    const { exitCode, log } = await (await deploying(service.env)).run(text);
    expect({ exitCode, log }).toMatchObject({ exitCode: 0 });
    expect(log).toMatch(/\tHEALTHY\t.*\ndeployed\n$/);
  });

  test('fails for a blocked account', async () => {
    const service = await startService();
    const machine = await deploying({ ...service.env, MAILER_API_KEY: blockedApiKey });
    const { exitCode, log } = await machine.run(text);
    expect(exitCode).toBe(9);
    expect(log).not.toContain('deployed');
    page.logged('reputation-gate', log);
  });

  test('fails if the service is unavailable', async () => {
    const machine = await deploying({ MAILER_BASE_URL: await nobody(), MAILER_API_KEY: key });
    const { exitCode, log } = await machine.run(text);
    expect(exitCode).toBe(7);
    expect(log).not.toContain('deployed');
  });
});

page.recipe('distance-gate', (text) => {
  const status = {
    state: 'WARNING',
    bounceRate: 9.8,
    sampleSize: 3000,
    sampleSufficient: true,
    thresholds: { block: 10 },
    distanceToBlock: 0.2,
  };
  const draft = { id: 'cm3k9x2f8000008l4', name: 'News', status: 'DRAFT' };
  const env = { CAMPAIGN: draft.id };

  test('starts the campaign of an account that is far from the limit', async () => {
    const far = { ...status, bounceRate: 2, distanceToBlock: 8 };
    const service = await startRecorder(
      { body: far, standing: true },
      { body: draft },
      { body: { success: true } },
    );
    const { exitCode, log } = await (await impatientMachine(service.baseUrl, env)).run(text);
    expect({ exitCode, log }).toMatchObject({ exitCode: 0 });
    expect(service.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /api/v1/reputation/status',
      `GET /api/v1/campaigns/${draft.id}`,
      `POST /api/v1/campaigns/${draft.id}/schedule`,
    ]);
  });

  test('starts nothing at a second run', async () => {
    const service = await startService();
    const campaign = (await service.call('POST', '/campaigns', {
      name: 'News',
      from: mail.MAIL_FROM,
      subject: 'News',
      contactBookId: 'book_customers',
      html: '<p>News</p>{{usesend_unsubscribe_url}}',
      // The shape of the sandbox's own reply.
    })) as { id: string };
    const machine = createMachine({ env: { ...service.env, CAMPAIGN: campaign.id } });
    const { exitCode, log } = await machine.run(text);
    expect({ exitCode, log }).toMatchObject({ exitCode: 0 });
    await machine.run('mailer campaign watch "$CAMPAIGN" --quiet');
    const sent = await service.subjects();
    expect(sent).toContain('News');
    expect(await machine.run(text)).toMatchObject({ exitCode: 5 });
    expect(await service.subjects()).toEqual(sent);
  });

  test('starts nothing for one that is too close to it', async () => {
    const service = await startRecorder({ body: status, standing: true });
    const { exitCode, log } = await (await impatientMachine(service.baseUrl, env)).run(text);
    expect(exitCode).toBe(9);
    expect(service.requests).toHaveLength(1);
    page.logged('distance-gate', log);
  });

  test('starts nothing if the service is unavailable', async () => {
    const { exitCode } = await (await impatientMachine(await nobody(), env)).run(text);
    expect(exitCode).toBe(7);
  });
});

page.recipe('check-templates', (text) => {
  const good = '<meta name="color-scheme" content="light dark">\n<p>Hi {{ name }}</p>\n';
  const [, ignored = ''] = /`(\{ "check".+\})`/.exec(readFileSync(page.path, 'utf8')) ?? [];

  function withFiles(files: Readonly<Record<string, string>>) {
    const machine = createMachine();
    mkdirSync(join(machine.home, 'templates'));
    for (const [name, content] of Object.entries(files)) {
      writeFileSync(join(machine.home, name), content);
    }
    return machine;
  }

  test('ends with 9 if a template has an error, and checks the others, too', async () => {
    const machine = withFiles({
      '.mailer.json': ignored,
      'templates/receipt.html': `${good}<a href="www.example.com">Shop</a>\n`,
      'templates/welcome.html': good,
    });
    const { exitCode, log } = await machine.run(text);
    expect(exitCode).toBe(9);
    page.logged('check-templates', log.replaceAll(machine.home, '/repository'));
  });

  test('ends with 0 if there is none', async () => {
    const files = { '.mailer.json': ignored, 'templates/welcome.html': good };
    expect(await withFiles(files).run(text)).toMatchObject({ exitCode: 0 });
  });

  test('the file leaves out placeholders', async () => {
    const { exitCode, log } = await withFiles({ 'templates/welcome.html': good }).run(text);
    expect(exitCode).toBe(9);
    expect(log).toContain('placeholder');
  });

  test('ends with 2 without templates', async () => {
    expect(await withFiles({}).run(text)).toMatchObject({ exitCode: 2 });
  });
});

/** A machine with an account at a service, and the files of two templates. */
async function withTemplates() {
  const service = await startService();
  const machine = createMachine({ env: { ...service.env, ...mail } });
  mkdirSync(join(machine.home, 'templates'));
  for (const [file, name] of [
    ['receipt.html', 'Receipt'],
    ['welcome.html', 'Welcome'],
  ] as const) {
    const text = `---\nname: ${name}\nsubject: ${name}, {{name}}\n---\n<p>Hello {{name}}</p>\n`;
    writeFileSync(join(machine.home, 'templates', file), text);
  }
  const creates = () => service.requests.filter((one) => one === 'POST /api/v1/templates').length;
  return { service, machine, creates };
}

page.recipe('push-templates', (text) => {
  test.each([
    ['GitHub', { GITHUB_REF_NAME: '7/merge' }, { GITHUB_REF_NAME: 'main' }],
    ['GitLab', {}, { CI_COMMIT_BRANCH: 'main' }],
  ])('on %s: a pull request shows, the main branch creates, once', async (_, request, main) => {
    const { machine, creates } = await withTemplates();
    const shown = await machine.run(text, { env: request });
    expect(shown.exitCode).toBe(0);
    expect(creates()).toBe(0);
    for (const created of ['Created 2 templates.', 'Created 0 templates.']) {
      const { exitCode, log } = await machine.run(text, { env: main });
      expect({ exitCode, log }).toEqual({ exitCode: 0, log: expect.stringContaining(created) });
    }
    expect(creates()).toBe(2);
    page.logged('push-templates', shown.log);
  });
});

page.recipe('newest-template', (text) => {
  test('sends the version in the directory, once', async () => {
    const { service, machine, creates } = await withTemplates();
    const first = await machine.run(text);
    expect(first).toMatchObject({ exitCode: 0 });
    expect(await machine.run(text)).toEqual(first);
    const sent = (await service.subjects()).filter((one) => one === 'Welcome, Ana');
    expect(sent).toHaveLength(1);
    expect(creates()).toBe(2);
    await machine.run(text, { env: { MAIL_TO: 'ben@example.org' } });
    expect((await service.subjects()).filter((one) => one === 'Welcome, Ana')).toHaveLength(2);
  });

  test('does not send another version to the same address', async () => {
    const { service, machine } = await withTemplates();
    // Else it would wait for the key, in case its first email is still being sent.
    await machine.store({ settings: { retries: '0' } });
    await machine.run(text);
    const file = join(machine.home, 'templates', 'welcome.html');
    writeFileSync(file, readFileSync(file, 'utf8').replace('Hello', 'Hi'));
    expect(await machine.run(text)).toMatchObject({ exitCode: 5 });
    expect((await service.subjects()).filter((one) => one === 'Welcome, Ana')).toHaveLength(1);
  });

  test('sends nothing if the template is missing', async () => {
    const { service, machine } = await withTemplates();
    rmSync(join(machine.home, 'templates', 'welcome.html'));
    expect((await machine.run(text)).exitCode).not.toBe(0);
    expect(service.requests).not.toContain('POST /api/v1/emails');
  });
});

page.recipe('smoke-test', (text) => {
  test.each([
    ['GitHub', { GITHUB_RUN_ID: '815' }],
    ['GitLab', { CI_PIPELINE_ID: '815' }],
  ])('on %s: a second attempt sends nothing', async (_, ci) => {
    const service = await startService();
    const machine = createMachine({ env: { ...service.env, ...mail, ...ci } });
    for (const attempt of ['1', '2']) {
      const env = { GITHUB_RUN_ATTEMPT: attempt, CI_JOB_ID: attempt };
      const { exitCode, log } = await machine.run(text, { env });
      expect({ exitCode, log }).toMatchObject({ exitCode: 0 });
      expect(log).toContain('\tDELIVERED\t');
    }
    expect(await service.subjects()).toEqual(['Deploy 815', 'Your receipt', 'Welcome, Ben!']);
    await machine.run(text, { env: { GITHUB_RUN_ID: '816', CI_PIPELINE_ID: '816' } });
    expect(await service.subjects()).toContain('Deploy 816');
  });

  test('fails with 9 if it bounces, at every attempt', async () => {
    const service = await startService();
    const env = { ...service.env, ...mail, MAIL_TO: 'bounced@example.org', GITHUB_RUN_ID: '815' };
    const machine = createMachine({ env });
    const { exitCode, log } = await machine.run(text);
    expect(exitCode).toBe(9);
    expect((await machine.run(text)).log).toBe(log);
    expect(await service.subjects()).toHaveLength(3);
    page.logged('smoke-test', log);
  });

  test('sends nothing if deploys cannot be distinguished', async () => {
    const service = await startService();
    const { exitCode, log } = await createMachine({ env: { ...service.env, ...mail } }).run(text);
    expect(exitCode).toBe(1);
    expect(log).toContain('CI_PIPELINE_ID: parameter null or not set');
    expect(service.requests).toEqual([]);
  });
});

page.recipe('send-again', (text) => {
  const env = { ...mail, ORDER: '1234' };

  /** A machine that records its pauses instead of waiting. */
  async function patientMachine(baseUrl: string) {
    const machine = await impatientMachine(baseUrl, env);
    const pauses = join(machine.home, 'pauses');
    writeFileSync(pauses, '');
    machine.addProgram('sleep', `#!/bin/sh\necho "$1" >>"${pauses}"\n`);
    return { machine, pauses: () => readFileSync(pauses, 'utf8').split('\n').slice(0, -1) };
  }

  test('retries under the same key, with the same email, until it is accepted', async () => {
    const { baseUrl, requests } = await startRecorder((response) => response.destroy(), {
      body: { emailId: 'cmkf0y3b4000008l4f2gh1q9z' },
    });
    const { machine, pauses } = await patientMachine(baseUrl);
    const { exitCode, log } = await machine.run(text);
    expect(exitCode).toBe(0);
    expect(pauses()).toEqual(['60']);
    const sent = requests.map((request) => [request.headers['idempotency-key'], bodyOf(request)]);
    expect(sent).toEqual([
      ['order-1234-shipped', expect.objectContaining({ subject: 'Order 1234' })],
      sent[0],
    ]);
    page.logged('send-again', log);
  });

  test('sends nothing at a second run', async () => {
    const service = await startService();
    const machine = createMachine({ env: { ...service.env, ...env } });
    const first = await machine.run(text);
    expect(first).toMatchObject({ exitCode: 0 });
    expect(await machine.run(text)).toEqual(first);
    expect((await service.subjects()).filter((one) => one === 'Order 1234')).toHaveLength(1);
  });

  test('gives up after the last pause, with the exit code of the last attempt', async () => {
    const { machine, pauses } = await patientMachine(await nobody());
    expect((await machine.run(text)).exitCode).toBe(7);
    expect(pauses()).toEqual(['60', '300', '900']);
  });

  test.each([
    [1, { status: 400, body: { error: { code: 'BAD_REQUEST', message: 'No' } } }, 'domains'],
    [3, { status: 403, body: { error: { code: 'FORBIDDEN', message: 'No' } } }, 'mcp/me'],
  ])('does not retry after %d, but asks why', async (code, answer, explains) => {
    const { baseUrl, requests } = await startRecorder(answer);
    const { machine, pauses } = await patientMachine(baseUrl);
    expect((await machine.run(text)).exitCode).toBe(code);
    expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /api/v1/emails',
      `GET /api/v1/${explains}`,
    ]);
    expect(pauses()).toEqual([]);
  });
});

page.recipe('newsletter-text', (news) => {
  page.recipe('newsletter', (script) => {
    async function run(text: string) {
      const service = await startService();
      const machine = createMachine({ env: service.env });
      const write = (text: string) => writeFileSync(join(machine.home, 'march.md'), text);
      write(text);
      const ran = await machine.run(script);
      return { ...ran, service, write, again: () => machine.run(script) };
    }

    test('the editor gets a test of the draft, and nobody else anything', async () => {
      const { exitCode, log, service } = await run(news);
      expect({ exitCode, log }).toMatchObject({ exitCode: 0 });
      page.logged('newsletter', log);
      const { data } = (await service.call('GET', '/emails?limit=1')) as {
        data: { to: string[]; subject: string }[];
      };
      expect(data[0]).toMatchObject({ to: ['editor@example.com'], subject: /News of March/ });
      expect(await service.call('GET', '/campaigns')).toMatchObject({
        campaigns: [{ name: 'march.md', status: 'DRAFT' }],
      });
    });

    test('a second run finds the draft, and mails nothing more', async () => {
      const { exitCode, log, service, again } = await run(news);
      const subjects = await service.subjects();
      expect(await again()).toEqual({ exitCode, log });
      expect(await service.subjects()).toEqual(subjects);
      expect(await service.call('GET', '/campaigns')).toMatchObject({
        campaigns: [{ name: 'march.md' }],
      });
    });

    test('a second run with another text stops', async () => {
      const { service, write, again } = await run(news);
      const subjects = await service.subjects();
      write(news.replace('second shop', 'third shop'));
      const { exitCode, log } = await again();
      expect({ exitCode, log }).toMatchObject({ exitCode: 5 });
      expect(log).toContain('has another text');
      expect(await service.subjects()).toEqual(subjects);
    });

    test('an error in the text creates no campaign', async () => {
      const { exitCode, log, service } = await run(news.replace('https://', 'https:/'));
      expect({ exitCode, log }).toMatchObject({ exitCode: 9 });
      expect(service.requests.filter((one) => one.startsWith('POST'))).toEqual([]);
    });
  });
});

describe('a staging job', () => {
  page.recipe('staging-project', (project) => {
    page.recipe('staging-job', (job) => {
      const MAILER_ALLOW_TO = '*@example.com';

      /** Runs the job in a project with this file. */
      async function run(orders: string, rules: string | undefined, env: Record<string, string>) {
        const service = await startRecorder({ body: { data: [{ emailId: 'email_1' }] } });
        const machine = await impatientMachine(service.baseUrl, env);
        writeFileSync(join(machine.home, 'orders.csv'), orders);
        if (rules !== undefined) writeFileSync(join(machine.home, '.mailer.json'), rules);
        return { ...(await machine.run(job)), sent: service.requests };
      }

      test('sends to people who are allowed', async () => {
        const { exitCode, sent } = await run('to,number\nana@example.com,1\n', project, {
          MAILER_ALLOW_TO,
        });
        expect(exitCode).toBe(0);
        expect(sent.map(bodyOf)).toMatchObject([[{ to: 'ana@example.com' }]]);
      });

      test('sends nothing at a second run, also on another machine', async () => {
        const service = await startService();
        const env = { ...service.env, MAILER_ALLOW_TO };
        const [one, other] = [createMachine({ env }), createMachine({ env })];
        for (const machine of [one, one, other]) {
          writeFileSync(join(machine.home, 'orders.csv'), 'to,number\nana@example.com,1\n');
          const { exitCode, log } = await machine.run(job);
          expect({ exitCode, log }).toMatchObject({ exitCode: 0 });
        }
        expect((await service.subjects()).filter((one) => one === 'Your order 1')).toHaveLength(1);
      });

      const customers = 'to,number\nana@example.com,1\nben@example.org,2\n';

      test('sends nothing when a customer is among them', async () => {
        const { exitCode, log, sent } = await run(customers, undefined, { MAILER_ALLOW_TO });
        expect({ exitCode, sent }).toEqual({ exitCode: 2, sent: [] });
        page.logged('staging-job', log);
      });

      test('nor when only the file forbids it', async () => {
        const { exitCode, log, sent } = await run(customers, project, {
          MAILER_ALLOW_TO: '*@*',
        });
        expect({ exitCode, sent }).toEqual({ exitCode: 2, sent: [] });
        expect(log).toContain('.mailer.json does not allow this');
        const unset = await run(customers, project, {});
        expect({ exitCode: unset.exitCode, sent: unset.sent }).toEqual({ exitCode: 1, sent: [] });
      });
    });
  });
});

describe('mail of other programs', () => {
  page.recipe('sendmail', (setup) => {
    page.recipe('sendmail-crontab', (crontab) => {
      test("a job's output is mailed to the address in the setting", async () => {
        const service = await startRecorder({ body: { emailId: 'email_1' } });
        const machine = await impatientMachine(service.baseUrl);
        const link = join(machine.home, 'sendmail');
        rmSync(join(machine.home, 'shims', 'mailer'));
        symlinkSync(program, join(machine.home, 'shims', 'mailer'));
        machine.addProgram(
          'sudo',
          `#!/bin/sh\n[ "$1 $2 $4" = "ln -s /usr/sbin/sendmail" ] && ln -s "$3" "${link}"\n`,
        );
        machine.addProgram(
          'readlink',
          `#!/bin/sh\n[ "$*" = /usr/sbin/sendmail ] && exec /usr/bin/readlink "${link}"\n`,
        );
        machine.addProgram('systemctl', '#!/bin/sh\necho "backup.service $*"\n');
        for (const _ of [1, 2]) expect(await machine.run(setup)).toMatchObject({ exitCode: 0 });
        const [path = '', job = ''] = crontab.trim().split('\n');
        expect(path).toMatch(/^PATH=[/:\w]+$/);
        const [, command = ''] = /^0 \* \* \* \* ([^%]+)$/.exec(job) ?? [];
        // As Debian's cron passes it on.
        const mail = `(printf 'From: root (Cron Daemon)\\nTo: ana\\nSubject: Cron\\n\\n'; ${command})`;
        const { exitCode, log } = await machine.run(
          `${mail} | "${link}" -i -FCronDaemon -B8BITMIME -oem ana`,
        );
        expect({ exitCode, log }).toEqual({ exitCode: 0, log: '' });
        expect(service.requests.map(bodyOf)).toMatchObject([
          {
            from: 'Cron Daemon <alerts@example.com>',
            to: 'ops@example.com',
            text: 'backup.service --failed --no-legend\n',
          },
        ]);
        const { log: smtpServer } = await machine.run('git config --global sendemail.smtpServer');
        expect(smtpServer).toBe('/usr/sbin/sendmail\n');
      });
    });
  });
});

/** Its two blocks: the crontab and the script. */
describe('nightly-report', () => {
  /** The crontab's command and variables. */
  let crontab: { readonly command: string; readonly env: Record<string, string> };

  page.recipe('nightly-report-crontab', (text) => {
    const lines = text.trim().split('\n');
    const settings = lines.flatMap((line) => {
      const [, name, value] = /^([A-Z]+)=(.*)$/.exec(line) ?? [];
      return name === undefined || value === undefined ? [] : [[name, value] as const];
    });
    const [job = '', ...others] = lines.slice(settings.length);
    const [, command = ''] = /^30 6 \* \* \* (.+)$/.exec(job) ?? [];
    crontab = { command, env: Object.fromEntries(settings) };

    test('is a crontab: settings, and a line with a time and a command', () => {
      expect(others).toEqual([]);
      expect(command).not.toBe('');
      // Cron ends a line at a percent sign, and does not expand variables in settings.
      expect(command).not.toContain('%');
      expect(settings.map(([, value]) => value).join('')).not.toMatch(/[$"'`~]/);
      expect(crontab.env).toEqual({ MAILTO: expect.anything(), PATH: expect.anything() });
    });
  });

  page.recipe('nightly-report', (text) => {
    /** Runs the crontab's command as cron does, with few variables. */
    async function runCron(machine: Machine) {
      mkdirSync(join(machine.home, 'bin'), { recursive: true });
      writeFileSync(join(machine.home, 'bin', 'nightly-report'), text, { mode: 0o755 });
      const cron =
        'exec env -i HOME="$HOME" LOGNAME=ana SHELL=/bin/sh TZ=UTC PATH="$PATH:$CRON_PATH"';
      return await machine.run(`${cron} /bin/sh -c "$CRON_COMMAND"`, {
        env: { CRON_COMMAND: crontab.command, CRON_PATH: crontab.env.PATH ?? '' },
      });
    }

    /** A machine with a stored profile. */
    async function loggedIn(baseUrl: string) {
      const machine = createMachine();
      await machine.store({ baseUrl, apiKey: 'us_sandbox_local', settings: { retries: '0' } });
      return machine;
    }

    test("sends a list of yesterday's failed emails, and prints nothing", async () => {
      const odd = 'A "tab\there", \\ and $(id)';
      const to = ['ana@example.org', 'ben@example.org'];
      const { baseUrl, requests } = await startRecorder(
        {
          body: {
            count: 3,
            data: [
              ofYesterday('email_1', { latestStatus: 'BOUNCED', subject: odd, to }),
              ofYesterday('email_2'),
              ofYesterday('email_3', {
                latestStatus: 'SUPPRESSED',
                subject: 'é',
                to: 'cy@example.org',
              }),
            ],
          },
        },
        { body: { emailId: 'cmkf0y3b4000008l4f2gh1q9z' } },
      );
      const machine = await loggedIn(baseUrl);
      expect(await runCron(machine)).toEqual({ exitCode: 0, log: '' });
      const [list, send] = requests.slice(-2);
      const query = new URL(list?.path ?? '', baseUrl).searchParams;
      const [start = '', end = ''] = [query.get('startDate'), query.get('endDate')].map(String);
      expect(Date.parse(end) - Date.parse(start)).toBe(86_400_000 - 1);
      const today = new Date(Date.parse(end) + 1).toISOString().slice(0, 10);
      expect(send?.headers['idempotency-key']).toBe(`failed-emails-${today}`);
      expect(JSON.parse(send?.body ?? '')).toMatchObject({
        subject: 'Failed emails of yesterday',
        text: `BOUNCED  ana@example.org, ben@example.org  ${odd}\nSUPPRESSED  cy@example.org  é\n`,
      });
    });

    test('reports that none has failed; a second run sends nothing', async () => {
      const service = await startService();
      const machine = await loggedIn(service.baseUrl);
      expect(await runCron(machine)).toEqual({ exitCode: 0, log: '' });
      expect(await runCron(machine)).toEqual({ exitCode: 0, log: '' });
      const subjects = await service.subjects();
      expect(subjects.filter((one) => one === 'Failed emails of yesterday')).toHaveLength(1);
      const { data } = (await service.call('GET', '/emails?limit=1')) as {
        data: { text: string }[];
      };
      expect(data[0]?.text).toBe('None.\n');
    });

    test('sends nothing if the list fails; the output has the reason', async () => {
      const page1 = Array.from({ length: 50 }, (_, index) => ofYesterday(`email_${index}`));
      const { baseUrl, requests } = await startRecorder(firstPage(...page1), away);
      const machine = await loggedIn(baseUrl);
      const { exitCode, log } = await runCron(machine);
      expect(exitCode).toBe(7);
      expect(requests.filter(({ method }) => method === 'POST')).toEqual([]);
      page.logged('nightly-report', log);
    });
  });
});

page.recipe('sync-contacts', (text) => {
  /** The example data's contact book with 40 contacts, and what a database returns. */
  async function nightly(query: string) {
    const service = await startService();
    const contacts = '/contactBooks/book_customers/contacts';
    for (let index = 0; index < 28; index++) {
      await service.call('POST', contacts, { email: `p${index}@example.org` });
    }
    const listed = await service.call('GET', contacts);
    const people = z.array(z.object({ email: z.string() })).parse(listed);
    const env = { ...service.env, DATABASE_URL: 'postgres://db.example/shop' };
    const machine = createMachine({ env });
    machine.addProgram('psql', `#!/bin/sh\n[ "$1" = "$DATABASE_URL" ] && ${query}\n`);
    return {
      machine,
      /** Sets what the database returns, and runs the script. */
      async run(emails: readonly string[]) {
        const rows = emails.map((email) => `${email},,`).join('\n');
        writeFileSync(join(machine.home, 'rows'), `email,first_name,plan\n${rows}\n`);
        return await machine.run(text);
      },
      emails: people.map(({ email }) => email),
      writes: () => service.requests.filter((one) => !one.startsWith('GET ')),
    };
  }

  test('adds who is new and unsubscribes who is gone', async () => {
    const { run, emails, writes } = await nightly('cat rows');
    const gone = 'p7@example.org';
    const kept = emails.filter((email) => email !== gone);
    const { exitCode, log } = await run([...kept, 'new@example.org']);
    expect({ exitCode, log }).toMatchObject({ exitCode: 0 });
    expect(log).toContain(`${gone}\tunsubscribe\t`);
    page.logged('sync-contacts', log);
    const written = writes();
    const again = await run([...kept, 'new@example.org']);
    expect(writes()).toEqual(written);
    expect(again).toMatchObject({ exitCode: 0 });
    expect(again.log).toContain('Contacts: 0 added; 0 changed;');
  });

  test.each([
    ['a result that lacks many', 'cat rows', 2, 'more than --max-missing 5%'],
    ['a query that fails', 'echo "psql: no connection" >&2; exit 2', 2, 'psql: no connection'],
    ['a query without rows', 'echo email', 2, 'customers.csv contains no contacts'],
  ])('changes nothing after %s', async (_, query, code, message) => {
    const { run, emails, writes } = await nightly(query);
    const before = writes();
    const { exitCode, log } = await run(emails.slice(0, 30));
    expect(exitCode).toBe(code);
    expect(log).toContain(message);
    expect(writes()).toEqual(before);
  });
});

/** An entry of `email list`, created yesterday. */
function ofYesterday(id: string, fields: Readonly<Record<string, unknown>> = {}) {
  const day = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  return listItem(id, { createdAt: `${day}T12:00:00.000Z`, ...fields });
}

/** One page of a longer list of emails. */
function firstPage(...emails: readonly object[]) {
  return { body: { count: 90, data: emails } };
}

const away = { status: 503, body: 'down' };

describe('jobs that check all domains', () => {
  /** A service with example.com, example.org and example.net, and a machine with this DNS server. */
  async function night(dns: string) {
    const service = await startService();
    return { service, machine: bareMachine({ dns }) };
  }

  async function domainsOf(service: Service) {
    const shown = z.array(z.object({ name: z.string(), dnsRecords: z.array(shownRecord) }));
    return shown.parse(await service.call('GET', '/domains'));
  }

  const shownRecord = z.object({
    type: z.enum(['MX', 'TXT']),
    name: z.string(),
    value: z.string(),
    priority: z.string().optional(),
  });

  function publishedBy({ name, dnsRecords }: Awaited<ReturnType<typeof domainsOf>>[number]) {
    const required = dnsRecords.map(({ type, value, priority, ...record }): ZoneRecord => {
      const shown = record.name === '_dmarc' ? `v=DMARC1; p=reject; rua=mailto:d@${name}` : value;
      return [
        `${record.name}.${name}`,
        type,
        priority === undefined ? shown : `${priority} ${shown}`,
      ];
    });
    return [
      ...required,
      [name, 'MX', `10 mx.${name}`],
      [name, 'TXT', 'v=spf1 -all'],
    ] satisfies ZoneRecord[];
  }

  page.recipe('github-nightly', (text) => {
    test('fails with 9 and the findings', async () => {
      const dns = await startDns([['amazonses.com', 'TXT', 'v=spf1 -all']], { recursive: true });
      const { service, machine } = await night(dns.address);
      // All that the service requires, but a key.
      const domains = await domainsOf(service);
      dns.records = [...dns.records, ...domains.flatMap(publishedBy)].filter(
        ([name]) => name !== 'usesend._domainkey.example.org',
      );
      const { MAILER_BASE_URL = '', MAILER_API_KEY = '' } = service.env;
      const settings = {
        vars: { MAILER_PACKAGE: packageFile, MAILER_BASE_URL },
        secrets: { MAILER_API_KEY },
      };
      const { exitCode, log } = await runWorkflow(readWorkflow(text), settings, machine);
      expect(exitCode).toBe(9);
      expect(log).toContain('\nexample.org\terror\tdkim-missing\t');
      page.logged('nightly-domains', log.replaceAll(/p=[\w+/=]{30,}/g, 'p=…'));
    });
  });

  page.recipe('gitlab-nightly', (text) => {
    test('fails with 7 if DNS gives no answer', async () => {
      const { service, machine } = await night('127.0.0.1:1');
      const variables = { ...service.env, MAILER_PACKAGE: packageFile };
      const { exitCode, log } = await runPipeline(readPipeline(text), variables, machine);
      expect(exitCode).toBe(7);
      expect(log).toContain('because DNS gave no answer');
    });
  });

  page.recipe('nightly-domains', (text) => {
    test('prints nothing unless it fails', () => {
      const [job = ''] = text.trim().split('\n').slice(-1);
      expect(job).toMatch(/^17 4 \* \* \* found=\$\(.* 2>&1\) \|\| echo "\$found"$/);
      // Cron ends a line at a percent sign.
      expect(job).not.toContain('%');
    });
  });
});

page.recipe('deny-bounced', (text) => {
  /** A machine with its files, whose account has sent to these. */
  async function withSent(...to: readonly string[]) {
    const service = await startService();
    for (const one of to) {
      const email = {
        from: mail.MAIL_FROM,
        to: `${one}@example.org`,
        subject: 'Hi',
        text: 'Hello',
      };
      await service.call('POST', '/emails', email);
    }
    const contact = { email: 'bounced@example.org' };
    await service.call('POST', '/contactBooks/book_customers/contacts', contact);
    const machine = createMachine({ env: { MAIL_BOOK: 'Customers' } });
    await machine.store({ apiKey: service.apiKey, baseUrl: service.baseUrl });
    return { machine, service };
  }

  test('denies hard bounces and complaints, and unsubscribes them; every night again', async () => {
    const { machine, service } = await withSent('bounced', 'full', 'complained', 'ana');
    const { exitCode, log } = await machine.run(text);
    expect({ exitCode, log }).toMatchObject({ exitCode: 0 });
    page.logged('deny-bounced', log);
    const listed = await service.call('GET', '/contactBooks/book_customers/contacts');
    expect(listed).toContainEqual(
      expect.objectContaining({ email: 'bounced@example.org', subscribed: false }),
    );
    const again = await machine.run(text);
    expect(again.exitCode).toBe(0);
    const { log: rules } = await machine.run('mailer policy show --json');
    const denyTo = ['complained@example.org', 'bounced@example.org'];
    expect(JSON.parse(rules)).toMatchObject({ effective: { denyTo } });
  });

  test('is content with a week in which nobody bounced', async () => {
    const { machine } = await withSent('ana');
    expect((await machine.run(text)).exitCode).toBe(0);
  });
});

page.recipe('dmarc-gate', (text) => {
  const today = new Date().toISOString().slice(0, 10);

  /** A machine with a Maildir with one report, in which `bad` of about 1,000 messages are not aligned. */
  async function withMail(bad: number) {
    const record = { type: 'TXT', name: 'usesend._domainkey', value: 'p=abc' };
    const domain = { id: 1, name: 'example.com', status: 'SUCCESS', dnsRecords: [record] };
    const { baseUrl } = await startRecorder({ body: [domain] });
    const machine = await impatientMachine(baseUrl, {
      DMARC_MAIL: 'Maildir',
      MAIL_DOMAIN: 'example.com',
    });
    const own = `${signed('example.com', 'usesend')}${spf('mail.example.com')}`;
    const fails = { dkim: 'fail', spf: 'fail', results: signed('newsletter.example', 'k1') };
    const records = [
      makeRecord({ ip: '192.0.2.1', count: 970, results: own }),
      makeRecord({ ip: '198.51.100.7', count: bad, ...fails }),
    ];
    const report = gzipSync(makeReport({ day: today, records: records.join('') }));
    mkdirSync(join(machine.home, 'Maildir/new'), { recursive: true });
    writeFileSync(
      join(machine.home, 'Maildir/new/1.host'),
      messageWith('r.xml.gz', 'application/gzip', report),
    );
    return machine;
  }

  test('fails if too much is not aligned, and lists the sources', async () => {
    const { exitCode, log } = await (await withMail(30)).run(text);
    expect(exitCode).toBe(9);
    expect(log).toContain('198.51.100.7\tnot yours\t30\t0\tk1._domainkey.newsletter.example');
    page.logged('dmarc-gate', log);
  });

  test('passes otherwise', async () => {
    expect((await (await withMail(10)).run(text)).exitCode).toBe(0);
  });

  test('fails without reports', async () => {
    const machine = await withMail(10);
    rmSync(join(machine.home, 'Maildir/new/1.host'));
    expect((await machine.run(text)).exitCode).toBe(9);
  });
});

page.recipe('bounces', (text) => {
  test('shows each bounced email with its reason, one on each line', async () => {
    const service = await startService();
    const odd = 'line\u2028break \\n "quoted" $(id) `id` * \u001b[2J';
    for (const [name, subject] of [
      ['bounced+1', odd],
      ['delivered', 'Fine'],
      ['bounced+2', '-n'],
    ]) {
      const email = { from: mail.MAIL_FROM, to: `${name}@example.org`, subject, text: 'Hello' };
      await service.call('POST', '/emails', email);
    }
    const { exitCode, log } = await createMachine({ env: service.env }).run(text);
    expect(exitCode).toBe(0);
    const shown = log
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(shown).toEqual(
      ['-n', odd].map((subject) => ({
        id: expect.any(String),
        to: [expect.stringContaining('bounced')],
        subject,
        emailEvents: expect.arrayContaining([expect.objectContaining({ status: 'BOUNCED' })]),
      })),
    );
  });

  test('fails with the exit code of a failed list, after the emails before that', async () => {
    const bounced = listItem('cmkf0y3b4000008l4f2gh1q9z', { latestStatus: 'BOUNCED' });
    const others = Array.from({ length: 49 }, (_, index) => listItem(`email_${index}`));
    const event = { status: 'BOUNCED', createdAt: bounced.createdAt, data: null };
    const { baseUrl } = await startRecorder(firstPage(bounced, ...others), away, {
      body: { ...bounced, emailEvents: [event] },
    });
    const machine = await impatientMachine(baseUrl);
    const { exitCode, log } = await machine.run(text);
    expect(exitCode).toBe(7);
    page.logged('bounces', log);
  });
});

/** A service with an email that was delivered and one that bounced, and a machine that uses it. */
async function withTwoEmails() {
  const service = await startService();
  for (const to of ['delivered@example.org', 'bounced@example.org']) {
    await service.call('POST', '/emails', {
      from: mail.MAIL_FROM,
      to,
      subject: 'a, "b"',
      text: 'Hi',
    });
  }
  return { service, machine: createMachine({ env: service.env }) };
}

function archives({ home }: Machine): string[] {
  const directory = join(home, 'archive');
  return existsSync(directory) ? readdirSync(directory).map((name) => join(directory, name)) : [];
}

page.recipe('archive', (text) => {
  test('adds a file each night, with what is new', async () => {
    const { service, machine } = await withTwoEmails();
    expect((await machine.run(text)).exitCode).toBe(0);
    await service.call('POST', '/emails', {
      from: mail.MAIL_FROM,
      to: mail.MAIL_TO,
      subject: 'New',
      text: 'Hi',
    });
    expect((await machine.run(text)).exitCode).toBe(0);
    const files = archives(machine).map((path) => readFileSync(path, 'utf8').trimEnd().split('\n'));
    expect(files.map(({ length }) => length)).toEqual([expect.any(Number), 1]);
    expect(JSON.parse(files[1]?.[0] ?? '')).toMatchObject({
      subject: 'New',
      lastEvent: 'DELIVERED',
    });
  });

  test('is not there if the list fails', async () => {
    const { baseUrl } = await startRecorder(away);
    const machine = await impatientMachine(baseUrl);
    const { exitCode, log } = await machine.run(text);
    expect(exitCode).toBe(7);
    expect(archives(machine).filter((path) => path.endsWith('.jsonl'))).toEqual([]);
    page.logged('archive', log);
  });
});

page.recipe('sqlite', (text) => {
  test('has one row for each email, with its last state', async () => {
    const { machine } = await withTwoEmails();
    expect((await machine.run(text)).exitCode).toBe(0);
    expect((await machine.run(text)).exitCode).toBe(0);
    const { log } = await machine.run(
      "sqlite3 mail.db 'SELECT status, recipients, bounce FROM emails ORDER BY created DESC LIMIT 2'",
    );
    expect(log).toBe(
      'BOUNCED|["bounced@example.org"]|Permanent\nDELIVERED|["delivered@example.org"]|\n',
    );
  });
});

page.recipe('duckdb', (text) => {
  test('has one row for each email, with its last state', async () => {
    const { machine } = await withTwoEmails();
    expect((await machine.run(text)).exitCode).toBe(0);
    expect((await machine.run(text)).exitCode).toBe(0);
    const { log } = await machine.run(
      "duckdb -csv mail.duckdb 'SELECT count(*), count(DISTINCT id) FROM emails'",
    );
    const [all, distinct] = log.trimEnd().split('\n').at(-1)?.split(',') ?? [];
    expect(all).toBe(distinct);
  });
});

page.recipe('cancel-scheduled', (text) => {
  /** A service with two emails scheduled for tomorrow, and the id of the older one. */
  async function withScheduled() {
    const service = await startService();
    const scheduledAt = new Date(Date.now() + 86_400_000).toISOString();
    const email = { from: mail.MAIL_FROM, to: mail.MAIL_TO, text: 'Hello', scheduledAt };
    const older = await service.call('POST', '/emails', { ...email, subject: 'Older' });
    await service.call('POST', '/emails', { ...email, subject: 'Newer' });
    // The shape of the sandbox's own reply.
    return { service, older: (older as { emailId: string }).emailId };
  }

  /** The subjects of emails that are still scheduled. */
  async function scheduled(service: Service): Promise<string[]> {
    const { data } = (await service.call('GET', '/emails')) as {
      data: { subject: string; latestStatus: string }[];
    };
    return data
      .filter(({ latestStatus }) => latestStatus === 'SCHEDULED')
      .map(({ subject }) => subject);
  }

  test('cancels scheduled emails and prints their ids', async () => {
    const { service, older } = await withScheduled();
    expect(await scheduled(service)).toEqual(['Newer', 'Older']);
    const { exitCode, log } = await createMachine({ env: service.env }).run(text);
    expect(exitCode).toBe(0);
    expect(log.trimEnd().split('\n')).toEqual([expect.any(String), older]);
    expect(await scheduled(service)).toEqual([]);
    expect(await createMachine({ env: service.env }).run(text)).toEqual({ exitCode: 0, log: '' });
  });

  test('does nothing if nothing is scheduled', async () => {
    const service = await startService();
    expect(await createMachine({ env: service.env }).run(text)).toEqual({ exitCode: 0, log: '' });
  });

  test('continues after a rejected one, and fails at the end', async () => {
    const ids = ['cmkf0y3b4000008l4f2gh1q9z', 'cmkf0y3b4000108l4f2gh1q9z'];
    const { baseUrl, requests } = await startRecorder(
      {
        body: {
          count: 2,
          data: ids.map((id) => listItem(id, { latestStatus: 'SCHEDULED', createdAt: undefined })),
        },
      },
      { status: 400, body: { error: { code: 'BAD_REQUEST', message: 'Email is not scheduled' } } },
      {
        body: {
          ...listItem(ids[0] ?? ''),
          emailEvents: [{ status: 'SENT', createdAt: '2026-01-15T10:00:00.000Z', data: null }],
        },
      },
      { body: { emailId: ids[1] } },
    );
    const machine = await impatientMachine(baseUrl);
    const { exitCode, log } = await machine.run(text);
    expect(exitCode).toBe(11);
    expect(requests.slice(1).map(({ method, path }) => `${method} ${path}`)).toEqual([
      `POST /api/v1/emails/${ids[0]}/cancel`,
      `GET /api/v1/emails/${ids[0]}`,
      `POST /api/v1/emails/${ids[1]}/cancel`,
    ]);
    page.logged('cancel-scheduled', log);
  });

  test('cancels nothing if the list fails', async () => {
    const page1 = Array.from({ length: 50 }, (_, index) =>
      listItem(`email_${index}`, { latestStatus: 'SCHEDULED' }),
    );
    const { baseUrl, requests } = await startRecorder(firstPage(...page1), away);
    const machine = await impatientMachine(baseUrl);
    expect((await machine.run(text)).exitCode).toBe(7);
    expect(requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  });
});

/** The scripts as files, whose names are those of the blocks. */
function scriptFiles(): { readonly directory: string; readonly names: readonly string[] } {
  const directory = temporaryDirectory();
  const scripts = page.blocks.filter(({ language }) => language === 'bash');
  for (const { name, text } of scripts) writeFileSync(join(directory, name), text);
  return { directory, names: scripts.map(({ name }) => name) };
}

describe('the scripts', () => {
  test('are bash', async () => {
    const { directory: cwd, names } = scriptFiles();
    expect(names.length).toBeGreaterThan(10);
    const check = 'for name; do bash -n "$name" || exit; done';
    const { exitCode, all } = await execa('bash', ['-c', check, 'check', ...names], {
      ...{ cwd, all: true, reject: false },
    });
    expect({ exitCode, all }).toEqual({ exitCode: 0, all: '' });
  });

  test('have no findings of shellcheck', needing(shellcheck), async () => {
    const { directory: cwd, names } = scriptFiles();
    const flags = ['--shell=bash', '--enable=quote-safe-variables'];
    const { exitCode, stdout } = await execa('shellcheck', [...flags, ...names], {
      ...{ cwd, reject: false },
    });
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '' });
  });
});

describe('the page', () => {
  const recipes = page.blocks.filter(({ language }) => language !== 'text');
  const logs = page.blocks.filter(({ language }) => language === 'text');

  test('has only blocks that exactly one test runs', () => {
    const claimed = [...page.claims].flatMap(([name, times]) => Array(times).fill(name));
    expect(recipes.map(({ name }) => name).sort()).toEqual(claimed.sort());
    expect(recipes.map(({ language }) => language)).toEqual(
      recipes.map(() => expect.stringMatching(/^(yaml|bash|crontab|json|markdown|dockerfile)$/)),
    );
    const fences = readFileSync(page.path, 'utf8').match(/^.*(```|~~~)/gm);
    expect(fences).toHaveLength(2 * page.blocks.length);
  });

  test('shows the logs that its recipes have', async () => {
    const known = logs.map(({ name }) => name).filter((name) => !page.leftOut.has(name));
    expect(known.sort()).toEqual([...page.logs.keys()].sort());
    await expect(page.withLogs()).toMatchFileSnapshot(page.path);
  });

  test('has a table of contents with all of its parts', () => {
    const text = readFileSync(page.path, 'utf8').replace(/^```[\s\S]*?^```$/gm, '');
    const listed = [...text.matchAll(/^- \[(.+)\]\(#(.+)\)$/gm)].map(([, title, link]) => [
      title,
      link,
    ]);
    const titles = [...text.matchAll(/^## (.+)$/gm)].map(([, title = '']) => [
      title,
      title
        .toLowerCase()
        .replace(/[^\w\s-]/g, '')
        .replaceAll(' ', '-'),
    ]);
    expect(listed).toEqual(titles);
  });
});
