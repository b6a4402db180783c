import type { MessageContent } from '../../../../shared/check/message.ts';
import { alwaysShows } from '../../../../shared/check/shows-nothing.ts';
import { UsageError, when } from '../../../base/errors.ts';
import { defined } from '../../../base/json/defined.ts';
import type { Notes } from '../../../base/terminal/notes.ts';
import { quotedNames } from '../../../base/text/quoted-names.ts';
import type { Context } from '../../../command-line/command/context.ts';
import { senderSettings } from '../../../command-line/command/flags/address-flags.ts';
import { scheduledTime } from '../../../command-line/command/flags/scheduled-time.ts';
import { idGiven, last } from '../../../command-line/command/names/last-made.ts';
import { templateNamed } from '../../../command-line/command/names/templates.ts';
import { createPlaces } from '../../../mail/content/check-places.ts';
import { createBodyMaker, shapeOfMaking, templatesIn } from '../../../mail/content/made-body.ts';
import { type BodySource, hasUrlsOfValues, readSource } from '../../../mail/content/source.ts';
import {
  compileTemplates,
  readDatesOf,
  type TemplateSource,
  variablesIn,
} from '../../../mail/content/template.ts';
import { propsIn } from '../../../mail/content/text-props.ts';
import { writtenBodyOf } from '../../../mail/content/written-body.ts';
import { refuseFieldHeaders } from '../../../mail/email/write/field-headers.ts';
import { fieldsOfFlags } from '../../../mail/email/write/flag-fields.ts';
import { sendFlagOf } from '../../../mail/email/write/send-flags.ts';
import {
  readTemplateInUse,
  type TemplateInUse,
} from '../../../mail/email/write/template-in-use.ts';
import { pass } from '../../../mail/message/gate.ts';
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
  const front = source?.front ?? {};
  const { to: recipients, ...withoutTo } = flags;
  const to = recipients ?? (front.to ? [front.to] : undefined);
  const given = await fieldsOfFlags(context, withoutTo, source);
  const { subject: ownSubject, text, html, variables, scheduledAt, ...others } = given;
  const subject = ownSubject ?? front.subject;
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
    encoding: context.flags.encoding,
    unique: flags.unique === true,
    skipInvalid: flags.skipInvalid === true || flags.maxInvalid !== undefined,
    key: flags.idempotencyKey,
    map: flags.map,
    ignoreColumn: flags.ignoreColumn,
    onlyColumns: flags.onlyColumns,
    skipOptedOut: flags.skipOptedOut,
    literal: flags.literal,
    made: isMade ? { ...shapeOfMaking(source), makesText } : undefined,
  };
  /** Has the texts of flags and files pass the gate; what rows fill in, passes with each of them. */
  const passTemplates = async () => {
    const { subject: line, text: plain } = templates;
    const message: MessageContent = {
      ...{ kind: 'email', isPart: true, hasTemplate: true },
      ...{ subject: line?.source, text: plain?.source },
      ...(source && { html: await htmlOfTemplate(context, source), ...writtenBodyOf(source) }),
      // Rows fill in all but those that an editor has encoded in a link.
      fills: (written) => !written.startsWith('%7'),
    };
    const flagOf: Readonly<Record<string, string | undefined>> = {
      ...{ subject: line?.flag, text: plain?.flag, html: source?.files.body ?? source?.flag },
    };
    const htmlOf = (one: BodySource) => htmlOfTemplate(context, one);
    const places = createPlaces({ source, htmlOf, hasOwnText: true })(message);
    const written = { message, placeOf: (part: string) => flagOf[part] ?? part, places };
    await pass(context, written, {
      ...{ door: flags.scheduledAt ? 'later' : 'now', nothing: 'Nothing was sent.' },
      ...{ except: ['no-content', 'subject-missing'], isSaid: flags.check === true },
    });
  };
  const readDates = await readDatesOf(context, written);
  const ofHtml = isMade ? undefined : templateOf(source?.flag ?? '--html', html);
  const render = compileTemplates({ ...templates, html: ofHtml }, readDates);
  return {
    shape,
    explicit: explicitFlags(flags, source),
    /** Whether the command line gives the recipients of each row. */
    givesRecipients: to !== undefined,
    /** The body as written, and whether it is made for each row, rather than rendered only. */
    source,
    makesBody: isMade,
    readDates,
    ...{ variables, policy },
    /** The names that templates here take from rows; undefined for a component, which may take any. */
    usedNames: () => (source?.format === 'react' ? undefined : variablesIn(written)),
    /** Compares the names in the templates of flags and files with a file's rows. */
    names: () =>
      createTemplateNames(
        ...([written, Object.keys(variables ?? {}), flags.literal === true] as const),
        source?.format === 'react' ? propsIn(source.body) : undefined,
      ),
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
        await passTemplates().catch(
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
      return {
        fields: { ...fields, ...(at === undefined ? {} : { scheduledAt: at }) },
        variables,
        render,
        literal: flags.literal === true,
        isHtmlSeen: !isMade && html !== undefined && alwaysShows(html),
        isComponent: source?.format === 'react',
        hasUrlsOfRows: source !== undefined && hasUrlsOfValues(source),
        around: { ...context, notes: warningOnce(context.notes) },
        refused,
        template: templateReader(context, flags),
        body: isMade ? await createBodyMaker({ source, makesText, variables }, context) : undefined,
        scheduledTime: readOncePerGroup((words) =>
          scheduledTime(words, ofRows, 'scheduledAt', allowPast),
        ),
      };
    },
  };
}

/** The HTML of a body whose values are not filled in yet. That of MJML cannot be made without them, of a component neither. */
async function htmlOfTemplate(context: Context, source: BodySource): Promise<string | undefined> {
  if (source.format === 'react') return undefined;
  if (source.format !== 'markdown') return source.body;
  const { makeContent } = await import('../../../mail/content/content.ts');
  const { previewText } = source.front;
  const about = { kind: 'email', subject: '', previewText, makesText: false } as const;
  return (await makeContent(context, source, about)).bodies.html;
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
  let said = false;
  return {
    ...warningOnce(notes, (lines) => lines.join('\n')),
    say(...lines) {
      if (!said) notes.say(...lines);
      said = true;
    },
  };
}

/** Notes that warn once of what has the same key: the first line, if what follows it differs from row to row. */
function warningOnce(notes: Notes, keyOf = ([first = '']: readonly string[]) => first): Notes {
  const warned = new Set<string>();
  return {
    ...notes,
    warn(...lines) {
      if (!warned.has(keyOf(lines))) notes.warn(...lines);
      warned.add(keyOf(lines));
    },
  };
}
