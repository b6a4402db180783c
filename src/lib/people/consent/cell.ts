import * as words from './words.ts';

/**
 * What a cell says about wanting email:
 * - `yes`, `no`: in words that mean consent whatever the column, such as `subscribed`, `cleaned`
 * - `true`, `false`: a yes or no to whatever the column's name asks
 * - `granted`, `denied`: a permission; under "Do not email", it may be that to email or that not to
 * - `never`: no email at any time, where a column says how often
 * - `active`, `inactive`: of a subscription or of anything else
 * - `unconfirmed`: of a subscription that was asked for
 * - `pending`: asked, and not answered; also of orders
 * - `ended`: a subscription, an order, or anything else
 * - `transactional`: only email that is not marketing; also the type of an email
 * - `date`: when it happened
 * - `empty`: nothing
 * - `none`: nothing, or no email
 * - `other`: something else
 */
export type ConsentValue =
  | 'yes'
  | 'no'
  | 'true'
  | 'false'
  | 'granted'
  | 'denied'
  | 'never'
  | 'active'
  | 'inactive'
  | 'unconfirmed'
  | 'pending'
  | 'ended'
  | 'transactional'
  | 'date'
  | 'empty'
  | 'none'
  | 'other';

const denials = listed(words.denials);
const elsewhere = listed(words.otherStatuses);
const ofBoth = listed(words.statusesOfBoth);
const furtherAnswers = listed(words.furtherAnswers);
const politeEnd = new RegExp(
  `(?<=[^ ]) (${words.polite
    .split(',')
    .map((word) => word.trim())
    .join('|')})$`,
);

const phrases = (lists: Iterable<string>) =>
  [...lists]
    .filter((phrase) => /^\w/.test(phrase))
    .join('|')
    .replaceAll('.', '[.]')
    .replaceAll(' ', '[-_ ]+')
    .replaceAll("'", "['’]?");

/** Words in a text, codes of mail servers such as `550 5.1.1`, and a cross. */
const refusals = new RegExp(
  `\\b(?:${phrases([...denials, ...listed(words.refusalsInText)])})\\b|\\b[45]\\d\\d[- ]#?[45]\\.\\d{1,3}\\.\\d|†`,
  'i',
);
const refusalsAlone = new RegExp(
  `^\\s*(?:${phrases([...listed(words.values.no), ...listed(words.refusalsAlone)])})[\\s.!]*$`,
  'i',
);

const meanings = new Map<string, ConsentValue>(
  Object.entries(words.values).flatMap(([meaning, list]) =>
    // The keys of `values` are these values.
    [...listed(list)].map((word) => [word, meaning as ConsentValue] as const),
  ),
);

const good = listed(words.arrivals.good);
const bad = listed(words.arrivals.bad);
const badOfEmail = listed(words.arrivals.badOfEmail);

/** Whether a value says that email arrives, or that it does not. */
export function isArrival(text: string): boolean {
  const bare = plain(text);
  return good.has(bare) || bad.has(bare) || badOfEmail.has(bare);
}

/** Whether a value says that email does not arrive, if that is what its column is about. */
export function isUndelivered(text: string, isAbout: boolean): boolean {
  const bare = plain(text);
  return bad.has(bare) || (isAbout && badOfEmail.has(bare));
}

function listed(list: string): ReadonlySet<string> {
  return new Set(list.split(',').map(plain));
}

/** A text that begins with an answer, but not `No. 5` or `no-fee`; or that denies something. */
const answer =
  /^(yes|yep|yeah|sure|ok|okay|no|nope|nah|not|non|never|(i )?do not|does not|ja|nein|nicht|kein\w*|si|oui|pas|sim|nao|nee|niet|geen|nej|nei|tak|nie)\b(?! \d)/;
const denying =
  /\b(no|not|cannot|never|nein|nicht|kein\w*|non|pas|nunca|jamais|nao|niet|geen|nooit|inte|ikke|without|ohne|stop|out|refus\w*|declin\w*|reject\w*|oppos\w*|removed?|abgelehnt|abbestell\w*|abgemeldet)\b/;

/** The longest value that is looked at, in characters. Longer ones are texts. */
const longest = 40;
const longestAnswer = 80;
/** The longest list, such as of tags. */
const longestList = 400;

/** What a value of a file says about wanting email. */
export function consentValue(value: unknown): ConsentValue {
  if (value === undefined || value === null || value === '') return 'empty';
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  if (typeof value === 'object' && Object.keys(value).length === 0) return 'empty';
  if (typeof value !== 'string' && typeof value !== 'number') return 'other';
  const text = String(value).trim();
  if (text === '') return 'empty';
  if (text.length > longest) return 'other';
  return meaningOf(text) ?? (isDate(text) ? 'date' : 'other');
}

function meaningOf(text: string): ConsentValue | undefined {
  return meanings.get(plain(text)) ?? meanings.get(plainAnswer(text));
}

/** Whether a value is of an order, a booking, a customer or the like, so that its column is no status of a subscription. */
export function isElsewhere(value: unknown): boolean {
  return typeof value === 'string' && elsewhere.has(plain(value));
}

