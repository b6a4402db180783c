import type { Context } from '../../command/context.ts';
import { senderSettings } from '../../command/flags/address-flags.ts';
import { scheduledTime } from '../../command/flags/scheduled-time.ts';
import { idGiven, last } from '../../command/names/last-made.ts';
import { templateNamed } from '../../command/names/templates.ts';
import { refuseFrontMatterIn } from '../../content/almost-front-matter.ts';
import { foreignIn, foreignInSource, refuseForeign } from '../../content/foreign-tags.ts';
import {
  aboutLinks,
  areTriedOut,
  hasUrlsOfValues,
  localUrlsOf,
  refuseLocalUrls,
  warnOfLocalLinks,
} from '../../content/local-urls.ts';
import { createBodyMaker, shapeOfMaking, templatesIn } from '../../content/made-body.ts';
import { alwaysShows } from '../../content/shows-nothing.ts';
import { readSource, warnOfAttachedImages } from '../../content/source.ts';
import { compileTemplates, type TemplateSource, variablesIn } from '../../content/template.ts';
import { encodedIn, unfilledLines } from '../../content/unfilled.ts';
import { refuseFieldHeaders } from '../../email/write/field-headers.ts';
import { fieldsOfFlags } from '../../email/write/flag-fields.ts';
import { sendFlagOf } from '../../email/write/send-flags.ts';
import { readTemplateInUse, type TemplateInUse } from '../../email/write/template-in-use.ts';
import { UsageError, when } from '../../errors.ts';
import { defined } from '../../json/defined.ts';
import type { Notes } from '../../terminal/notes.ts';
import { quotedNames } from '../../text/quoted-names.ts';
import type { BulkFlags } from '../flags.ts';
import type { Common } from './email-of-row.ts';
import { readOncePerGroup } from './read-once-per-group.ts';
import { createTemplateNames } from './template-names.ts';

/** What flags and settings give for all rows. */
export type CommonRequest = Awaited<ReturnType<typeof readCommon>>;

/**
 * Reads what all rows have in common. Throws a `UsageError` for what cannot be read or parsed, but not for a
 * time in the past: a prepared run keeps its times, even after they have passed.
 */
export async function readCommon(context: Context, flags: BulkFlags) {
  if (flags.inReplyTo === last) {
    const id = await idGiven(context, 'email', last);
    // The same line resumes a run: with another id it would be another run, which sends everything again.
    throw new UsageError(`--in-reply-to: ${last} changes with each email, so a run needs the id`, {
      hint: `It is now: --in-reply-to ${id}`,
    });
  }
  const source = await readSource(context, flags);
  warnOfAttachedImages(context, source);
  if (source?.format === 'html' && flags.literal !== true) {
    refuseFrontMatterIn(source.flag, source.body, 'Nothing was sent.');
  }
  const front = source?.front ?? {};
  const { to: recipients, ...withoutTo } = flags;
  const to = recipients ?? (front.to ? [front.to] : undefined);
  const given = await fieldsOfFlags(context, withoutTo, undefined);
  const { subject: ownSubject, text, variables, scheduledAt, ...others } = given;
  const subject = ownSubject ?? front.subject;
  const html = source?.body;
  refuseFieldHeaders(given.headers, sendFlagOf.headers);
  const fields: Record<string, unknown> = {
    ...(await senderSettings(context)),
    ...(front.from ? { from: front.from } : {}),
    ...defined(others),
  };
  if (flags.template && flags.preview === undefined) {
    fields.templateId = await templateNamed(context, flags.template);
  }
  const templates = {
    to: templateOf(recipients ? '--to' : `${source?.name}: to`, to?.join(', ')),
    subject: templateOf(ownSubject ? '--subject' : `${source?.name}: subject`, subject),
    text: templateOf(flags.textFile ? '--text-file' : '--text', text),
  };
  const written = [
    ...Object.values(templates).filter((one) => one !== undefined),
    ...(source === undefined || source.format === 'react' ? [] : templatesIn(source)),
  ];
  const makesText = text === undefined && flags.text !== false && !flags.template;
  const isMade =
    source !== undefined && (makesText || source.inlineCss || source.format !== 'html');
  const { policy } = await context.policy();
  /** What the command line gives as JSON values, to tell runs apart; times as they were written. */
  const shape = {
    fields,
    // With another redirect, others get the emails, so it is another run.
    redirect: policy.redirectTo[0]?.value,
    to,
    subject,
    text,
    html,
    variables,
    scheduledAt,
    // Not that of the settings: a prepared run keeps its times when the setting changes.
    timeZone: context.flags.timezone,
    unique: flags.unique === true,
    skipInvalid: flags.skipInvalid === true || flags.maxInvalid !== undefined,
    key: flags.idempotencyKey,
    map: flags.map,
    ignoreColumn: flags.ignoreColumn,
    skipOptedOut: flags.skipOptedOut,
    literal: flags.literal,
    made: isMade ? { ...shapeOfMaking(source), makesText } : undefined,
  };
  /** Throws a `UsageError` for what recipients would see in texts of flags and files, and nobody means. */
  const refuseBroken = async () => {
    const { subject: line, text: plain } = templates;
    await warnOfLocalLinks(plain?.flag ?? '', plain?.source, context.notes);
    if (source !== undefined) {
      await refuseLocalUrls(await localUrlsOf(source), 'Nothing was sent.', context);
    }
    const found = [line, plain].flatMap((one) => foreignIn(one?.flag ?? '', one?.source, 'text'));
    const ofSource = source?.format === 'react' ? undefined : source;
    // The check says what only looks like one.
    const all = [...found, ...foreignInSource(ofSource, undefined)].filter(
      ({ isCertain }) => isCertain || flags.check !== true,
    );
    refuseForeign(all, context.notes);
  };
  const render = compileTemplates({
    ...templates,
    html: isMade ? undefined : templateOf(source?.flag ?? '--html', html),
  });
  return {
    shape,
    explicit: explicitFlags(flags, source),
    /** Whether the command line gives the recipients of each row. */
    givesRecipients: to !== undefined,
    /** The body as written, and whether it is made for each row, rather than rendered only. */
    source,
    makesBody: isMade,
    ...{ variables, policy },
    /** The names that templates here take from rows; undefined for a component, which may take any. */
    usedNames: () => (source?.format === 'react' ? undefined : variablesIn(written)),
    /** Compares the names in the templates of flags and files with a file's rows. */
    names: () => createTemplateNames(written, Object.keys(variables ?? {}), flags.literal === true),
    /** Throws a `UsageError` for a variable that no template here has. A component may use any. */
    refuseUnused() {
      if (variables === undefined || source?.format === 'react') return;
      const used = variablesIn(written);
      const unused = Object.keys(variables).filter((name) => !used.has(name));
      if (unused.length === 0) return;
      throw new UsageError(
        `${flags.var ? '--var' : '--vars-file'}: no template of the rows has ${quotedNames(unused)}`,
        { hint: 'Nothing was sent. For a template that the service stores, add --template.' },
      );
    },
    /**
     * What the rows are made from; only a new run needs it. Throws a `UsageError` if `--scheduled-at` is not a
     * time, or is in the past and that is not allowed.
     */
    async common(allowPast: boolean): Promise<Common> {
      let refused: UsageError | undefined;
      if (flags.literal !== true) {
        refuseEncoded(written);
        await refuseBroken().catch(
          when(UsageError, (error) => {
            if (flags.preview === undefined) throw error;
            refused = error;
          }),
        );
      }
      const at =
        scheduledAt === undefined
          ? undefined
          : await scheduledTime(scheduledAt, context, '--scheduled-at', allowPast);
      const ofRows = { ...context, notes: sayingOnce(context.notes) };
      let isSaid = false;
      return {
        fields: { ...fields, ...(at === undefined ? {} : { scheduledAt: at }) },
        variables,
        render,
        literal: flags.literal === true,
        isHtmlSeen: !isMade && html !== undefined && alwaysShows(html),
        hasUrlsOfRows: source !== undefined && hasUrlsOfValues(source),
        async areLinksTried(found) {
          if (!(await areTriedOut(found, context))) return false;
          if (!isSaid) context.notes.warn(...aboutLinks(found));
          isSaid = true;
          return true;
        },
        refused,
        template: templateReader(context, flags),
        body: isMade
          ? await createBodyMaker({ source, makesText, variables }, context.system)
          : undefined,
        scheduledTime: readOncePerGroup((words) =>
          scheduledTime(words, ofRows, 'scheduledAt', allowPast),
        ),
      };
    },
  };
}

