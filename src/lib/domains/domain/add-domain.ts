import type { CreateDomainBody, Domain } from '../../../api/domain.ts';
import { asciiDomain } from '../../../api/domain-name.ts';
import { ConflictError, MailerError, UsageError, withHint } from '../../base/errors.ts';
import { askForValues } from '../../command-line/command/ask/ask-for-values.ts';
import type { Context } from '../../command-line/command/context.ts';
import { nextCommand } from '../../command-line/command/next-command.ts';
import { namedBy } from '../../service/http/named-by.ts';
import { dnsName } from './dns/dns-names.ts';

/** How long the request that finds an existing domain may take, including retries, in milliseconds. */
const patience = 10_000;

/** A name in the form to register: lower case and Punycode. Throws a `UsageError` for an invalid one. */
export function newDomainName(given: string): string {
  const name = asciiDomain(given.trim().replace(/\.$/, ''));
  if (name?.includes('.')) return name;
  throw new UsageError(`${JSON.stringify(given)} is not a domain name`, {
    hint: 'For example: mail.example.com',
  });
}

/** The region that was given, or else asked for, with the newest domain's region as the default. */
export async function regionFor(context: Context, given: string | undefined): Promise<string> {
  const initial = given || !context.prompts.possible ? undefined : await usualRegion(context);
  const question = { ...(initial ? { initial } : {}), check: problemOf };
  const [region = ''] = await askForValues(
    [{ flag: '--region', question: 'Region', value: given, ...question }],
    context.prompts,
    `It is usually the region of your other domains: ${nextCommand(context, 'domain', 'list')}. For example: us-east-1`,
  );
  const problem = problemOf(region);
  if (problem !== undefined) throw new UsageError(`--region: ${problem}`);
  return region;
}

function problemOf(region: string): string | undefined {
  if (region === '') return 'Required';
  return /^[A-Za-z0-9-]+$/.test(region)
    ? undefined
    : `${JSON.stringify(region)} is not a region, such as us-east-1`;
}

async function usualRegion({ call, flags }: Context): Promise<string | undefined> {
  if (flags.dryRun === true) return undefined;
  const [newest] = await call('domain.list', {});
  const region = newest?.region ?? '';
  // It is shown on the terminal as the service returns it.
  return problemOf(region) === undefined ? region : undefined;
}

/**
 * Adds a domain. Services respond to everything they reject with a bare 500; the list then shows whether the
 * domain exists already, or, after a lost response, whether it was added: it is `found` then.
 */
export async function registerDomain(context: Context, body: CreateDomainBody) {
  const nameOf = namedBy({ name: 'NAME', region: '--region' });
  try {
    return { domain: await context.call('domain.create', { body }, { nameOf }), found: false };
  } catch (error) {
    if (!(error instanceof MailerError) || !error.outcomeUnknown) throw error;
    if (context.system.signal.aborted) throw error;
    const domain = await findByName(context, body.name).catch(() => null);
    if (domain === null) throw error;
    const failed = error.details.status === 500;
    if (domain === undefined) throw withHint(error, failed ? aboutFailure(body) : mayCome(context));
    if (!failed) return { domain, found: true };
    throw new ConflictError(`There is already a domain ${domain.name} (id ${domain.id}).`, {
      status: 500,
      hint: `Nothing was added. With --if-missing, this is no error. To show its DNS records: ${nextCommand(context, 'domain', 'records', domain.name)}`,
    });
  }
}

async function findByName({ call, system }: Context, name: string): Promise<Domain | undefined> {
  const deadline = system.monotonic() + patience;
  const domains = await call('domain.list', {}, { deadline });
  return domains.find((one) => dnsName(one.name) === name);
}

function aboutFailure({ region }: CreateDomainBody): string {
  return `The domain is not in the list, and the service does not say why. Check the name, and that the service uses the region ${region}.`;
}

function mayCome(context: Context): string {
  return `The domain is not in the list, but may still be added. Check before you run the command again: ${nextCommand(context, 'domain', 'list')}`;
}
