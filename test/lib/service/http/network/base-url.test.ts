import { expect, test } from 'vitest';
import { createWorld } from '../../../../support/run.ts';

const cancel = 'email cancel email_1 --dry-run --json';

/** The dry run of a request to this base URL. */
async function dryRun(MAILER_BASE_URL: string) {
  return await createWorld({ MAILER_BASE_URL }).run(cancel);
}

test.each([
  ['https://mail.example.com/api', 'https://mail.example.com/api'],
  [' https://mail.example.com/api/ ', 'https://mail.example.com/api'],
  ['https://mail.example.com/api//', 'https://mail.example.com/api'],
  ['https://mail.example.com/api/v1', 'https://mail.example.com/api'],
  ['https://mail.example.com/api/v1/', 'https://mail.example.com/api'],
  ['https://mail.example.com/v1', 'https://mail.example.com'],
  ['https://mail.example.com', 'https://mail.example.com'],
  ['HTTPS://Mail.Example.COM:443/API', 'https://mail.example.com/API'],
  ['http://localhost:3000/api', 'http://localhost:3000/api'],
  ['mail.example.com/api', 'https://mail.example.com/api'],
  ['mail:4100', 'https://mail:4100'],
  ['127.0.0.1:4100/api/v1/', 'http://127.0.0.1:4100/api'],
  ['localhost', 'http://localhost'],
  ['[::1]:4100/', 'http://[::1]:4100'],
  ['https://mail.example.com/apiv1', 'https://mail.example.com/apiv1'],
  ['https://mail.example.com//mail///api', 'https://mail.example.com/mail/api'],
  ['https://mail.example.com/%61p%69/%76%31', 'https://mail.example.com/api'],
  ['https://mail.example.com/a%2fb%c3%a9/api', 'https://mail.example.com/a%2Fb%C3%A9/api'],
  ['https://mail.example.com/x/../api', 'https://mail.example.com/api'],
])('a request to %s goes to %s', async (value, base) => {
  const { stdout } = await dryRun(value);
  expect(JSON.parse(stdout)).toMatchObject({ url: `${base}/v1/emails/email_1/cancel` });
});

test.each([
  ['SG.aBc-1.dEf-2'],
  ['mailer/api'],
  ['us_0123456789'],
  ['ftp://mail.example.com'],
  ['javascript:alert(1)'],
  ['https://'],
  ['https://ana:secret@mail.example.com'],
  ['https://mail.example.com/api?token=secret'],
  ['https://mail.example.com/#api'],
])('%s is an error that does not repeat it', async (value) => {
  const { exitCode, stdout, stderr } = await dryRun(value);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(JSON.parse(stderr).error.message).toMatch(/^MAILER_BASE_URL: /);
  expect(stderr).not.toMatch(/secret|us_0123456789/);
});
