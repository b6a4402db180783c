import type { SendBody } from '../../../../api/email.ts';
import { findingsIn } from '../../../../shared/check/check-email.ts';
import type { FoundAt } from '../../../../shared/check/collect.ts';
import type { EmailFinding } from '../../../../shared/check/finding.ts';
import { messageOfFields } from '../../../../shared/check/message-of-fields.ts';
import { UsageError, when } from '../../../base/errors.ts';
import type { Context } from '../../../command-line/command/context.ts';
import type { CheckedFile } from '../../../mail/check/show-check.ts';
import { createPlaces } from '../../../mail/content/check-places.ts';
import { type BodyMaker, createBodyMaker } from '../../../mail/content/made-body.ts';
import type { BodySource } from '../../../mail/content/source.ts';
import { compile, inHtml } from '../../../mail/content/template.ts';
import type { CheckFlags } from '../../../mail/email/write/check-flags.ts';
import {
  idOfFinding,
  ownFindings,
  partsOf,
  typeOfFile,
  withFile,
} from '../../../mail/email/write/check-input.ts';
import type { ColumnFlags } from '../../../people/rows/column-choices.ts';
import { readEmailRows } from '../../../people/rows/email-rows.ts';
import { openInput } from '../../../people/rows/open-input.ts';
import type { InputRow, ReadableRow } from '../../../people/rows/row.ts';
import type { BulkFlags } from '../flags.ts';
import { type CommonRequest, readCommon } from '../prepare/common.ts';
import { type Common, emailOfRow, withValues } from '../prepare/email-of-row.ts';
import { createRowColumns } from '../prepare/row-columns.ts';

/** Numbers of rows that a finding names. */
const mostRows = 3;

/** Findings of one code that are told apart, where a value of the row makes each of them another one. */
const mostAlike = 10;

/** Stands for what only a send needs, so that no row lacks it. */
const standIn = { from: 'check@example.com', subject: 'zqcheck' } as const;

/**
 * Checks the email of each row, as `email batch` would make it. Equal findings are one, with the number of emails
 * and the first rows. Throws a `UsageError` for what is no template.
 */
export async function checkEmailsOfRows(
  context: Context,
  given: CheckFlags & ColumnFlags,
  path: string | undefined,
  rowsPath: string,
): Promise<{ readonly checked: CheckedFile; readonly rows: number }> {
  const type = path === undefined ? undefined : typeOfFile(path, given.type);
  const wrong = [
    given.eml && '--eml',
    given.file && '--file',
    given.campaign && '--campaign',
    given.links && '--links',
    (type === 'eml' || type === 'json') && path,
  ].find(Boolean);
  if (wrong) throw new UsageError(`--rows and ${wrong} cannot be used together`);
  const own = path === undefined ? given : withFile(given, path, type);
  // As a preview: no stored template is read, and what would stop a send is a finding.
  const flags = { ...own, preview: 1, literal: true } as BulkFlags;
  const request = await readCommon(context, flags);
  const common = withStandIns(await request.common(true));
  const groups = createGroups();
  const ofLayout = await ownFindings(context, request.source, 'email');
  const places = createRowPlaces(context, request);
  let rows = 0;
  const take = async (row: InputRow) => {
    rows = row.number;
    if (rows % 100 === 0) context.system.signal.throwIfAborted();
    const email = await emailOfRow(row, common).catch(when(UsageError, (error) => error));
    if (email instanceof UsageError) return await groups.add(row.number, invalid(email, rowsPath));
    const values = 'problem' in row ? undefined : row.scope();
    const checked = { ...checkedEmail(email, given.literal === true), values };
    for (const found of findingsIn(checked)) {
      if (ofLayout.has(idOfFinding(found))) continue;
      await groups.add(row.number, found, () => places(checked, row, email.subject, found));
    }
  };
  const input = await openInput(rowsPath, context);
  const { choices } = createRowColumns(given, request.explicit);
  const named = request.givesRecipients ? undefined : context;
  try {
    await context.progress.during('Checking the rows', async () => {
      for await (const row of readEmailRows(input, choices, named)) await take(row);
    });
  } finally {
    common.body?.end();
    places.end();
  }
  if (rows === 0) throw new UsageError(`${input.name} contains no rows`);
  choices.refuseUnseen(input.name);
  return {
    rows,
    checked: {
      ...{ file: path ?? null, kind: 'email', findings: groups.all() },
      partsOfFile: new Set(partsOf(type, request.source?.front ?? {})),
      hasOtherFiles: true,
    },
  };
}

