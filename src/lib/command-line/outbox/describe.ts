import type { Campaign } from '../../../api/campaign.ts';
import { limits } from '../../../api/limits.ts';
import { UsageError } from '../../base/errors.ts';
import { bodyText } from '../../base/system/wire.ts';
import { sha256 } from '../../base/text/sha256.ts';
import type { AnyRequest } from '../../service/http/build-request.ts';
import { createAudience } from '../../service/policy/audience.ts';
import { classify } from '../../service/policy/mailing.ts';
import type { Context } from '../command/context.ts';
import type { Described } from './outbox-shapes.ts';

/** What is read of a body that passed the checks of its command. */
type Body = Partial<Pick<Campaign, 'from' | 'subject' | 'contactBookId' | 'scheduledAt'>> & {
  readonly to?: Copies;
  readonly cc?: Copies;
  readonly bcc?: Copies;
  readonly sendNow?: boolean;
};
type Copies = string | readonly string[] | null | undefined;

/**
 * Looks at what a request mails: for a campaign, as the service has it now. Throws a `UsageError` if the service does not
 * show who gets it.
 */
export async function describe(context: Context, request: AnyRequest): Promise<Described> {
  const { kind, ids } = classify(request);
  // The command that made it has checked it.
  const body = JSON.parse(bodyText(request.body ?? '{}')) as Body;
  const audience = createAudience();
  const described = (shown: Body, content: unknown, campaignDigest: string | null): Described => ({
    ...audience.shown(),
    from: shown.from ?? null,
    subject: shown.subject ?? null,
    scheduledAt: body.scheduledAt ?? null,
    campaign: ids.campaign ?? null,
    campaignDigest,
    content: sha256(JSON.stringify(content)),
  });
  if (kind === 'email') {
    audience.add(allOf(body.to, body.cc, body.bcc));
    const { to: _, cc: __, bcc: ___, scheduledAt: ____, ...content } = body;
    return described(body, content, null);
  }
  const campaign = ids.campaign === undefined ? undefined : await found(context, ids.campaign);
  const shown: Body = campaign ?? body;
  const isStart = campaign !== undefined || body.sendNow === true || body.scheduledAt != null;
  const contacts = isStart ? await contactsOf(context, shown.contactBookId) : [];
  const copies = allOf(shown.cc, shown.bcc);
  for (const { email } of contacts) audience.add([email, ...copies]);
  const { name, subject, previewText, html, content, contactBookId, from, replyTo, status } =
    campaign ?? {};
  const text = { subject, previewText, html, content, from, replyTo, copies };
  const recipients = audience.shown();
  // All of them: others of the same domains would not show in what a person sees.
  const people = sha256(JSON.stringify(contacts.map(({ email }) => email).sort()));
  const state = [name, contactBookId, status, text, recipients, people];
  return described(shown, campaign === undefined ? body : text, sha256(JSON.stringify(state)));
}

function allOf(...fields: readonly Copies[]): readonly string[] {
  return fields.flatMap((field) => field ?? []).filter((one) => one !== '');
}

async function found(context: Context, campaignId: string): Promise<Campaign> {
  return await context.call('campaign.get', { params: { campaignId } });
}

/** The subscribed contacts of a book, if the service lists all of them. */
async function contactsOf(context: Context, contactBookId: string | null | undefined) {
  const unknown = (why: string) =>
    new UsageError(`Nobody can approve this campaign, because ${why}.`, {
      hint: 'Nothing was stored or sent.',
    });
  if (!contactBookId) throw unknown('the service does not show its contact book');
  const contacts = await context.call('contact.list', { params: { contactBookId }, query: {} });
  if (contacts.length >= limits.contactsPerList) {
    throw unknown('the service does not list all contacts of its book');
  }
  return contacts.filter(({ subscribed }) => subscribed === true);
}
