import data from './support-data.json' with { type: 'json' };

/** How widely mail programs support one feature of HTML or CSS. */
export interface MailFeature {
  /** As in the URL of its page: `css-display-flex`. */
  readonly slug: string;
  readonly title: string;
  readonly url: string;
  /** The percentages of people whose program does not support it at all, or only partly. */
  readonly unsupported: number;
  readonly partly: number;
  /** The programs that do not support it, with their percentages, largest first. */
  readonly lacking: readonly (readonly [name: string, share: number])[];
}

let byKey: ReadonlyMap<string, MailFeature> | undefined;

/** Features by what shows their use, such as `property gap`. */
export function supportByKey(): ReadonlyMap<string, MailFeature> {
  byKey ??= new Map(
    data.features.flatMap((row) => {
      // TypeScript infers the rows of the file as arrays of any of these types.
      const [slug, title, keys, support] = row as [string, string, string[], string];
      const feature = featureOf(slug, title, support);
      return keys.map((key) => [key, feature] as const);
    }),
  );
  return byKey;
}

/** The date of the data, in ISO 8601. */
export const supportUpdated = data.updated;

/** The codes of all features, as in findings. */
export function supportCodes(): readonly string[] {
  return data.features.map(([slug]) => `support/${String(slug)}`);
}

function featureOf(slug: string, title: string, support: string): MailFeature {
  let [unsupported, partly] = [0, 0];
  const lacking = new Map<string, number>();
  data.clients.forEach((row, index) => {
    // See `supportByKey` for the reason of the cast.
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
