import { expect, test } from 'vitest';
import { connected } from '../support/connected.ts';

test.each([
  ['email get em_1 --wait=DELIVRED', '--wait: "DELIVRED" is not one of SENT, ', 'DELIVERED'],
  ['email check page.html --type markdwn', '--type: "markdwn" is not one of html, ', 'markdown'],
  ['email check page.html --fail-on eror', '--fail-on: "eror" is not one of ', 'error'],
  ['domain records example.com --format terrafrm', '--format: "terrafrm" is not', 'terraform'],
  ['campaign list --status DRFAT', '--status: "DRFAT" is not one of DRAFT, ', 'DRAFT'],
  ['completion powershel', 'SHELL: "powershel" is not one of bash, zsh, ', 'powershell'],
  ['policy set --campaigns onn', '--campaigns: "onn" is not one of on, off', 'on'],
  ['config set output jsn', 'output: "jsn" is not one of auto, json', 'json'],
  ['api PSOT /v1/emails', 'METHOD: "PSOT" is not one of GET, ', 'POST'],
])('%s names the values and the near one, and sends nothing', async (line, message, meant) => {
  const { run, service } = await connected();
  const { exitCode, stderr } = await run(line);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(message);
  expect(stderr).toContain(`Did you mean ${meant}?`);
  expect(service.requests).toEqual([]);
});