/** Throws a `UsageError` for placeholders that an editor has encoded, so that no row fills them in. */
function refuseEncoded(templates: readonly TemplateSource[]): void {
  const found = encodedIn(templates);
  if (found.length === 0) return;
  throw new UsageError(
    ['Nothing fills in these placeholders:', ...unfilledLines(found)].join('\n'),
    {
      hint: 'Nothing was sent. Write them with braces, as in {{ name }}. To send them as they are written: --literal',
    },
  );
}

/** Reads the stored templates of rows, each once. A dry run and a preview read none. */
function templateReader(context: Context, { literal, preview }: BulkFlags): Common['template'] {
  const read = new Map<string, Promise<TemplateInUse | undefined>>();
  if (literal === true || preview !== undefined || context.flags.dryRun === true) {
    return async () => undefined;
  }
  const quieter = { ...context, notes: sayingOnce(context.notes) };
  return async (id) => {
    const template = read.get(id) ?? readTemplateInUse(quieter, id, false);
    read.set(id, template);
    return await template;
  };
}

/** The flag of each field that flags, or the front matter of a file, give. Settings are only defaults. */
function explicitFlags(
  flags: BulkFlags,
  source: Awaited<ReturnType<typeof readSource>>,
): ReadonlyMap<string, string> {
  const { front = {}, name = '' } = source ?? {};
  const given = {
    from: flags.from ? sendFlagOf.from : front.from && `from in ${name}`,
    subject: flags.subject ? sendFlagOf.subject : front.subject && `subject in ${name}`,
    text: flags.textFile ? '--text-file' : flags.text && sendFlagOf.text,
    html: source?.flag,
    templateId: flags.template && sendFlagOf.templateId,
    replyTo: flags.replyTo && sendFlagOf.replyTo,
    cc: flags.cc && sendFlagOf.cc,
    bcc: flags.bcc && sendFlagOf.bcc,
    scheduledAt: flags.scheduledAt && sendFlagOf.scheduledAt,
    inReplyToId: flags.inReplyTo && sendFlagOf.inReplyToId,
  };
  return new Map(
    Object.entries(given).flatMap(([field, flag]) => (flag ? [[field, flag] as const] : [])),
  );
}

function templateOf(flag: string, source: string | undefined): TemplateSource | undefined {
  return source === undefined ? undefined : { flag, source };
}

/** Notes about rows: how their times or templates are read is shown for the first only, each warning once. */
function sayingOnce(notes: Notes): Notes {
  const warned = new Set<string>();
  let said = false;
  return {
    ...notes,
    say(...lines) {
      if (!said) notes.say(...lines);
      said = true;
    },
    warn(...lines) {
      const text = lines.join('\n');
      if (!warned.has(text)) notes.warn(...lines);
      warned.add(text);
    },
  };
}
