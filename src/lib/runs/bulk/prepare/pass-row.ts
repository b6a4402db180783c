import type { SendBody } from '../../../../api/email.ts';
import type { MessageContent } from '../../../../shared/check/message.ts';
import { messageOfFields } from '../../../../shared/check/message-of-fields.ts';
import { fieldIn } from '../../../../shared/placeholders.ts';
import { UsageError } from '../../../base/errors.ts';
import { nearest } from '../../../base/text/nearest.ts';
import type { TemplateInUse } from '../../../mail/email/write/template-in-use.ts';
import {
  type Around,
  type AtDoor,
  findingsAt,
  groupByTitle,
  groupTitle,
  type Passing,
  placeLines,
} from '../../../mail/message/gate.ts';
import type { ReadableRow } from '../../../people/rows/row.ts';

/** What the gate knows of all rows. */
export interface RowsAtGate {
  /** Whether readers see something of the HTML of the command line in every row. */
  readonly isHtmlSeen: boolean;
  /** Whether a component makes the HTML, which may use any cell, so that none was read before. */
  readonly isComponent: boolean;
  /** Whether the values of a row decide where its images and links lead. */
  readonly hasUrlsOfRows: boolean;
  /** Where rows are sent from, and where what is likely in them is said once. */
  readonly around: Around;
}

/** An email of a row, and what it was made from. */
interface RowEmail {
  readonly row: ReadableRow;
  readonly email: SendBody;
  readonly template: TemplateInUse | undefined;
  /** Whether a template gave the recipients. */
  readonly isToFilled: boolean;
}

type Codes = Pick<Passing, 'only' | 'except'>;

/** What the values of a row can change in any text. */
const ofTexts = [
  ...[
    'characters-lost',
    'computed-number',
    'computed-text',
    'link-value',
    'no-content',
    'subject-missing',
  ],
];

const ofUrls = ['image-source', 'link-empty', 'link-private', 'link-syntax'];

/**
 * Has the email of a row pass the gate: only what the row fills in, as its templates have passed before. Throws a
 * `UsageError` of one line; what may be meant is said once.
 */
export async function passRow(
  { row, email, template, isToFilled }: RowEmail,
  common: RowsAtGate,
): Promise<void> {
  const { fields, fieldColumns } = row;
  const door = email.scheduledAt === undefined ? 'now' : 'later';
  const placeOf = (part: string) => fieldColumns?.get(part) ?? part;
  const look = (message: MessageContent, codes: Codes, place = placeOf) =>
    findingsAt(common.around, { message, placeOf: place }, { door, ...codes });
  const whole = { ...messageOfFields(email, 'email'), values: row.scope() };
  const isSeen = common.isHtmlSeen && fields.html === undefined;
  const { subject, html, text } = messageOfFields(fields, 'email');
  const own: MessageContent = {
    ...{ kind: 'email', isPart: true, hasTemplate: true, subject, html, text },
    addresses: { ...whole.addresses, ...(isToFilled ? { to: undefined } : {}) },
    headers: whole.headers,
    // Others are not seen.
    variables: Object.fromEntries(
      Object.entries(email.variables ?? {}).filter(([name]) => template?.names.has(name)),
    ),
  };
  const isOwn = html !== undefined;
  const ofTemplate = async ({ written }: TemplateInUse) => {
    const { message, ...others } = written(email.variables ?? {});
    const filled = { message: { ...message, values: whole.values }, ...others };
    // The service has no filter that would settle it.
    return await findingsAt(common.around, filled, { door, except: ['link-value'] });
  };
  const found = [
    ...(await look(whole, { only: ofTexts, except: isSeen ? ['no-content'] : [] })),
    // Texts of the command line passed before.
    ...(await look(own, { except: ofTexts })),
    ...(common.isComponent && !isOwn ? await look(whole, { only: ['wrong-charset'] }) : []),
    ...(common.hasUrlsOfRows && !isOwn
      ? await look(
          { kind: 'email', html: whole.html },
          { only: ofUrls },
          () => 'the HTML of the row',
        )
      : []),
    ...(template === undefined ? [] : await ofTemplate(template)),
  ];
  const errors = found.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new UsageError(await inOneLine(errors, row, template));
  for (const group of groupByTitle(found)) {
    // The places differ from row to row: one is enough.
    const lines = await placeLines(group.slice(0, 1));
    const inRow = lines.map((line) => line.replace(/^ {2}/, `  row ${row.number}, `));
    common.around.notes.warn(groupTitle(group), ...inRow);
  }
}

async function inOneLine(
  errors: readonly AtDoor[],
  { columns }: ReadableRow,
  template: TemplateInUse | undefined,
): Promise<string> {
  const groups = groupByTitle(errors).map(async (group) => {
    const title = groupTitle(group).replace(/^./, (letter) => letter.toLowerCase());
    return `${title} ${(await placeLines(group)).map((line) => line.trim()).join(', ')}`;
  });
  const flags = meantColumns(errors, columns, template);
  const meant = flags === '' ? '' : `; did you mean ${flags}?`;
  return `${(await Promise.all(groups)).join('; ')}${meant}; to send it as it is: --literal`;
}

/** The flags that have columns fill in placeholders of a stored template with nearly their names. */
function meantColumns(
  errors: readonly AtDoor[],
  columns: readonly string[],
  template: TemplateInUse | undefined,
): string {
  if (template === undefined) return '';
  const unused = columns.filter((name) => !template.names.has(name));
  const flags = errors.flatMap(({ check, found }) => {
    const name = check.code === 'placeholder' ? fieldIn(found.item)?.name : undefined;
    const column = name === undefined || columns.includes(name) ? undefined : nearest(name, unused);
    return column === undefined ? [] : [`--map ${name}=${column}`];
  });
  return [...new Set(flags)].join(' ');
}
