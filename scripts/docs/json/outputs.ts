import * as z from 'zod';
import { campaign, campaignSummary } from '../../../src/api/campaign.ts';
import { contactBook, contact as contactOfBook } from '../../../src/api/contact.ts';
import { dnsRecord, domain } from '../../../src/api/domain.ts';
import { email, emailListItem } from '../../../src/api/email.ts';
import { type OperationId, operations } from '../../../src/api/operations.ts';
import { reputationDay, reputationEvent } from '../../../src/api/reputation.ts';
import { segment } from '../../../src/api/segment.ts';
import { dayCounts } from '../../../src/api/stats.ts';
import { templateListItem } from '../../../src/api/template.ts';
import * as account from '../../../src/lib/json-schemas/account.ts';
import * as bulk from '../../../src/lib/json-schemas/bulk.ts';
import * as check from '../../../src/lib/json-schemas/check.ts';
import * as contact from '../../../src/lib/json-schemas/contact.ts';
import * as doctor from '../../../src/lib/json-schemas/doctor.ts';
import * as dns from '../../../src/lib/json-schemas/domain.ts';
import * as contacts from '../../../src/lib/json-schemas/import.ts';
import * as policy from '../../../src/lib/json-schemas/policy.ts';
import * as request from '../../../src/lib/json-schemas/request.ts';
import * as sandbox from '../../../src/lib/json-schemas/sandbox.ts';
import { sendmailReply } from '../../../src/lib/json-schemas/sendmail.ts';
import * as sync from '../../../src/lib/json-schemas/sync.ts';
import { fileRow } from '../../../src/lib/json-schemas/template.ts';
import { seedFile } from '../../../src/sandbox/seeds/seed-file.ts';

/** One of the documents that a command prints. */
export interface JsonCase {
  /** The flags or arguments that print it; empty for the usual one. */
  readonly when: string;
  /** The content, without a full stop. */
  readonly what: string;
  readonly schema: z.ZodType;
  /** A line of `--jsonl`, on commands that list. */
  readonly line?: z.ZodType;
}

/** The documents printed by commands that send a run. */
const sentRun: readonly JsonCase[] = [
  {
    when: '',
    what: 'the result of each row',
    schema: bulk.runReply,
    line: bulk.rowResult,
  },
  {
    when: '--wait',
    what: 'the accepted emails, with their last status',
    schema: bulk.followedReply,
    line: bulk.followed,
  },
];

const templateFiles: JsonCase = {
  when: '',
  what: 'the files of the directory',
  schema: z.array(fileRow),
  line: fileRow,
};

