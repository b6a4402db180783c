import type * as z from 'zod';
import { loadOperation } from '../api/load-operation.ts';
import type { OperationId } from '../api/operations.ts';
import { unknownFieldsError } from '../lib/output/chosen-fields.ts';
import type { KnownFields } from '../lib/output/known-fields.ts';

/** The flags of a command, as parsed. */
type Options = Readonly<Record<string, unknown>>;

/** What `--fields` may name in the result of a command. */
interface Printed {
  /** The schema of the result, or of each of its rows. */
  readonly schema: (options: Options) => Promise<z.ZodType>;
  /**
   * Set if the command changes something: names allowed besides those of the schema, such as column titles.
   * They are checked before anything is done. Fields of other commands are checked against the response,
   * since a service may have more fields than the contract.
   */
  readonly writes?: readonly string[];
}

const account = () => import('../lib/json-schemas/account.ts');
const bulk = () => import('../lib/json-schemas/bulk.ts');
const domain = () => import('../lib/json-schemas/domain.ts');
const request = () => import('../lib/json-schemas/request.ts');
const sandbox = () => import('../lib/json-schemas/sandbox.ts');
const template = () => import('../lib/json-schemas/template.ts');

/** Column titles of `email get`, and fields that it computes. */
const ofEmail = [
  ...['latestStatus', 'status', 'created', 'scheduledAt', 'scheduled', 'attachments'],
  ...['emailEvents.recipient', 'emailEvents.detail'],
];

/** What a run prints: the result of each row; with `--wait`, each email; with a preview, emails. */
const ofRun: Printed = {
  schema: async ({ wait, preview }) => {
    const { followed, previewed, rowResult } = await bulk();
    if (preview !== undefined) return previewed;
    return wait === undefined ? rowResult : followed;
  },
  writes: ['id', 'problem', 'message', 'status', 'when', 'detail', 'template', 'scheduled'],
};

/** Column titles of `domain add`. */
const ofDomain = [
  ...['beingVerified', 'error', 'dkim', 'spf', 'dmarc', 'lastChecked', 'created', 'updated'],
];

