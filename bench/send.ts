import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { apiKey } from './lib/api-key.ts';
import type { Bench } from './lib/bench.ts';
import { type Candidate, timeInTurn } from './lib/in-turn.ts';
import { email, emailId, startLoopback } from './lib/loopback.ts';
import { program } from './lib/measure.ts';
import { findResend, resendName } from './lib/resend-cli.ts';

const script = fileURLToPath(new URL('lib/send-once.js', import.meta.url));
const flags = Object.entries(email).flatMap(([name, value]) => [`--${name}`, value]);

/** The names of the baselines. */
const [sdk, resend, curl] = [
  'script with usesend-js',
  `${resendName} emails send`,
  'curl',
] as const;

export const bench: Bench = {
  summary: () => 'one email, whole processes, beside a script with the SDK, resend-cli and curl',
  async run({ quick, runs }) {
    const server = await startLoopback();
    const competitor = findResend(server.resendUrl, quick);
    const candidates: Record<string, Candidate> = {
      'mailer email send': {
        command: [process.execPath, program, 'email', 'send', ...flags],
        env: { MAILER_BASE_URL: server.baseUrl, MAILER_API_KEY: apiKey },
        prints: emailId,
        // The program must not be slower than a script of six lines. There is no goal for curl, which
        // starts faster than any Node.
        beside: { [sdk]: 1, [resend]: 1, [curl]: undefined },
      },
      [sdk]: {
        command: [process.execPath, script, server.resendUrl, apiKey, JSON.stringify(email)],
        prints: emailId,
      },
    };
    if (competitor) candidates[resend] = competitor(['emails', 'send', ...flags], emailId);
    if (spawnSync('curl', ['--version']).status === 0) {
      const headers = [`authorization: Bearer ${apiKey}`, 'content-type: application/json'];
      const post = ['--silent', '--fail', '--data', JSON.stringify(email)];
      const url = `${server.baseUrl}/v1/emails`;
      candidates[curl] = {
        command: ['curl', ...post, ...headers.flatMap((line) => ['--header', line]), url],
        prints: emailId,
      };
    }
    try {
      return await timeInTurn(candidates, { quick, runs });
    } finally {
      server.close();
    }
  },
};