/** Whether a status is of bookings and of subscriptions, such as `confirmed`. */
export function isOfBoth(value: unknown): boolean {
  return typeof value === 'string' && ofBoth.has(plain(value));
}

/** Whether a value says no, in any words that are understood. */
export function isRefusal(value: string): boolean {
  const meaning = consentValue(value);
  const isNo = ['no', 'false', 'denied', 'never', 'inactive', 'ended'].includes(meaning);
  return isNo || isDenial(value) || denying.test(plainAnswer(value));
}

/** Whether a value answers a question with yes or no, in any language. */
export function isAnswer(value: string): boolean {
  const known = consentValue(value);
  const isKnown = known !== 'other' && known !== 'date' && known !== 'empty' && known !== 'none';
  return (
    isKnown || furtherAnswers.has(value.trim().toLowerCase()) || furtherAnswers.has(plain(value))
  );
}

/**
 * Whether a value that `consentValue` does not know reads as an answer: it begins with one, or, where the name of its
 * column leaves no other sense, denies something in a few words.
 */
export function isLikeAnswer(value: unknown, mayDeny: boolean): boolean {
  if (typeof value !== 'string' || value.length > longestList) return false;
  if (/^\s*(no|non)-/i.test(value)) return false;
  const text = plainAnswer(value);
  return answer.test(text) || (mayDeny && text.length <= longestAnswer && denying.test(text));
}

/** Whether a cell of a column about anything says, alone or in a list, that a person does not want email. */
export function isDenial(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(isDenial);
  if (typeof value !== 'string' || value.length > longestList) return false;
  const bare = value.replace(/["'[\]]/g, ' ');
  const parts = bare.split(/[,;:|\n]/);
  // Beside a name: `Meier (deceased)`, `Meier †`, `Anna - unsubscribed`.
  const beside = /[()†]| [-–—] /.test(bare) ? bare.split(/[()]| [-–—] |(?<=†)|(?=†)/) : [];
  return [...parts, ...beside].some(
    (one) => denials.has(plain(one)) || denials.has(plainAnswer(one)),
  );
}

/** What is wrong with a recipient, as a file writes them: `DO NOT MAIL <ana@example.com>`; undefined if nothing is. */
export function recipientProblem(mailbox: string): string | undefined {
  const name = mailbox.slice(0, Math.max(0, mailbox.lastIndexOf('<')));
  if (isDenial(name)) return `${JSON.stringify(mailbox)} may not want email`;
  // RFC 6761, section 6.4; copies of Salesforce append it.
  return /\.invalid>?$/i.test(mailbox)
    ? `${JSON.stringify(mailbox)} can never arrive: there is no domain that ends in .invalid`
    : undefined;
}

/** Whether a text says, among other words, that a person is gone or does not want email. */
export function mentionsRefusal(text: string): boolean {
  const isSaid = refusals.test(withoutAccents(text));
  // An address such as unsubscribe@example.com, or a link, is no note.
  return isSaid && (/\s/.test(text) || !/@|:\/\//.test(text));
}

function withoutAccents(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII, which has no accents.
  return /[^\x00-\x7f]/.test(text) ? plain(text) : text;
}

/** Whether a text says no as a whole, and anything among other words: `STOP!`. */
export function isRefusalAlone(text: string): boolean {
  return refusalsAlone.test(withoutAccents(text));
}

/** Whether a text is a list or an object of JSON, or looks like one. */
export function isJsonLike(text: string): boolean {
  return /^\s*[[{]/.test(text);
}

/** The parts of a list, and of JSON, there behind the names of their fields: `vip`, `state:unsubscribed`. */
export function listedParts(text: string): string[] {
  const parts = text.replace(/["'[\]{}]/g, ' ').split(/[,;|\n]/);
  return parts.flatMap((part) => part.replace(/\s*:\s*/g, ':').trim() || []);
}

/** A text without case, accents, and the marks that stand for blanks. */
export function plain(text: string): string {
  const bare = text.trim().normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return bare.length > 2 ? bare.replace(/(?<=\p{L})[-_\s]+(?=\p{L})/gu, ' ') : bare;
}

/** A text without brackets, marks of sentences and polite words, and with `not` written out: `No, thanks!` is `no`. */
function plainAnswer(text: string): string {
  let bare = plain(text)
    .replace(/\b(do|does|did|is)n['’]?t\b/g, '$1 not')
    .replace(/[\p{P}\p{S}\s]+/gu, ' ')
    .trim();
  while (politeEnd.test(bare)) bare = bare.replace(politeEnd, '');
  return bare;
}

/** A date as exports write it: 2026-03-01, 01.03.2026 10:15, 3/1/26, Mar 1, 2026, or seconds since 1970. */
export function isDate(text: string): boolean {
  return (
    /^\d{4}[-/.]\d{1,2}[-/.]\d{1,2}\b/.test(text) ||
    /^\d{1,2}[-/.]\d{1,2}[-/.](\d{4}|\d{2})\b/.test(text) ||
    /^(\d{1,2}\.? )?\p{L}{3,9}\.? (\d{1,2}, ?)?\d{4}\b/u.test(text) ||
    /^1\d{9}(\d{3})?$/.test(text)
  );
}
