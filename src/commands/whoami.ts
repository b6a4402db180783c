import type { Reply } from '../api/operations.ts';
import type { WhoamiReply } from '../json-schemas/account.ts';
import { schemas } from '../json-schemas/load.ts';
import { MailerError, withHint } from '../lib/base/errors.ts';
import type { WireReply } from '../lib/base/system/wire.ts';
import { maxNames, withOverflowCount } from '../lib/base/text/quoted-names.ts';
import { bestEffort } from '../lib/command-line/command/best-effort.ts';
import { defineCommand } from '../lib/command-line/command/command.ts';
import type { Context } from '../lib/command-line/command/context.ts';
import { documentOf, rowsOf } from '../lib/command-line/command/prints.ts';
import { record } from '../lib/command-line/output/result.ts';
import { deepCheckHint } from '../lib/domains/domain/deep-check-hint.ts';
import { maskKey } from '../lib/service/account/api-key.ts';
import { scopeNames } from '../lib/service/http/key-scopes.ts';
import { overviewOf } from '../lib/service/policy/overview.ts';

export const command = defineCommand({
  description:
    'It shows where the base URL and the key come from, tests them, and shows the team and the scopes of the key if the service reports them. With --features, it shows instead what the service offers, by its own description of its API.',
  effects: { reads: true },
  exits: { 3: 'no key, or a rejected one', 7: 'the service cannot be reached' },
  prints: [
    documentOf('the account in use', schemas.account('whoamiReply')),
    rowsOf('what the service offers', schemas.account('feature'), { when: '--features' }),
  ],
  takes: ['service', 'sandbox'],
  examples: {
    'mailer whoami': 'The account in use, its domains, and whether the key works',
    'mailer whoami --quiet': 'Only the name of the profile',
    'mailer whoami --features': 'What the service offers, such as templates and segments',
  },
  flags: (command) => command.option('--features', 'only what the service offers; needs no key'),
  async run(context, options) {
    if (options.features === true) {
      const { showFeatures } = await import('../lib/command-line/command/show-features.ts');
      return await showFeatures(context);
    }
    const account = await context.account();
    const { baseUrl } = account;
    const { key, error, domains, owner, rateLimit } = await tryOut(context);
    const team = owner?.teamName ?? owner?.teamId?.toString();
    if (baseUrl !== undefined && key !== undefined) {
      const { accountName, rememberTeam } = await import(
        '../lib/command-line/log/remember-team.ts'
      );
      rememberTeam(context, accountName(baseUrl, key), team ?? domains?.[0]?.teamId);
    }
    const scopes = owner?.scopes && scopeNames(owner.scopes);
    const problem = error && {
      code: error.code,
      message: error.message,
      ...(error.details.status === undefined ? {} : { status: error.details.status }),
    };
    const policy = await overviewOf(context.policy);
    const shownKey = key && maskKey(key, context.system);
    const reachable = key === undefined ? null : error?.code !== 'unavailable';
    return record({
      reply: {
        profile: account.profile ?? null,
        baseUrl: baseUrl ?? null,
        baseUrlSource: account.baseUrlSource ?? null,
        key: shownKey ?? null,
        keySource: account.keySource ?? null,
        team: team ?? null,
        scopes: scopes ?? null,
        reachable,
        domains: domains?.map(({ name, status }) => ({ name, status: status ?? null })) ?? null,
        rateLimit: rateLimit ?? null,
        policy:
          policy === undefined ? null : { ...policy, problem: policy.problem?.message ?? null },
        problem: problem ?? null,
      } satisfies WhoamiReply,
      rows: [
        ['profile', 'Profile', account.profile],
        ['baseUrl', 'Base URL', baseUrl],
        ['baseUrlSource', 'from', account.baseUrlSource],
        ['key', 'Key', shownKey],
        ['keySource', 'from', account.keySource],
        ['team', 'Team', team],
        ['scopes', 'Scopes', scopes?.join(', ')],
        ['reachable', 'Reachable', reachable === null ? 'not tried' : reachable ? 'yes' : 'no'],
        [
          'domains',
          'Domains',
          owner && !domains ? 'not allowed for this key' : domains && inWords(domains),
        ],
        [
          'rateLimit',
          'Rate limit',
          rateLimit &&
            `${rateLimit.limit - rateLimit.remaining} of ${rateLimit.limit} requests used`,
        ],
        ['policy.rules', 'Policy', policy?.rules.join(', ')],
        ['policy.places', 'from', policy?.places.join(', ')],
        ['policy.problem', 'Policy', policy?.problem?.message],
        ['problem.message', 'Problem', problem?.message],
      ],
      quiet: account.profile ?? 'sandbox',
      ...(context.system.stdout.isTTY === true && domains?.length ? { note: deepCheckHint } : {}),
      failure: error,
    });
  },
});

/** What these requests show of an account. */
interface Outcome {
  readonly key: string | undefined;
  readonly domains?: Reply<'domain.list'>;
  /** Undefined if the service does not tell. */
  readonly owner?: Reply<'account.get'> | undefined;
  readonly rateLimit: RateLimit | undefined;
  readonly error?: MailerError;
}

type RateLimit = NonNullable<WhoamiReply['rateLimit']>;

/** The use of the rate limit, this request included; undefined if the service has no limit. */
function rateLimitIn(headers: WireReply['headers']): RateLimit | undefined {
  const limit = Number(headers['x-ratelimit-limit'] || Number.NaN);
  const remaining = Number(headers['x-ratelimit-remaining'] || Number.NaN);
  if (!Number.isInteger(limit) || !Number.isInteger(remaining)) return undefined;
  return { limit, remaining };
}

/** Each domain with its status: `example.com SUCCESS, example.org PENDING`. */
function inWords(domains: Reply<'domain.list'>): string {
  const words = domains.map(({ name, status }) => [name, status].filter(Boolean).join(' '));
  return withOverflowCount(words.slice(0, maxNames), words.length).join(', ') || 'none';
}

/** Asks for the domains and the key's account. An error of the key or the service is a result here. */
async function tryOut(context: Context): Promise<Outcome> {
  const account = await context.account();
  let key: string | undefined;
  let rateLimit: RateLimit | undefined;
  const onResponse = ({ headers }: WireReply) => {
    rateLimit = rateLimitIn(headers);
  };
  try {
    key = await account.key();
    const domains = await context.call('domain.list', {}, { onResponse });
    return { key, domains, owner: await ownerOf(context), rateLimit };
  } catch (error) {
    if (!(error instanceof MailerError) || !isAnswer(error)) throw error;
    const owner = error.details.status === 403 ? await ownerOf(context) : undefined;
    // The key is valid; its scopes only do not include domains.
    if (owner !== undefined) return { key, owner, rateLimit };
    const { baseUrl, keySource } = account;
    let hint: string | undefined;
    if (error.code === 'auth' && baseUrl !== undefined && keySource !== undefined) {
      const { otherKey } = await import('../lib/command-line/command/other-key.ts');
      hint = otherKey(context, keySource, baseUrl);
    }
    return { key, rateLimit, error: withHint(error, hint) };
  }
}

/** The account of the key and what the key may do, if the service tells. */
function ownerOf(context: Context): Promise<Reply<'account.get'> | undefined> {
  return bestEffort(context, (within) => context.call('account.get', {}, within));
}

/** Whether the error says something about the account, not about how the command was given. */
function isAnswer({ code }: MailerError): boolean {
  return !['usage', 'internal', 'interrupted', 'terminated'].includes(code);
}
