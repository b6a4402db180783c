import { html } from 'hono/html';
import { checkEmail } from '../../../shared/check/check-email.ts';
import type { EmailFinding } from '../../../shared/check/finding.ts';
import type { Severity } from '../../../shared/check/severity.ts';
import { type Message, messageBody } from '../../model/email/message.ts';
import type { Store } from '../../store/store.ts';
import { badge, type Tone } from '../page/badge.ts';
import type { Html } from '../page/html.ts';
import { table } from '../page/table.ts';

const tones: Readonly<Record<Severity, Tone>> = { error: 'bad', warning: 'warn', info: 'neutral' };

/** The findings of `mailer email check` about a message. Nothing in it is loaded or executed. */
export function findingsOf(store: Store, message: Message): readonly EmailFinding[] {
  const { id, subject, headers, attachments } = message;
  return checkEmail({
    // A message of a campaign, too, is checked as one person receives it, with its placeholders filled in.
    kind: 'email',
    subject,
    html: messageBody(store, id, 'html'),
    text: messageBody(store, id, 'text'),
    headers,
    attachments: attachments.map(({ filename, size }) => ({ filename, bytes: size })),
    // Only a message received over SMTP can embed images.
    embedsImages: store.value<number>('SELECT 1 FROM sources WHERE email_id = ?', id) !== undefined,
  });
}

/** The findings as a table. */
export function checkView(findings: readonly EmailFinding[]): Html {
  if (findings.length === 0) return html`<p>The check found nothing.</p>`;
  return table({
    caption: 'Findings',
    columns: ['Severity', 'Place', 'Finding', 'Code'],
    rows: findings.map(({ severity, where, line, column, count, message, code, url }) => [
      badge(severity, tones[severity]),
      line === undefined ? where : `${where}, line ${line}, column ${column}`,
      html`<bdi>${message}</bdi>${count === 1 ? '' : ` (${count} places)`}`,
      url.startsWith('https:')
        ? html`<a href="${url}" target="_blank" rel="noopener noreferrer">${code}</a>`
        : code,
    ]),
  });
}
