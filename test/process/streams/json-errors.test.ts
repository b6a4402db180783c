import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { needing, ofNode } from '../../support/needs.ts';
import { createPlace, type Place } from '../../support/process.ts';

/** A command that loads TLS and fails. */
const fails = 'domain list --base-url https://127.0.0.1:1/api --retries 0';

const env = { MAILER_API_KEY: 'us_1234567890abcdef' };

async function stderrOf(place: Place, format: string, more: Readonly<Record<string, string>>) {
  const { exitCode, stdout, stderr } = await place.run(`${fails} ${format}`, {
    env: { ...env, ...more },
  });
  expect({ exitCode, stdout }).toEqual({ exitCode: 7, stdout: '' });
  return stderr;
}

describe('with JSON, stderr has the one error object and nothing else', () => {
  test('not the warning about a certificate that is missing', async () => {
    const missing = { NODE_EXTRA_CA_CERTS: '/nonexistent.pem' };
    const stderr = await stderrOf(createPlace(), '--jq=.id', missing);
    expect(JSON.parse(stderr).error.code).toBe('unavailable');
  });

  test('nor one about a damaged one', needing(ofNode), async () => {
    const place = createPlace();
    const damaged = join(place.home, 'damaged.pem');
    const [begin, end] = ['BEGIN', 'END'].map((word) => `-----${word} CERTIFICATE-----`);
    writeFileSync(damaged, `${begin}\nAAAA\n${end}\n`);
    const stderr = await stderrOf(place, '--json', { NODE_EXTRA_CA_CERTS: damaged });
    expect(JSON.parse(stderr).error.code).toBe('unavailable');
  });

  test('nor what Node and libraries warn of', needing(ofNode), async () => {
    const place = createPlace();
    const script = join(place.home, 'warn.cjs');
    writeFileSync(
      script,
      "process.emitWarning('old', 'DeprecationWarning', 'DEP0'); setImmediate(() => process.emitWarning('x'));",
    );
    const options = { NODE_OPTIONS: `--require=${script} --experimental-vm-modules` };
    const stderr = await stderrOf(place, '--jsonl', options);
    expect(JSON.parse(stderr).error.code).toBe('unavailable');
    // People should know of them.
    expect(await stderrOf(place, '', options)).toContain('DeprecationWarning: old');
  });

  test('stdin, exit code and signals reach the process as ever', async () => {
    const place = createPlace();
    const { exitCode, stdout, stderr } = await place.run(
      'email send --sandbox --from hello@example.com --to ana@example.org --subject S --text-file - --json',
      { input: 'Hello', env: { NODE_EXTRA_CA_CERTS: '/nonexistent.pem' } },
    );
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
    expect(JSON.parse(stdout)).toHaveProperty('emailId');
  });
});
