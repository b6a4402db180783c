import { schemas } from '../json-schemas/load.ts';
import { defineCommand } from '../lib/command-line/command/command.ts';
import { documentOf } from '../lib/command-line/command/prints.ts';
import { deepCheckHint } from '../lib/domains/domain/deep-check-hint.ts';

export const command = defineCommand({
  description:
    'It checks Node, PATH (for more than one mailer), configuration, key, base URL, DNS, TLS, proxy and clock, and what the service offers, and reports each result, with the fix if it fails. It changes nothing.',
  effects: { reads: true },
  exits: { 7: 'for example; it exits with the code of the first failed check' },
  prints: [
    documentOf('all checks', schemas.doctor('doctorReply'), { line: schemas.doctor('check') }),
  ],
  takes: ['service', 'sandbox', 'lists'],
  quiet: 'only the names of the checks that failed',
  examines: true,
  // A person is waiting, and one attempt shows the state.
  defaults: { timeout: 10_000, retries: 0 },
  examples: {
    'mailer doctor': 'Check Node, config, key, URL, DNS, TLS, proxy and clock',
    'mailer doctor --quiet': 'Only the names of the checks that failed',
    'mailer doctor --json --timeout 5': 'For a CI job, with 5 seconds for each probe',
    'mailer doctor --sandbox': 'Check the sandbox',
  },
  async run(context) {
    const { flags, progress } = context;
    const { timeout } = await context.requestLimits();
    const { showChecks } = await import('../lib/command-line/doctor/show-checks.ts');
    const checks = await progress.during('Checking the connection to the service', async () => {
      if (flags.sandbox !== true) {
        const { examine } = await import('../lib/command-line/doctor/examine.ts');
        return await examine(context, timeout);
      }
      const { examineSandbox } = await import('../lib/command-line/doctor/examine-sandbox.ts');
      return await examineSandbox(context);
    });
    const shown = showChecks(checks, flags.quiet === true);
    const isForPerson = context.system.stdout.isTTY === true && shown.failure === undefined;
    if (!isForPerson) return shown;
    return { ...shown, note: (page) => [shown.note?.(page) ?? [], deepCheckHint].flat() };
  },
});
