import type { Campaign } from '../../api/campaign.ts';

/** The fields that a campaign takes over from the one that it replaces, but for its body if it has one of its own. */
export function takenOver(
  replaced: Campaign | undefined,
  hasBody: boolean,
): Readonly<Record<string, unknown>> {
  if (replaced === undefined) return {};
  const { name, from, subject, contactBookId, previewText, replyTo, cc, bcc, batchSize } = replaced;
  const { html, content } = replaced;
  const fields = {
    ...{ name, from, subject, contactBookId, previewText, replyTo, cc, bcc, batchSize },
    ...(hasBody ? {} : { html, content }),
  };
  const given = ([, value]: readonly [string, unknown]) =>
    value != null && value !== '' && !(Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(fields).filter(given));
}
