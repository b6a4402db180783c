import * as words from './words.ts';

/**
 * What the name of a column says about wanting email:
 * - `positive`, `inverted`: it asks whether a person wants email, or does not want it
 * - `likely positive`: it asks whether a person wants email, if its values are answers
 * - `perhaps positive`, `perhaps inverted`: it may ask that
 * - `status`, `perhaps status`: its values decide; one that is not understood is doubtful, or of something else
 * - `gone`, `perhaps gone`: it says that a person or account is gone, or must be left alone
 */
export type ColumnMeaning =
  | 'positive'
  | 'inverted'
  | 'likely positive'
  | 'perhaps positive'
  | 'perhaps inverted'
  | 'status'
  | 'perhaps status'
  | 'gone'
  | 'perhaps gone';

/** A pattern for any of these words or phrases, which are patterns themselves, separated by commas. */
export function anyOf(list: string): RegExp {
  const all = list.split(',').map((word) => word.trim());
  return new RegExp(`\\b(${all.join('|')})\\b`);
}

const patterns = {
  otherChannel: anyOf(words.otherChannel),
  otherThing: anyOf(words.otherThing),
  otherSubject: anyOf(words.otherSubject),
  email: anyOf(words.emailItself),
  detail: anyOf(words.detail),
  inverted: anyOf(words.inverted),
  perhapsInverted: anyOf(words.perhapsInverted),
  positive: anyOf(words.positive),
  perhapsPositive: anyOf(words.perhapsPositive),
  certainly: anyOf(words.certainly),
  others: anyOf(words.others),
  negation: anyOf(words.negation),
  gone: anyOf(words.gone),
  perhapsGone: anyOf(words.perhapsGone),
  received: anyOf(words.received),
  filler: new RegExp(`^${anyOf(words.filler).source}$`),
  plainData: anyOf(words.plainData),
  reasons: anyOf(words.reasons),
  arrivalNames: anyOf(words.arrivalNames),
} as const;

/** The column with the addresses. */
const addresses = /^e ?mails?( address(es)?)?$/;

const moment =
  /\b(at|on|date|time|timestamp|datum|fecha|data|zeit|zeitpunkt|since|seit|op)\b|(date|datum)$/;

/** Said of email, also where the rest of the name is a detail. */
const excluded =
  /\bexcluded? from( all)? ((e ?mail|marketing) )?(campaigns?|(e ?)?mailings?|(e ?)?mails?)\b/;

/** Whose details nobody has who may get email. */
const forGood = /\b(hard bounces?|suppress(ed|ions?))\b/;

const consent = /^((e ?mail|marketing|customer) )*consent( state| status)?$/;
/** Questions that are answered with yes or no. */
const question =
  /^((please )?(can|may|could|shall|should|would|do|does|will|are|is) (we|i|you|it|they|he|she)|(i|yes i) (agree|consent|want|wish|would|accept|am)|(durf\w*|darf|moch\w*|woll\w*|willst|soll\w*|sind) (wir|ich|sie|du|ihr)|ich (mochte|will|stimme)|(souhaite|voule|veux|desire|accepte|pouv|puis)\w* (vous|tu|nous|je|on)|je (souhaite|veux|desire|accepte)|(quiere|desea|acepta|quieres|deseas|aceptas|quiero|deseo|acepto|podemos|deseja|quer|quero|aceita|aceito|vuoi|vuole|voglio|desider[ao]|desideri|accett[aoi]|possiamo)|(mogen|mag|wil|wilt) (wij|we|ik|u|je|jij))\b/;
/** Names of what an email has, in files for one. */
const content =
  /^(news|offers?|promotions?|promos?|updates?|announcements?|invitations?|angebote?|ofertas?|offres?|offerte|novedades|novidades|noticias|notizie|neuigkeiten|marketing|contact)$/;

/** Names of a status, of a subscription or of anything else: those that may also be a province, a kind or a plan are loose. */
const subjects =
  '((e ?mail|contact|customer|member|list|marketing|newsletter|subscriber|subscription|kontakt|abo) )';
/** The word in other scripts and languages, whose values are then looked at, too. */
const statusElsewhere =
  'ステータス|статус|stav|durum|allapot|κατασταση|状态|狀態|상태|الحالة'.normalize('NFKD');
const status = new RegExp(
  `^(${subjects}*(status|${statusElsewhere}|((is|account|user) )*active|((is|account|user) )*enabled|consent status|statut|situacao|aktiv|aktiviert|actif|activo|ativo|attivo|actief)|${subjects}+(state|estado|etat|stato|zustand))$`,
);
const looseStatus = new RegExp(
  `^${subjects}*(state|type|group|subscription|((is|account|user) )*activated|estado|etat|stato|zustand|typ|tipo)$`,
);
const anyStatus = /\bstat(us|ut)\b|\p{L}{3,}status$/u;
/** Details that are no sign of what a person said. */
const measure =
  /\b(count|number|rate|score|urls?|links?|ids?|page|tokens?|ips?|levels?|topics?|version|domain|client|opens?|opened|clicks?|clicked|policy)\b/;

