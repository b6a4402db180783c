import data from './support-data.json' with { type: 'json' };

/** How widely mail programs support one feature of HTML or CSS. */
export interface MailFeature {
  /** As in its page: `css-display-flex`. */
  readonly slug: string;
  readonly title: string;
  readonly url: string;
  /** The shares of people, in percent, whose program does not support it, or not wholly. */
  readonly unsupported: number;
  readonly partly: number;
  /** The programs that do not support it, with their shares, largest first. */
  readonly lacking: readonly (readonly [name: string, share: number])[];
}

let byKey: ReadonlyMap<string, MailFeature> | undefined;

/** What shows that a feature is used, such as `property gap`, and the feature. */
export function supportByKey(): ReadonlyMap<string, MailFeature> {
  byKey ??= new Map(
    data.features.flatMap((row) => {
      // TypeScript reads the rows of the file as lists of any of these.
      const [slug, title, keys, support] = row as [string, string, string[], string];
      const feature = featureOf(slug, title, support);
      return keys.map((key) => [key, feature] as const);
    }),
  );
  return byKey;
}

/** When the data is from: an ISO date. */
export const supportUpdated = data.updated;

/** The codes of all features, as findings have them. */
export function supportCodes(): readonly string[] {
  return data.features.map(([slug]) => `support/${String(slug)}`);
}

function featureOf(slug: string, title: string, support: string): MailFeature {
  let [unsupported, partly] = [0, 0];
  const lacking = new Map<string, number>();
  data.clients.forEach((row, index) => {
    // As above.
    const [, name, share] = row as [string, string, number];
    if (support[index] === 'a') partly += share;
    if (support[index] !== 'n') return;
    unsupported += share;
    lacking.set(name, (lacking.get(name) ?? 0) + share);
  });
  return {
    slug,
    title,
    url: `https://www.caniemail.com/features/${slug}/`,
    unsupported,
    partly,
    lacking: [...lacking].sort(([, a], [, b]) => b - a),
  };
}
