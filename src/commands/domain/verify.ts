import { defineCommand } from '../../lib/command/command.ts';
import type { Context } from '../../lib/command/context.ts';
import { nextCommand } from '../../lib/command/next-command.ts';
import { intervalFlag, lastLook, waitTimeoutFlag } from '../../lib/command/poll.ts';
import { resolverOption } from '../../lib/domain/dns/resolver-flag.ts';
import { findDomain, withDomain } from '../../lib/domain/resolve.ts';
import { startVerification } from '../../lib/domain/started.ts';
import { type DomainWait, defaultWaitTimeout, domainWait } from '../../lib/domain/wait-flags.ts';
import { isJson } from '../../lib/output/format.ts';
import { done, type Result } from '../../lib/output/result.ts';
import { visible } from '../../lib/text/visible.ts';

export const command = defineCommand({
  writes: true,
  examples: [
    ['mailer domain verify example.com', 'Start the verification'],
    [
      'mailer domain verify example.com --wait --wait-timeout 10m',
      'In CI: wait until verified, or fail and list the missing records',
    ],
  ],
  flags: (command) =>
    command
      .argument('<domain>', 'id or name')
      .option('--wait', 'wait until the verification has ended')
      .option(...waitTimeoutFlag(defaultWaitTimeout))
      .option(...intervalFlag)
      .addOption(resolverOption())
      .option('--force', 'with --wait: verify again even if already verified'),
  async run(context, options, named) {
    const wait = await domainWait(options);
    // A dry run ends at the request that starts the verification.
    if (wait !== undefined && context.flags.dryRun !== true) {
      return await waitFor(context, named, wait);
    }
    return await withDomain(context, named, async ({ id, name }) => {
      const shown = name ?? String(id);
      const reply = await startVerification(context, id, shown);
      return done({
        reply,
        ids: [String(id)],
        message: `The verification has started. Check its status: ${nextCommand(context, 'domain', 'get', shown)}`,
      });
    });
  },
});

async function waitFor(context: Context, named: string, wait: DomainWait): Promise<Result> {
  const { progress, report } = context;
  const [{ verifyAndWait }, { lookUpRecords }, { showVerified }] = await Promise.all([
    import('../../lib/domain/wait.ts'),
    import('../../lib/domain/findings.ts'),
    import('../../lib/domain/show-verified.ts'),
  ]);
  const deadline = context.system.monotonic() + wait.timeout + lastLook;
  const before = await findDomain(context, named, { deadline });
  const verified = await progress.during(`Verifying ${visible(before.name)}`, () =>
    verifyAndWait(context, before, wait, report),
  );
  const { domain, outcome } = verified;
  const looksUp =
    (isJson(context.format()) || outcome !== 'success') && domain.dnsRecords.length > 0;
  const findings = looksUp ? await lookUpRecords(context, domain, wait.resolvers) : undefined;
  return showVerified(context, verified, findings);
}
