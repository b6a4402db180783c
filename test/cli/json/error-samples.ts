import type { ErrorCode } from '../../../src/lib/base/errors.ts';
import { startRecorder } from '../../support/recorder.ts';
import type { Outcome } from '../../support/run.ts';
import type { Machine } from '../../support/sample-machine.ts';

const email = '--from hello@example.com --subject Hi --sandbox';

/** Command lines that fail, each with its error code. */
export const errorSamples: readonly (readonly [
  code: ErrorCode,
  run: (machine: Machine) => Promise<Outcome>,
])[] = [
  ['usage', ({ run }) => run('email send --to nobody --json')],
  ['usage', ({ run }) => run('email list --pgae 2 --json')],
  ['auth', ({ run }) => run('domain list --base-url http://127.0.0.1:9/api --json')],
  ['not_found', ({ run }) => run('email get nobody --sandbox --json')],
  ['not_offered', ({ run }) => run('api GET /v1/nothing --sandbox --json')],
  ['rejected', ({ run }) => run('api POST /v1/emails -f to=1 --sandbox --json')],
  ['rejected', ({ run }) => run(`email send --to ana@example.org --text Hello ${unverified}`)],
  [
    'conflict',
    async ({ run }) => {
      const line = `email send --to ana@example.org ${email} --idempotency-key one --json`;
      await run(`${line} --text Hello`);
      return await run(`${line} --text Goodbye`);
    },
  ],
  ['rate_limited', (machine) => answered(machine, { status: 429 })],
  ['unavailable', (machine) => answered(machine, { status: 503 })],
  ['bad_reply', (machine) => answered(machine, { body: '<html></html>' })],
  [
    'wait_failed',
    ({ run }) => run(`email send --to bounced@example.org ${email} --text Hello --wait --json`),
  ],
  [
    'wait_timeout',
    ({ run }) => run('email get email_receipt --wait=CLICKED --wait-timeout 1s --sandbox --json'),
  ],
  [
    'partial',
    ({ run }) => run(`email batch nobody.csv ${email} --text Hello --skip-invalid --yes --json`),
  ],
  [
    'output_failed',
    ({ run }) => run(`email send --to a@b.example ${email} --text A --jq error(1)`),
  ],
  [
    'output_failed',
    ({ run }) => run(`email batch people.csv ${email} --text A --yes --jq error(1)`),
  ],
];

const unverified = '--from hello@unknown.example --subject Hi --sandbox --json';

/** A send that gets this response. */
async function answered(
  { world }: Machine,
  answer: { readonly status?: number; readonly body?: string },
): Promise<Outcome> {
  const { baseUrl } = await startRecorder(answer);
  const env = { MAILER_API_KEY: 'us_key_1234567890', MAILER_BASE_URL: baseUrl };
  const words = 'email send --to ana@example.org --from a@example.com --subject Hi --text Hello';
  return await world.run(`${words} --retries 0 --json`, { env });
}
