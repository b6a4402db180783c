import { type AccountName, pagesOf } from '../model/api-account.ts';
import { findMessage, type Message, messageBody } from '../model/email/message.ts';
import { iso } from '../model/iso.ts';
import type { Store } from '../store/store.ts';
import { codesIn, type FoundCode } from './codes.ts';
import { type FoundLink, linksIn } from './links.ts';
import { readableLines } from './readable-lines.ts';

/** A message with what a test looks for in it. */
export interface MessageRead
  extends Pick<Message, 'id' | 'to' | 'cc' | 'bcc' | 'replyTo' | 'subject' | 'status' | 'headers'> {
  readonly from: string;
  /** When the service accepted it, ISO 8601, by the clock of the sandbox. */
  readonly createdAt: string;
  readonly text: string | null;
  readonly html: string | null;
  /** `size` is in bytes; `path` is that of its content on the server. */
  readonly attachments: readonly {
    readonly filename: string;
    readonly size: number;
    readonly path: string;
  }[];
  readonly links: readonly FoundLink[];
  readonly codes: readonly FoundCode[];
  /** The code, if it is clear which one is meant; otherwise null. */
  readonly code: string | null;
}

/** The message with this id; undefined if it was deleted meanwhile. */
export function readMessage(
  store: Store,
  id: string,
  account: AccountName,
): MessageRead | undefined {
  const message = findMessage(store, id);
  if (message === undefined) return undefined;
  const { sender, to, cc, bcc, replyTo, subject, status, headers } = message;
  const text = messageBody(store, id, 'text') ?? null;
  const html = messageBody(store, id, 'html') ?? null;
  const shown = readableLines(html ?? '');
  const lines = [subject, ...(text ?? '').split(/\r?\n/), ...shown.lines];
  const codes = codesIn(lines.map((line) => line.trim()).filter((line) => line !== ''));
  return {
    ...{ id, from: sender, to, cc, bcc, replyTo, subject, status },
    createdAt: iso(message.createdAt),
    ...{ text, html, headers },
    attachments: message.attachments.map(({ filename, size, position }) => ({
      filename,
      size,
      path: `${pagesOf(account)}/messages/${encodeURIComponent(id)}/attachments/${position}`,
    })),
    links: linksIn(shown.links, [shown.unlinked, text ?? '']),
    codes,
    code: clearCode(codes),
  };
}

/** The only code that is named, or else the only one. */
function clearCode(codes: readonly FoundCode[]): string | null {
  const named = codes.filter((one) => one.named);
  const [first, second] = named.length > 0 ? named : codes;
  return second === undefined ? (first?.code ?? null) : null;
}

/** The links whose URL or text contains a text, whatever its case; those to unsubscribe only if there is no other. */
export function linksWith({ links }: MessageRead, text: string): readonly FoundLink[] {
  const part = text.toLowerCase();
  const found = links.filter((link) => `${link.url}\n${link.text}`.toLowerCase().includes(part));
  const others = found.filter(({ unsubscribes }) => !unsubscribes);
  return others.length > 0 || text === '' ? others : found;
}