/** By the words of the command. `api` is missing because it may print anything. */
const printed: Readonly<Record<string, Printed>> = {
  'email send': {
    schema: async ({ wait, preview }) => {
      if (preview === true) return (await bulk()).previewedEmail;
      return wait === undefined
        ? (await loadOperation('email.send')).reply
        : (await loadOperation('email.get')).reply;
    },
    writes: ofEmail,
  },
  'email batch': ofRun,
  'email get': replyOf('email.get'),
  'email list': { schema: async () => (await import('../api/email.ts')).emailListItem },
  'email reschedule': writes(replyOf('email.reschedule')),
  'email cancel': writes(replyOf('email.cancel')),
  'run list': { schema: async () => (await bulk()).shownRun },
  'run get': { schema: async () => (await bulk()).shownRun },
  'run resume': ofRun,
  'run delete': writes({ schema: async () => (await bulk()).shownRun }),
  'campaign create': writes(replyOf('campaign.create')),
  'campaign list': { schema: async () => (await import('../api/campaign.ts')).campaignSummary },
  'campaign get': replyOf('campaign.get'),
  'campaign watch': replyOf('campaign.get'),
  'campaign schedule': writes(replyOf('campaign.schedule')),
  'campaign pause': writes(replyOf('campaign.pause')),
  'campaign test': {
    schema: async ({ wait }) =>
      (await loadOperation(wait === undefined ? 'email.send' : 'email.get')).reply,
    writes: ofEmail,
  },
  'campaign resume': writes(replyOf('campaign.resume')),
  'campaign delete': writes(replyOf('campaign.delete')),
  'contact list': { schema: async () => (await import('../api/contact.ts')).contact },
  'contact get': replyOf('contact.get'),
  'contact add': writes(replyOf('contact.create')),
  'contact import': writes({
    schema: async () => (await import('../lib/json-schemas/import.ts')).importReply,
  }),
  'contact update': writes(replyOf('contact.update')),
  'contact delete': writes(replyOf('contact.delete')),
  'contact sync': writes({
    schema: async () => (await import('../lib/json-schemas/sync.ts')).difference,
  }),
  'contact export': {
    schema: async () => (await import('../lib/json-schemas/contact.ts')).exportedContact,
  },
  'contact book list': { schema: async () => (await import('../api/contact.ts')).contactBook },
  'contact book get': replyOf('contactBook.get'),
  'contact book create': writes(replyOf('contactBook.create')),
  'contact book update': writes(replyOf('contactBook.update')),
  'contact book delete': writes(replyOf('contactBook.delete')),
  'segment list': { schema: async () => (await import('../api/segment.ts')).segment },
  'segment create': writes(replyOf('segment.create')),
  'segment preview': replyOf('segment.preview'),
  'segment materialize': writes(replyOf('segment.materialize')),
  'segment delete': writes(replyOf('segment.delete')),
  'event send': writes(replyOf('event.send')),
  'template list': { schema: async () => (await import('../api/template.ts')).templateListItem },
  'template get': replyOf('template.get'),
  'template create': writes(replyOf('template.create')),
  'template pull': writes({ schema: async () => (await template()).fileRow }),
  'template push': writes({ schema: async () => (await template()).fileRow }),
  'domain add': writes(replyOf('domain.create'), ofDomain),
  'domain list': { schema: async () => (await import('../api/domain.ts')).domain },
  'domain get': replyOf('domain.get'),
  'domain records': { schema: async () => (await import('../api/domain.ts')).dnsRecord },
  'domain check': { schema: async () => (await domain()).finding },
  'domain verify': {
    schema: async ({ wait }) =>
      wait === undefined
        ? (await loadOperation('domain.verify')).reply
        : (await domain()).verifiedReply,
    writes: ['id', 'name', 'status', 'took', 'error'],
  },
  'domain delete': writes(replyOf('domain.delete')),
  stats: {
    schema: async ({ total }) =>
      total === true
        ? (await loadOperation('stats.total')).reply
        : (await import('../api/stats.ts')).dayCounts,
  },
  'reputation status': replyOf('reputation.status'),
  'reputation history': {
    schema: async () => (await import('../api/reputation.ts')).reputationDay,
  },
  'reputation bounces': replyOf('reputation.bounces'),
  'reputation events': {
    schema: async () => (await import('../api/reputation.ts')).reputationEvent,
  },
  login: writes({ schema: async () => (await account()).loginReply }),
  logout: writes({ schema: async () => (await account()).logoutReply }),
  whoami: {
    schema: async ({ features }) =>
      features === true ? (await account()).feature : (await account()).whoamiReply,
  },
  doctor: { schema: async () => (await import('../lib/json-schemas/doctor.ts')).check },
  'profile list': { schema: async () => (await account()).profileRow },
  'profile use': writes({ schema: async () => (await account()).profileUseReply }),
  'profile rename': writes({ schema: async () => (await account()).profileRenameReply }),
  'profile delete': writes({ schema: async () => (await account()).profileDeleteReply }),
  'config get': { schema: async () => (await account()).settingReply },
  'config set': writes({ schema: async () => (await account()).settingReply }),
  'config unset': writes({ schema: async () => (await account()).settingReply }),
  'config list': { schema: async () => (await account()).settingRow },
  'config path': { schema: async () => (await account()).pathReply },
  'sandbox start': writes({ schema: async () => (await sandbox()).startReply }),
  'sandbox advance': writes({ schema: async () => (await sandbox()).advanceReply }, [
    ...['to', 'emailsSent', 'campaignsFinished', 'contactsStored', 'verificationsEnded'],
    'keysForgotten',
  ]),
  'sandbox reset': writes({ schema: async () => (await sandbox()).resetReply }),
  'sandbox seed': writes({ schema: async () => (await sandbox()).seedReply }),
  'sandbox export': writes({ schema: async () => (await sandbox()).exportReply }),
  'sandbox open': writes({ schema: async () => (await sandbox()).openReply }),
  'sandbox path': { schema: async () => (await account()).pathReply },
  'sandbox status': { schema: async () => (await sandbox()).statusReply },
  'sandbox logs': { schema: async () => (await sandbox()).logRow },
  completion: { schema: async () => (await request()).completionReply },
};

function replyOf(id: OperationId): Printed {
  return { schema: async () => (await loadOperation(id)).reply };
}

function writes({ schema }: Printed, others: readonly string[] = []): Printed {
  return { schema, writes: others };
}

/**
 * The fields that a command is known to print with these flags; undefined if it may print anything. Throws a
 * `UsageError` if the command changes something and `asked` has other fields.
 */
export async function fieldsOfCommand(
  words: readonly string[],
  options: Options,
  asked: readonly string[] = [],
): Promise<KnownFields | undefined> {
  const { schema, writes } = printed[words.join(' ')] ?? {};
  if (schema === undefined) return undefined;
  const { fieldsOfSchema } = await import('../lib/output/known-fields.ts');
  const known = fieldsOfSchema(await schema(options));
  const unknown = asked.filter((name) => !known.has(name) && !writes?.includes(name));
  if (writes !== undefined && unknown.length > 0) {
    throw unknownFieldsError(unknown, known.names, writes);
  }
  return known;
}
