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

/**
 * The words that exports and people write, without case, accents, hyphens and underscores: English, German,
 * Spanish, French, Portuguese, Italian, Dutch, some of Danish, Swedish, Norwegian and Polish, and the statuses of Mailchimp, Klaviyo, Brevo, HubSpot, MailerLite, listmonk.
 */
const words: Readonly<Record<Exclude<ConsentValue, 'date' | 'other'>, string>> = {
  yes: `subscribed, subscriber, opted in, opt in, optin, optedin, single opt in, double opt in, confirmed opt in,
    implicit opt in, explicit opt in, explicitly opted in, abonniert, abonnent, angemeldet, suscrito, suscrita,
    suscriptor, abonne, abonnee, inscrit, inscrite, inscrito, inscrita, assinante, iscritto, iscritta,
    ingeschreven, aangemeld, geabonneerd, tilmeldt, pameldt`,
  no: `unsubscribed, unsubscribe, unsub, opted out, opt out, optout, optedout, cleaned, bounced, bounce,
    hard bounced, hard bounce, soft bounced, complained, complaint, complainer, spam, spam complaint,
    marked as spam, reported as spam, blacklisted, blocklisted, suppressed, user suppressed, invalid email, never subscribed, not subscribed,
    nonsubscribed, non subscribed, nonsubscriber, non subscriber, junk, undeliverable, do not contact,
    do not email, do not mail, dnc, dne, did not subscribe, no longer subscribed, revoked, withdrawn, abgemeldet, ausgetragen, abbestellt,
    nicht abonniert, nicht angemeldet, widerrufen, gesperrt, no suscrito, no suscrita, dado de baja,
    dada de baja, de baja, baja, desuscrito, desuscrita, rebotado, desabonne, desabonnee, non abonne,
    desinscrit, desinscrite, non inscrit, descadastrado, descadastrada, desinscrito, desinscrita,
    nao inscrito, cancelou inscricao, non iscritto, non iscritta, disiscritto, disiscritta, uitgeschreven, afgemeld,
    niet ingeschreven, niet aangemeld, afmeldt, avmeldt, avregistrerad`,
  true: `true, t, yes, y, 1, 1.0, on, x, ✓, ✔, ☑, ✅, 👍, checked, ticked, yep, yeah, wahr, ja, j, verdadero, si, s, vrai, oui, o, verdadeiro, sim,
    vero, waar, tak`,
  false: `false, f, no, n, 0, 0.0, off, ✗, ✘, ☐, ❌, 👎, unchecked, unticked, nope, nah, falsch, nein, falso, nao, faux, non, nee,
    onwaar, nej, nei`,
  granted: `allow, accept, permit, agree, granted, given, accepted, accepts, agreed, allowed, permitted, consented,
    i agree, i accept, i consent, signed up, wants, i want, ok, okay, sure, ich stimme zu, zugestimmt, einverstanden,
    j accepte, d accord, acepto, de acuerdo, accetto, aceito, akkoord, erlaubt, erteilt, aceptado, accepte, aceito, accettato, concesso, toegestaan`,
  denied: `deny, decline, reject, disagree, not agreed, do not agree, i do not agree, i disagree, i decline, do not accept,
    i do not accept, do not consent, i do not consent, not consented, no consent, not signed up, does not want,
    do not want, i do not want, nicht einverstanden, ich stimme nicht zu, nicht zugestimmt, pas d accord, no acepto,
    non accetto, nao aceito, niet akkoord, denied, declined, refused, rejected, disagreed, disallowed, do not allow, not allowed,
    not accepted, not given, not granted, nicht erlaubt, nicht erteilt, verweigert, abgelehnt, rechazado, refuse,
    recusado, rifiutato, negato, geweigerd, niet toegestaan`,
  never: 'never, nie, niemals, nunca, jamais, mai, nooit, nigdy',
  active:
    'active, enabled, aktiv, activo, activa, actif, active, ativo, ativa, attivo, attiva, actief',
  inactive:
    'inactive, disabled, archived, deleted, deactivated, suspended, blocked, banned, deaktiviert, inaktiv, inactivo, inactiva, inactif, inactive, inativo, inativa, inattivo, inattiva, inactief',
  unconfirmed: `unconfirmed, not confirmed, awaiting confirmation, confirmation pending, unbestatigt, nicht bestatigt,
    sin confirmar, no confirmado, non confirme, nao confirmado, non confermato, niet bevestigd, onbevestigd`,
  pending: 'pending, ausstehend, pendiente, en attente, pendente, in attesa',
  ended: 'cancelled, canceled',
  transactional: 'transactional',
  none: 'none, nothing, keine, keiner, keines, ninguno, ninguna, aucun, aucune, nenhum, nenhuma, nessuno, nessuna, geen',
  empty: `[], {}, "", '', --, null, n/a, #n/a, nil, undefined, \\n, -, –, —, 0000-00-00, 0000-00-00 00:00:00, not applicable, not available,
    not set, not specified, not provided, no answer, no response, keine angabe`,
};