/** What the name of a column says about wanting email; undefined if nothing. */
export function meaningOfName(name: string): ColumnMeaning | undefined {
  const text = wordsOf(name)
    .replace(/\b(by|on) (?=((our|the|my|your) )?(e ?mails?|mailing ?list|newsletter)\b)/g, '')
    .replace(/\bup to date\b/g, 'informed');
  const is = (pattern: keyof typeof patterns) => patterns[pattern].test(text);
  if (addresses.test(text)) return undefined;
  if (status.test(text)) return 'status';
  if (looseStatus.test(text)) return 'perhaps status';
  if (excluded.test(text)) return 'perhaps inverted';
  const isQuestion = question.test(text);
  const isOther = is('otherChannel') || is('otherThing');
  const isPerson = !(isOther || isQuestion || is('otherSubject') || measure.test(text));
  // A question about several channels names how, as in "by phone or email".
  if (is('detail') && !(isQuestion || (is('otherChannel') && is('email')))) {
    const isOfRefusal = (is('inverted') || is('perhapsInverted')) && !is('positive');
    if (!isPerson) return undefined;
    if (forGood.test(text)) return 'gone';
    return isOfRefusal || is('gone') ? 'perhaps gone' : undefined;
  }
  if (isOther) {
    const isSaid = is('inverted') || is('positive');
    const isAsked = isSaid || isQuestion || is('certainly') || is('perhapsPositive');
    if (!(is('email') && isAsked)) return undefined;
    return is('inverted') ? 'perhaps inverted' : 'perhaps positive';
  }
  if (is('inverted')) {
    const rest = text.replace(patterns.inverted, ' ');
    const isBoth = patterns.negation.test(rest) || /\b(subscribed|opt(ed)? ?in)\b/.test(rest);
    return isBoth ? 'perhaps inverted' : 'inverted';
  }
  const isGone = isPerson ? goneIn(text) : undefined;
  // When somebody subscribed says nothing about now.
  if (moment.test(text) && !isQuestion) return isGone;
  if (/^newsletters?$/.test(text)) return 'likely positive';
  const isNegated = is('negation');
  if (is('positive') || consent.test(text)) {
    if (isNegated) return 'perhaps inverted';
    return is('others') || saysMore(text) ? 'perhaps positive' : 'positive';
  }
  if (is('perhapsInverted')) return 'perhaps inverted';
  if (isNegated && is('perhapsPositive')) return 'perhaps inverted';
  if (isGone !== undefined) return isGone;
  if (is('perhapsPositive')) return 'perhaps positive';
  return isPerson && anyStatus.test(text) ? 'status' : undefined;
}

/** Whether a name says more than that a person wants email, since a further word may turn it into its contrary. */
function saysMore(text: string): boolean {
  if (consent.test(text)) return false;
  const rest = text.replace(new RegExp(patterns.positive, 'g'), ' ').split(' ');
  return rest.some((word) => word !== '' && !patterns.filler.test(word));
}

/** Whether a name says that people are gone; not if it denies that. */
function goneIn(text: string): 'gone' | 'perhaps gone' | undefined {
  const isSaid = (pattern: RegExp) =>
    pattern.test(text) && !patterns.negation.test(text.replace(pattern, ' '));
  if (isSaid(patterns.gone)) return 'gone';
  return isSaid(patterns.perhapsGone) ? 'perhaps gone' : undefined;
}

/** Whether a name says that people or accounts are gone, whatever else it may say. */
export function saysGone(name: string): boolean {
  return patterns.gone.test(wordsOf(name));
}

/** Whether a column lists what a person gets, so that who has nothing there gets nothing. */
export function listsWhatIsReceived(name: string): boolean {
  return patterns.received.test(wordsOf(name));
}

/**
 * Whether the values of a column are plain data by its name, whatever they look like. Yes and no are only where the name
 * says nothing else: "Order ban" is no order.
 */
export function isPlainData(name: string, isAnswered: boolean): boolean {
  const text = wordsOf(name);
  if (!patterns.plainData.test(text)) return false;
  const rest = text.replace(new RegExp(patterns.plainData, 'g'), ' ').split(' ');
  return !isAnswered || rest.every((word) => word === '' || patterns.filler.test(word));
}

/** Whether a column is about text messages, phone, post and the like, and not about email, too. */
export function isOfOtherChannel(name: string): boolean {
  const text = wordsOf(name);
  return patterns.otherChannel.test(text) && !(patterns.email.test(text) || /\bonly\b/.test(text));
}

/** Whether a name that may ask for consent, asks for nothing else: its values are answers, in whatever words. */
export function isCertainlyAnswered(name: string): boolean {
  const text = wordsOf(name);
  return patterns.certainly.test(text) || question.test(text);
}

/** Whether a name may be of a part of an email, such as an offer, whose text may say no to anything. */
export function mayBeContent(name: string): boolean {
  return content.test(wordsOf(name));
}

/** Whether a column may say of addresses whether email arrives. */
export function mayHoldArrivals(name: string): boolean {
  return patterns.arrivalNames.test(wordsOf(name));
}

/** Whether a column has reasons, each of which may be one against email. */
export function namesReason(name: string): boolean {
  return patterns.reasons.test(wordsOf(name));
}

/** Whether a status may hold codes of two letters, such as `NO` and `ON`. */
export function mayHoldCodes(name: string): boolean {
  return anyOf('state, group, type, typ, tipo, stato, estado, etat, zustand').test(wordsOf(name));
}

/** Whether the name of a status is about email, and not about an order or a person. */
export function isStatusOfEmail(name: string): boolean {
  return anyOf('e ?mail, newsletter, marketing, subscriber').test(wordsOf(name));
}

/** Characters of a name that are looked at. */
const longestName = 200;

/** A name as words in lower case, without accents: `HasOptedOutOfEmail` is "has opted out of email". */
function wordsOf(name: string): string {
  return name
    .slice(0, longestName)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
