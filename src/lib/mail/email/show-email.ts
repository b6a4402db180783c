import type { Email, EmailEvent, EmailListItem } from '../../../api/email.ts';
import { fileSize } from '../../../shared/file-size.ts';
import { isObject } from '../../command-line/output/fields.ts';
import {
  type Cell,
  type Column,
  type RecordResult,
  record,
  section,
  status,
  time,
} from '../../command-line/output/result.ts';
import { eventDetail, inOrder, latestStatus } from './events.ts';
import { namesIn, recipientsOf } from './recipients.ts';

/**
 * An email as a record, with its history as a timeline. Before there are events, `listed` has fields that
 * only the list shows.
 */
export function showEmail(email: Email, listed?: EmailListItem): RecordResult {
  const several = recipientsOf(email).length > 1;
  const isScheduled = listed?.latestStatus === 'SCHEDULED';
  return record({
    reply: email,
    quiet: email.id,
    rows: [
      ['id', 'Id', email.id],
      ['latestStatus', 'Status', status(latestStatus(email.emailEvents) ?? listed?.latestStatus)],
      ['scheduledAt', 'Scheduled', isScheduled ? time(listed?.scheduledAt) : undefined],
      ['from', 'From', email.from],
      ['to', 'To', email.to],
      ['cc', 'Cc', filled(email.cc ?? listed?.cc)],
      ['bcc', 'Bcc', filled(email.bcc ?? listed?.bcc)],
      ['replyTo', 'Reply-To', filled(email.replyTo ?? listed?.replyTo)],
      ['subject', 'Subject', email.subject],
      ['createdAt', 'Created', time(email.createdAt)],
      ['text', 'Text', email.text],
      ['html', 'HTML', htmlInShort(email.html)],
      ['attachments', 'Attachments', attachmentsInShort(email.attachments)],
      ['headers', 'Headers', headersInShort(email.headers)],
    ],
    sections: [
      section<EmailEvent>({
        title: 'History',
        field: 'emailEvents',
        columns: historyColumns(several),
        rows: inOrder(email.emailEvents),
        empty: 'There are no events yet.',
      }),
    ],
  });
}

function filled(addresses: Email['cc']): Email['cc'] | undefined {
  return addresses?.length === 0 ? undefined : addresses;
}

/** Attachments, if the service shows them: `plan.pdf (12 KB, application/pdf)`. */
function attachmentsInShort(attachments: unknown): readonly string[] | undefined {
  if (!Array.isArray(attachments)) return undefined;
  const shown = attachments.flatMap((one) => {
    if (!isObject(one) || typeof one.filename !== 'string') return [];
    const { filename, size, contentType, type = contentType } = one;
    const more = [
      typeof size === 'number' ? fileSize(size) : '',
      typeof type === 'string' ? type : '',
    ].filter((part) => part !== '');
    return [more.length === 0 ? filename : `${filename} (${more.join(', ')})`];
  });
  return shown.length === 0 ? undefined : shown;
}

/** Headers as lines, if the service shows them. */
function headersInShort(headers: unknown): readonly string[] | undefined {
  if (!isObject(headers)) return undefined;
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}`);
  return lines.length === 0 ? undefined : lines;
}

/** With several recipients, an event has a line for each. */
function historyColumns(several: boolean): readonly Column<EmailEvent>[] {
  const detail = (event: EmailEvent) =>
    [eventDetail(event), ...(several ? [] : namesIn(event))]
      .filter((part) => part !== '')
      .join('; ');
  const recipient: Column<EmailEvent> = {
    field: 'recipient',
    header: 'Recipient',
    cell: namesIn,
    computed: true,
    flexible: true,
    folds: true,
  };
  return [
    {
      field: 'createdAt',
      header: 'When',
      cell: ({ createdAt }) => time(createdAt, { seconds: true }),
    },
    { field: 'status', header: 'Status', cell: (event) => status(event.status) },
    ...(several ? [recipient] : []),
    {
      field: 'detail',
      header: 'Detail',
      cell: detail,
      computed: true,
      flexible: true,
      folds: true,
    },
  ];
}

/** Longer HTML, in characters, does not help on a terminal. */
const mostHtml = 500;

/**
 * HTML as a cell for a terminal; only its size if it is long. The command has the flag `--open`.
 */
function htmlInShort(html: string | null | undefined): Cell {
  if (typeof html !== 'string' || html.length <= mostHtml) return html;
  return `${fileSize(Buffer.byteLength(html))}: --open shows it`;
}