/** Values that say no in a column about anything, such as tags: of `no`, those that hardly mean anything else. */
const denials = new Set(
  `unsubscribed, unsubscribe, unsub, opted out, opt out, optout, optedout, do not contact, do not email, do not mail,
  do not send, dnc, no email, no emails, no mail, no mails, no newsletter, no marketing, never subscribed,
  not subscribed, nonsubscribed, non marketing contact, blacklisted, blocklisted, suppressed, complained, spam complaint, marked as spam,
  reported as spam, hard bounced, hard bounce, abgemeldet, abbestellt, nicht abonniert, kein newsletter, keine mails,
  keine e mails, keine werbung, werbesperre, no suscrito, no suscrita, dado de baja, dada de baja, desuscrito,
  desuscrita, no contactar, no enviar, desabonne, desabonnee, non abonne, desinscrit, desinscrite, ne pas contacter,
  descadastrado, descadastrada, desinscrito, desinscrita, cancelou inscricao, nao contatar, non iscritto, disiscritto,
  disiscritta, non contattare, non inviare, uitgeschreven, niet mailen, niet benaderen, geen mail, geen e mail,
  geen nieuwsbrief, geen reclame, afmeldt, avmeldt, avregistrerad`
    .split(',')
    .map(plain),
);

const meanings = new Map<string, ConsentValue>(
  Object.entries(words).flatMap(([meaning, list]) =>
    // The keys of `words` are these values.
    list.split(',').map((word) => [plain(word), meaning as ConsentValue] as const),
  ),
);

/** Words that people write behind an answer: `Yes, please`. */
const polite =
  `please, thanks, thank you, many thanks, thx, of course, danke, bitte, gerne?, vielen dank, por favor, gracias, claro,
  merci, s il vous plait, svp, volontiers, per favore, grazie, volentieri, obrigad[oa], graag, dank (u|je), bedankt`
    .split(',')
    .map((word) => word.trim());
const politeEnd = new RegExp(`(?<=[^ ]) (${polite.join('|')})$`);
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
  if (typeof value !== 'string' && typeof value !== 'number') return 'other';
  const text = String(value).trim();
  if (text === '') return 'empty';
  if (text.length > longest) return 'other';
  return meaningOf(text) ?? (isDate(text) ? 'date' : 'other');
}

function meaningOf(text: string): ConsentValue | undefined {
  return meanings.get(plain(text)) ?? meanings.get(plainAnswer(text));
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
  return value
    .replace(/["'[\]]/g, ' ')
    .split(/[,;:|\n]/)
    .some((one) => denials.has(plain(one)) || denials.has(plainAnswer(one)));
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
function isDate(text: string): boolean {
  return (
    /^\d{4}[-/.]\d{1,2}[-/.]\d{1,2}\b/.test(text) ||
    /^\d{1,2}[-/.]\d{1,2}[-/.](\d{4}|\d{2})\b/.test(text) ||
    /^(\d{1,2}\.? )?\p{L}{3,9}\.? (\d{1,2}, ?)?\d{4}\b/u.test(text) ||
    /^1\d{9}(\d{3})?$/.test(text)
  );
}
