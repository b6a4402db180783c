import { describe, expect, test } from 'vitest';
import { key } from '../support/connected.ts';
import { startRecorder } from '../support/recorder.ts';
import { createWorld } from '../support/run.ts';

describe('quotes around a value of the environment, which docker --env-file keeps', () => {
  test.each([
    ['MAILER_API_KEY', `"${key}"`],
    ['MAILER_API_KEY', `'${key}'`],
    ['MAILER_BASE_URL', '"https://mail.example.com/api"'],
    ['MAILER_PROFILE', '"work"'],
    ['MAILER_ALLOW_TO', "'*@example.com'"],
    ['MAILER_CONFIG_DIR', '"/etc/mailer"'],
  ])('%s=%s is named, and nothing is sent', async (name, value) => {
    const service = await startRecorder();
    const world = createWorld({ MAILER_API_KEY: key, MAILER_BASE_URL: service.baseUrl });
    const { exitCode, stdout, stderr } = await world.run('domain list', { env: { [name]: value } });
    expect({ exitCode, stdout, requests: service.requests.length }).toEqual({
      ...{ exitCode: 2, stdout: '', requests: 0 },
    });
    expect(stderr).toContain(`Error: ${name}: its value begins and ends with quotes\n`);
    expect(stderr).not.toContain(key);
  });

  test('sendmail says so, too', async () => {
    const { exitCode, stderr } = await createWorld({ MAILER_API_KEY: `"${key}"` }).run(
      'sendmail ana@example.org',
      { stdin: 'Subject: s\n\nHi\n' },
    );
    expect(exitCode).toBe(64);
    expect(stderr).toContain('MAILER_API_KEY: its value begins and ends with quotes');
  });

  test('a single quote has another reason', async () => {
    const service = await startRecorder({ body: [] });
    const world = createWorld({ MAILER_API_KEY: key, MAILER_BASE_URL: service.baseUrl });
    const env = { MAILER_NOTE: '"' };
    expect((await world.run('domain list', { env })).exitCode).toBe(0);
  });
});
