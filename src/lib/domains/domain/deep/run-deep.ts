import type { Domain } from '../../../../api/domain.ts';
import { UsageError } from '../../../base/errors.ts';
import { oneAddress } from '../../../base/input/addresses.ts';
import type { Context } from '../../../command-line/command/context.ts';
import { type Result, textResult } from '../../../command-line/output/result.ts';
import { domainScope, type FailOn, withoutIgnored } from '../../../mail/check/check-gate.ts';
import { dnsName } from '../dns/dns-names.ts';
import { amongDomains } from '../find-domain.ts';
import { defaultTimeout } from '../findings.ts';
import { type PasteFormat, pasteFormat, recordsToPaste } from '../paste-format.ts';
import { createAskers, type DnsPlaces } from './asker.ts';
import { checkDomain } from './check-domain.ts';
import type { RecordToPublish } from './deep-shapes.ts';
import { type DomainMail, type MailFlags, mailOf } from './domain-mail.ts';
import { toWanted } from './finding.ts';
import { type DeepResult, deepFailure, showDeep } from './show-deep.ts';

/** The flags of a deep check. */
export interface DeepFlags {
  readonly all?: true | undefined;
  readonly from?: string | undefined;
  readonly selector?: readonly string[] | undefined;
  readonly failOn?: FailOn | undefined;
  readonly ignore?: readonly string[] | undefined;
  readonly format?: PasteFormat | undefined;
}

type DeepContext = Pick<
  Context,
  'account' | 'call' | 'embedded' | 'flags' | 'notes' | 'progress' | 'system'
>;

/** The check of domains, given by id or name, whether they are fit to send; see docs/domain-check.md. */
export async function runDeep(
  context: DeepContext,
  named: readonly string[],
  flags: DeepFlags,
  resolvers: readonly string[],
): Promise<Result> {
  const format = pasteFormat(flags.format, context.flags);
  if (format !== 'table' && (named.length !== 1 || flags.all)) {
    throw new UsageError('--format writes the records of one domain: name one');
  }
  const subjects = await subjectsOf(context, named, flags);
  const result = await checkSubjects(context, subjects, flags, resolvers);
  if (format === 'table') return showDeep(result);
  const [report] = result.reports;
  const records = distinct(result.findings.flatMap(({ publish }) => publish)).map(toWanted);
  const [mail] = subjects;
  const zone = report?.zone ?? mail?.account?.registered ?? mail?.domain ?? '';
  const isKnown = report?.failures.length === 0;
  if (records.length === 0 && isKnown) context.notes.say('There is nothing to publish.');
  const text = records.length === 0 ? '' : recordsToPaste(records, zone, format);
  return textResult({ reply: undefined, text, verbatim: true, failure: deepFailure(result) });
}

/** Checks all subjects with one cache. */
export async function checkSubjects(
  context: DeepContext,
  subjects: readonly DomainMail[],
  { failOn = 'error', ignore }: Pick<DeepFlags, 'failOn' | 'ignore'>,
  resolvers: readonly string[],
): Promise<DeepResult> {
  const checked = await context.progress.during('Asking DNS', async () => {
    const createAsker = createAskers(await dnsPlaces(context, resolvers));
    return await Promise.all(subjects.map((mail) => checkDomain(mail, createAsker())));
  });
  const found = checked.flatMap(({ findings }) => findings);
  const findings = await withoutIgnored(context, domainScope, found, ignore);
  return { reports: checked.map(({ report }) => report), findings, failOn };
}

async function dnsPlaces(
  { embedded, flags, system }: Pick<Context, 'embedded' | 'flags' | 'system'>,
  resolvers: readonly string[],
): Promise<DnsPlaces> {
  const sandbox = resolvers.length === 0 ? await embedded() : undefined;
  if (sandbox !== undefined) {
    const { dns } = sandbox;
    return {
      main: (name, type) => dns.lookUp(name, type),
      at: (address) => (name, type) => dns.lookUp(name, type, address),
    };
  }
  const { signal } = system;
  const timeout = flags.timeout ?? defaultTimeout;
  const servers = resolvers.length === 0 ? undefined : resolvers;
  const { lookUp } = await system.dns({ servers, timeout, signal });
  if (servers !== undefined) return { main: lookUp, at: undefined };
  const at = (address: string) => async (name: string, type: Parameters<typeof lookUp>[1]) => {
    const own = await system.dns({ servers: [address], timeout, signal });
    return await own.lookUp(name, type);
  };
  return { main: lookUp, at };
}

async function subjectsOf(
  context: DeepContext,
  named: readonly string[],
  flags: DeepFlags,
): Promise<DomainMail[]> {
  if (flags.all === true ? named.length > 0 : named.length === 0) {
    throw new UsageError('Name domains, or all domains of the account with --all');
  }
  if (flags.from !== undefined && named.length !== 1) {
    throw new UsageError('--from is for the mail of one domain: name one');
  }
  const mail: MailFlags = { from: senderDomain(flags.from), selectors: flags.selector };
  const domains = await accountDomains(context, flags.all === true);
  if (flags.all === true) return domains.map((domain) => mailOf(domain.name, domain, mail));
  return named.map((one) => {
    const { name, domain } = amongDomains(domains, one, context);
    return mailOf(name, domain, mail);
  });
}

function senderDomain(from: string | undefined): string | undefined {
  if (from === undefined) return undefined;
  const address = oneAddress(from, '--from').replace(/^.*<|>\s*$/g, '');
  return dnsName(address.slice(address.lastIndexOf('@') + 1));
}

/** The domains of the account; none, with a note, if there is no account and none is needed. */
async function accountDomains(context: DeepContext, isNeeded: boolean): Promise<readonly Domain[]> {
  const { keySource } = await context.account();
  if (keySource !== undefined || isNeeded) return await context.call('domain.list', {});
  context.notes.say(
    'There is no account, so the records and senders of a service are not known. Only public DNS is checked.',
  );
  return [];
}

/** The first record of each name and kind: it repairs the worst finding. */
function distinct(records: readonly RecordToPublish[]): RecordToPublish[] {
  const kinds = new Map<string, RecordToPublish>();
  for (const one of records) {
    const key = `${one.type} ${one.fqdn} ${one.type === 'MX' ? '' : one.value.split(/[\s;]/)[0]}`;
    if (!kinds.has(key)) kinds.set(key, one);
  }
  return [...kinds.values()];
}