function withStandIns(common: Common): Common {
  return { ...common, fields: { ...standIn, ...common.fields } };
}

function checkedEmail(email: SendBody, literal: boolean) {
  const checked = { ...messageOfFields({ ...email }, 'email'), literal };
  // Whether the rest of the email is complete is unknown, as of a file without a subject.
  return email.subject === standIn.subject
    ? { ...checked, subject: undefined, isPart: true }
    : checked;
}

function invalid(error: UsageError, file: string): FoundAt & Pick<EmailFinding, 'file'> {
  const message = error.message.replaceAll('\n', '; ');
  return {
    ...{ code: 'file-invalid', severity: 'error', where: 'file', file, count: 1, at: undefined },
    ...{ message, item: message, isLikely: false, url: 'docs/check.md#file-invalid' },
    key: `file-invalid ${message}`,
  };
}

/** Finds the place of a finding in the source, for one row. */
function createRowPlaces(
  context: Context,
  { source, variables, makesBody, readDates }: CommonRequest,
) {
  let maker: Promise<BodyMaker> | undefined;
  const htmlFor = async (given: ReadableRow, subject: string, written: BodySource) => {
    const row = withValues(given, variables);
    if (!makesBody) {
      const body = { flag: written.flag, source: written.body };
      return compile(inHtml, body, { readDates })(row.scope(), row.columns);
    }
    // Each time, the source is the same.
    maker ??= createBodyMaker({ source: written, makesText: false, variables }, context);
    return (await (await maker).make(row, subject)).html;
  };
  const place = async (
    email: ReturnType<typeof checkedEmail>,
    row: InputRow,
    subject: string | undefined,
    found: FoundAt,
  ): Promise<EmailFinding> => {
    const places = createPlaces({
      // Of a row's own HTML, positions are those in it.
      source: 'problem' in row || row.fields.html !== undefined ? undefined : source,
      htmlOf: async (one) => ('problem' in row ? '' : await htmlFor(row, subject ?? '', one)),
      ...{ isMade: true, hasOwnText: false },
    });
    return await places(email)(found);
  };
  return Object.assign(place, { end: () => void maker?.then((one) => one.end()) });
}

/** Collects the findings about rows. */
function createGroups() {
  const groups = new Map<string, EmailFinding & { emails: number; rows: number[] }>();
  const alike = new Map<string, number>();
  /** Findings whose messages differ are told apart, up to a limit. */
  const keyOf = ({ key, code, where }: FoundAt): string => {
    if (groups.has(key)) return key;
    return (alike.get(`${code} ${where}`) ?? 0) < mostAlike ? key : `${code} ${where}`;
  };
  return {
    /** Adds a finding about a row; `placed` tells where the first of its kind is. */
    async add(row: number, found: FoundAt, placed?: () => Promise<EmailFinding>): Promise<void> {
      const id = keyOf(found);
      const group = groups.get(id);
      if (group === undefined) {
        const { at, key, ...rest } = found;
        const kind = `${found.code} ${found.where}`;
        alike.set(kind, (alike.get(kind) ?? 0) + 1);
        const { message, url, ...before } = (await placed?.()) ?? rest;
        groups.set(id, { ...before, emails: 1, rows: [row], message, url });
        return;
      }
      const isOther = group.rows.at(-1) !== row;
      // An email may have several that are told apart no longer.
      if (isOther || group.rows.length === mostRows) group.emails++;
      if (isOther && group.rows.length < mostRows) group.rows.push(row);
    },
    all: () => [...groups.values()],
  };
}
