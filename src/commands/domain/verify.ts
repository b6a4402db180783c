import { schemas } from '../../json-schemas/load.ts';
import { UsageError } from '../../lib/base/errors.ts';
import { defineCommand } from '../../lib/command-line/command/command.ts';
import type { Context } from '../../lib/command-line/command/context.ts';
import { nextCommand } from '../../lib/command-line/command/next-command.ts';
import {
  heartbeatFlag,
  intervalFlag,
  type Polling,
  pollingOf,
  waitTimeoutFlag,
} from '../../lib/command-line/command/poll.ts';
import { documentOf, replyOf } from '../../lib/command-line/command/prints.ts';
import { done, type Result } from '../../lib/command-line/output/result.ts';
import { resolverOption } from '../../lib/domains/domain/dns/resolver-flag.ts';
import { withDomain } from '../../lib/domains/domain/find-domain.ts';
import { showVerified } from '../../lib/domains/domain/show-verified.ts';
import { startVerification } from '../../lib/domains/domain/verification.ts';

export const command = defineCommand({
  description:
    'It starts a verification; with --wait, it waits for the result. If the verification fails, it lists the records that are missing or wrong, with expected and found values. If the domain is already verified, the wait ends at once, without a new verification. Receivers may ignore a record that the service accepts, such as an SPF record with more than ten look-ups; so it also fails if a required record is missing or wrong at the name servers.',
  effects: { changes: true },
  exits: {
    4: 'there is no such domain',
    7: 'with --deep: DNS gave no answer, so the check is incomplete',
    9: 'with --wait: the verification failed, or receivers would not use a required record; with --deep: or the check has an error',
    10: 'with --wait: the wait timed out',
  },
  prints: [
    replyOf('domain.verify', { columns: ['id', 'name', 'status', 'took', 'error'] }),
    documentOf('the result of the verification', schemas.dns('verifiedReply'), {
      when: '--wait',
      columns: ['id', 'name', 'status', 'took', 'error'],
    }),
  ],
  takes: ['service', 'sandbox', 'dry runs', 'expected digests'],
  examples: {
    'mailer domain verify example.com': 'Start the verification',
    'mailer domain verify example.com --wait --wait-timeout 10m':
      'In CI: wait until verified, or fail and list the missing records',
    'mailer domain verify example.com --wait --deep':
      'In CI: fail also if receivers are likely to reject its mail',
  },
  flags: (command) =>
    command
      .argument('<domain>', 'id or name')
      .option('--wait', 'wait until the verification has ended')
      .option(...waitTimeoutFlag(defaultWaitTimeout))
      .option(...intervalFlag)
      .option(...heartbeatFlag)
      .addOption(resolverOption())
      .option('--deep', 'with --wait: then check it like domain check --deep')
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
  const [{ verifyAndWait }, { lookUpRecords }] = await Promise.all([
    import('../../lib/domains/domain/verify-and-wait.ts'),
    import('../../lib/domains/domain/findings.ts'),
  ]);
  const { verified, timeIsUp } = await verifyAndWait(context, named, wait);
  const { domain, outcome } = verified;
  // An outage says nothing about the records.
  const looksUp = outcome !== 'unreachable' && domain.dnsRecords.length > 0;
  const findings = looksUp ? await lookUpRecords(context, domain, wait.resolvers) : undefined;
  const result = showVerified(verified, timeIsUp, findings);
  if (!wait.deep || outcome !== 'success') return result;
  const { withDeepCheck } = await import('../../lib/domains/domain/deep/verified.ts');
  return await withDeepCheck(context, result, domain, wait.resolvers);
}

interface DomainWait extends Polling {
  /** DNS servers to ask about missing records; empty if none were chosen. */
  readonly resolvers: readonly string[];
  /** Whether to verify a domain again that is verified. */
  readonly force: boolean;
  /** Whether to check the domain once it is verified. */
  readonly deep: boolean;
}

const defaultWaitTimeout = '30m';

/** What `--wait` and its related flags ask for; undefined without `--wait`. */
async function domainWait(flags: {
  wait?: true | undefined;
  waitTimeout?: string | undefined;
  interval?: string | undefined;
  heartbeat?: string | undefined;
  resolver?: readonly string[] | undefined;
  force?: true | undefined;
  deep?: true | undefined;
}): Promise<DomainWait | undefined> {
  const { wait, waitTimeout, interval, heartbeat, resolver, force, deep } = flags;
  if (wait === undefined) {
    const waiting = { 'wait-timeout': waitTimeout, interval, heartbeat, resolver, force, deep };
    const given = Object.entries(waiting).find(([, value]) => value !== undefined);
    if (given !== undefined) throw new UsageError(`--${given[0]} needs --wait`);
    return undefined;
  }
  const polling = pollingOf(flags, defaultWaitTimeout);
  const { parseResolvers } = await import('../../lib/domains/domain/dns/parse-resolvers.ts');
  return {
    ...polling,
    resolvers: parseResolvers(resolver),
    force: force === true,
    deep: deep === true,
  };
}