/** The JSON of every command, by its words. */
export const jsonOutputs: Readonly<Record<string, readonly JsonCase[]>> = {
  'email send': [
    reply('email.send'),
    { when: '--wait', what: 'the last response to `GET /v1/emails/{emailId}`', schema: email },
    { when: '--preview', what: 'the email as it would be sent', schema: bulk.previewedEmail },
  ],
  'email batch': [
    ...sentRun,
    {
      when: '--preview',
      what: 'the emails as they would be sent',
      schema: z.array(bulk.previewed),
      line: bulk.previewed,
    },
  ],
  'email get': [reply('email.get')],
  'email list': [
    {
      ...reply('email.list'),
      what: "the service's response to `GET /v1/emails`; with both `--since` and `--until`, rows older than `--since` are removed from `data` and `count`, because services may ignore `--since` then",
      line: emailListItem,
    },
  ],
  'email reschedule': [reply('email.reschedule')],
  'email cancel': [reply('email.cancel')],
  'email check': [
    { when: '', what: 'the findings', schema: check.checkReply, line: check.emailFinding },
  ],
  sendmail: [only('the ids of the emails that were sent for the message', sendmailReply)],
  'run list': [
    {
      when: '',
      what: 'all runs, newest first',
      schema: z.array(bulk.shownRun),
      line: bulk.shownRun,
    },
  ],
  'run get': [only('the progress of the run', bulk.shownRun)],
  'run resume': [
    ...sentRun,
    {
      when: 'RUN of a contact import',
      what: 'the numbers of rows by their outcome',
      schema: contacts.importReply,
    },
  ],
  'run delete': [only('the deleted run', bulk.shownRun)],
  'campaign create': [reply('campaign.create')],
  'campaign list': [{ ...reply('campaign.list'), line: campaignSummary }],
  'campaign get': [reply('campaign.get')],
  'campaign watch': [
    {
      when: '',
      what: 'the last response to `GET /v1/campaigns/{campaignId}`; with `--jsonl`, a line per change',
      schema: campaign,
      line: campaign,
    },
  ],
  'campaign schedule': [reply('campaign.schedule')],
  'campaign test': [
    reply('email.send'),
    { when: '--wait', what: 'the last response to `GET /v1/emails/{emailId}`', schema: email },
  ],
  'campaign pause': [reply('campaign.pause')],
  'campaign resume': [reply('campaign.resume')],
  'campaign delete': [reply('campaign.delete')],
  'contact list': [{ ...reply('contact.list'), line: contactOfBook }],
  'contact get': [reply('contact.get')],
  'contact add': [reply('contact.create')],
  'contact import': [only('the numbers of rows by their outcome', contacts.importReply)],
  'contact update': [reply('contact.update')],
  'contact delete': [reply('contact.delete')],
  'contact sync': [
    {
      when: '',
      what: 'the contacts that differ between file and book, and what was done with each; with `--dry-run`, what would be done',
      schema: sync.syncReply,
      line: sync.difference,
    },
  ],
  'contact export': [
    {
      when: '',
      what: 'the contacts, by address; `--output` writes it to a file',
      schema: z.array(contact.exportedContact),
      line: contact.exportedContact,
    },
  ],
  'contact book list': [{ ...reply('contactBook.list'), line: contactBook }],
  'contact book get': [reply('contactBook.get')],
  'contact book create': [reply('contactBook.create')],
  'contact book update': [reply('contactBook.update')],
  'contact book delete': [reply('contactBook.delete')],
  'segment list': [{ ...reply('segment.list'), line: segment }],
  'segment create': [reply('segment.create')],
  'segment preview': [reply('segment.preview')],
  'segment materialize': [reply('segment.materialize')],
  'segment delete': [reply('segment.delete')],
  'event send': [reply('event.send')],
  'template list': [{ ...reply('template.list'), line: templateListItem }],
  'template get': [reply('template.get')],
  'template create': [reply('template.create')],
  'template pull': [templateFiles],
  'template push': [templateFiles],
  'domain add': [reply('domain.create')],
  'domain list': [{ ...reply('domain.list'), line: domain }],
  'domain get': [reply('domain.get')],
  'domain records': [
    {
      when: '',
      what: 'the DNS records of the domain, unmodified; the output of `--format` has no schema',
      schema: z.array(dnsRecord),
      line: dnsRecord,
    },
  ],
  'domain check': [
    {
      when: '',
      what: 'the records compared with DNS',
      schema: dns.findings,
      line: dns.finding,
    },
  ],
  'domain verify': [
    reply('domain.verify'),
    { when: '--wait', what: 'the result of the verification', schema: dns.verifiedReply },
  ],
  'domain delete': [reply('domain.delete')],
  stats: [
    { ...reply('stats.byDay'), line: dayCounts },
    { ...reply('stats.total'), when: '--total' },
  ],
  'reputation status': [reply('reputation.status')],
  'reputation history': [{ ...reply('reputation.history'), line: reputationDay }],
  'reputation bounces': [reply('reputation.bounces')],
  'reputation events': [{ ...reply('reputation.events'), line: reputationEvent }],
  login: [only('what was stored', account.loginReply)],
  logout: [only('the profile and its file', account.logoutReply)],
  whoami: [
    only('the account in use', account.whoamiReply),
    { when: '--features', what: 'what the service offers', schema: z.array(account.feature) },
  ],
  doctor: [{ when: '', what: 'all checks', schema: doctor.doctorReply, line: doctor.check }],
  'profile list': [
    {
      when: '',
      what: 'all profiles',
      schema: z.array(account.profileRow),
      line: account.profileRow,
    },
  ],
  'profile use': [only('the current profile', account.profileUseReply)],
  'profile rename': [only('both names', account.profileRenameReply)],
  'profile delete': [only('its name and the current profile', account.profileDeleteReply)],
  'config get': [only('the setting', account.settingReply)],
  'config set': [only('the setting', account.settingReply)],
  'config unset': [only('the setting', account.settingReply)],
  'config list': [
    {
      when: '',
      what: 'all settings',
      schema: z.array(account.settingRow),
      line: account.settingRow,
    },
  ],
  'config path': [only('the path of the file', account.pathReply)],
  'policy show': [
    {
      when: '',
      what: 'the rules that apply, and the combined rules',
      schema: policy.policyReply,
      line: policy.policyRule,
    },
  ],
  'policy set': [only('the rules of the profile', policy.storedPolicy)],
  'policy unset': [only('the rules of the profile', policy.storedPolicy)],
  'policy check': [
    {
      when: '',
      what: 'the addresses',
      schema: z.array(policy.checkedAddress),
      line: policy.checkedAddress,
    },
  ],
  api: [
    {
      when: '',
      what: 'the unmodified body of the response, which may be any JSON',
      schema: z.unknown(),
      line: z.unknown(),
    },
    { when: '--include', what: 'the whole response', schema: request.wholeAnswer },
  ],
  'sandbox start': [
    only('its URLs and key, one line once it accepts requests', sandbox.startReply),
  ],
  'sandbox advance': [only('the times and what happened', sandbox.advanceReply)],
  'sandbox reset': [only('the directory', sandbox.resetReply)],
  'sandbox seed': [only('the number of stored entries of each list', sandbox.seedReply)],
  'sandbox export': [
    only('all its data, with or without `--json`; the input of `sandbox seed`', seedFile),
    { when: 'FILE', what: 'the path of the file', schema: sandbox.exportReply },
  ],
  'sandbox logs': [
    {
      when: '',
      what: 'the requests, oldest first',
      schema: z.array(sandbox.logRow),
      line: sandbox.logRow,
    },
  ],
  'sandbox open': [only('the URL of the inbox', sandbox.openReply)],
  'sandbox path': [only('the directory', account.pathReply)],
  'sandbox status': [only('its data, and whether it is running', sandbox.statusReply)],
  completion: [only('the script', request.completionReply)],
};

/** Documents that any command may print. */
export const commonOutputs = {
  error: {
    when: '',
    what: 'the object on stderr if a command fails',
    schema: request.errorDocument,
  },
  'dry-run': {
    when: '--dry-run',
    what: 'the request that would be sent',
    schema: request.dryRunDocument,
  },
} as const satisfies Readonly<Record<string, JsonCase>>;

/** The service's unmodified response. */
function reply(id: OperationId): JsonCase {
  const { method, path, reply } = operations[id];
  return { when: '', what: `the service's response to \`${method} ${path}\``, schema: reply };
}

function only(what: string, schema: z.ZodType): JsonCase {
  return { when: '', what, schema };
}
