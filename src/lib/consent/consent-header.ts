/**
 * What the name of a column says about wanting email:
 * - `positive`, `inverted`: it asks whether a person wants email, or does not want it
 * - `likely positive`: it asks whether a person wants email, if its values are answers
 * - `perhaps positive`, `perhaps inverted`: it may ask that
 * - `status`: its values decide
 */
export type ConsentHeader =
  | 'positive'
  | 'inverted'
  | 'likely positive'
  | 'perhaps positive'
  | 'perhaps inverted'
  | 'status';

/** A pattern for any of these words or phrases, which are patterns themselves, separated by commas. */
export function anyOf(list: string): RegExp {
  const words = list.split(',').map((word) => word.trim());
  return new RegExp(`\\b(${words.join('|')})\\b`);
}

/** Channels other than email. */
const otherChannel =
  anyOf(`sms, mms, rcs, text messages?, phones?, telephone, telefo+n\\w*, tel, mobile,
  mobil, mobiel, movil, celular, cellulare, handy, whatsapp, push, calls?, calling, fax, post, postal, poste, postwerbung, brief\\w*,
  courrier, direct mail, letters?, app`);
/** Agreements about other things. */
const otherThing = anyOf('cookies?, terms, tos, privacy, datenschutz, agb');
const email = anyOf('e ?mails?, correo, courriel, newsletters?');
/** The column with the addresses. */
const addresses = /^e ?mails?( address(es)?)?$/;

/** Columns about a consent, or an email, that do not hold the consent. */
const detail =
  anyOf(`reasons?, grund, motivo, raison, campaigns?, title, count, number, rate, score, urls?, links?,
  ids?, page, tokens?, source, method, ips?, topics?, levels?, type, language, by, from name, quelle, origen, fuente,
  version, text, wording, verified, valid, validated, domain, client, provider, opens?, opened, clicks?, clicked,
  sent, delivered, owner, unworked`);
const moment =
  /\b(at|on|date|time|timestamp|datum|fecha|data|zeit|zeitpunkt|since|seit|op)\b|(date|datum)$/;

const inverted =
  anyOf(`un ?subscribed, un ?sub(scribe|scription|s)? (at|on|date|time|timestamp), opt(ed)? ?outs?,
  black ?list(ed)?, block ?list(ed)?, suppress(ed|ions?), do ?not ?(bulk ?)?(e ?mail|mail|contact|market|send|solicit),
  no (e ?mails?|marketing|newsletters?), dnc, dne, clean(ed)?( time)?, (hard |soft )?bounced, complained, 
  abgemeldet, abbestellt, ausgetragen, abmelde\\w*, abmeldung, werbewiderspruch,
  dado de baja, dada de baja, fecha de baja, baja, desuscri\\w*,
  desabonne\\w*, desinscri\\w*, descadastr\\w*, disiscri\\w*,
  uitgeschreven, uitschrij\\w*, afgemeld, afmeld\\w*, avmeld\\w*, avregistrer\\w*`);
const perhapsInverted =
  anyOf(`un ?sub(s|scribe|scribes)?, un ?subscriptions?, revoked, withdrawn, opt, blocked,
  widerruf\\w*, widersprochen, widerspruch, gesperrt, \\w*sperre, sperrvermerk, robinson\\w*, exclu\\w*, opposition,
  bloque\\w*, bloqueado, refus, no (contactar|enviar|molestar), ne pas (contacter|envoyer), nao (contatar|enviar),
  suppress, deny ?list(ed)?, undeliverable, quarantined?, spam( complaints?)?, (hard |soft )?bounce, deceased, banned, objected, objections?,
  non (contattare|inviare), opposizione, revocat[oa], bloccat[oa], rifiutat[oa],
  niet (mailen|contacteren|benaderen), bezwaar, geblokkeerd, ingetrokken, geweigerd, wypisan\\w*`);

/** Said of email, also where the rest of the name is a detail. */
const excluded =
  /\bexcluded? from( all)? ((e ?mail|marketing) )?(campaigns?|(e ?)?mailings?|(e ?)?mails?)\b/;

const positive =
  anyOf(`subscribed, is subscriber, accept(s|ed) marketing, accepts? (e ?mail )?marketing,
  accepts? (e ?mails?|newsletters?), (e ?mail |marketing |newsletter )+(consent|opt ?in|permission|subscriber),
  opt(ed)? ?in, (receive|want)s? (marketing )?(e ?mails?|newsletters?),
  (marketing|werbe|newsletter) ?einwilligung, newsletter ?(anmeldung|abo|abonnent), abonniert, angemeldet,
  suscrit[oa], acepta (el )?marketing, acepta (publicidad|correos?|boletin),
  abonnee?, inscrit[oae]?, accepte (le )?marketing, accepte (les )?(e ?mails?|newsletters?),
  assinante, aceita (o )?marketing, aceita (e ?mails?|newsletters?),
  iscritt[oa], accetta (il )?marketing, accetta (le )?(e ?mails?|newsletters?),
  ingeschreven, aangemeld, geabonneerd, tilmeldt, prenumererar`);
const consent = /^((e ?mail|marketing|customer) )*consent( state| status)?$/;
const perhapsPositive =
  anyOf(`consents?, permissions?, gdpr, dsgvo, rgpd, lgpd, newsletters?, marketing, e?mailings?,
  mailing ?list, keep me, informed, stay in touch, notify, subscri\\w*, (e ?)?mails?, (e ?)?mailable, news, offers?, promotions?, promos?, updates?, contact,
  contactable, reachable, interested, wants?, willing, einwilligung\\w*, zustimmung, werbung, angebote,
  consentimiento, suscripcion, boletin, correos?, publicidad, ofertas?, novedades, consentement, abonnement, inscription,
  publicite, offres?, consentimento, inscricao, publicidade, novidades, rundschreiben, rundbrief\\w*, rundmail\\w*,
  consens[oi], iscrizione, pubblicita, offerte, toestemming, nieuwsbrie(f|ven), inschrijving, aanmelding, reclame,
  samtykke, samtycke, nyhedsbreve?, nyhetsbrev, pameldt, zgod[ay],
  be contacted, be (e ?)?mailed, be reached, hear from, reach out, get in touch, receive, communications?, comms, e ?news,
  bulletins?, announcements?, invitations?, correspondence, kontaktier\\w*, kontaktaufnahme, infos, infobriefe?, infomails?,
  neuigkeiten, anschreiben, (add(ed)? (me )?to|join) (the|our|your) list, infolettres?, lettres? d information, recevoir, contact(er|ar|eren), actualites, recibir, noticias,
  comunicaciones, receber, contatar, comunicacoes, ricevere, contattar\\w*, comunicazioni, notizie, aggiornamenti, ontvangen`);
/** Of these, names that leave no sense but a consent, and questions that are answered with yes or no. */
const certainly =
  anyOf(`consents?, opt(ed)? ?in, einwilligung\\w*, zustimmung, consentimiento, consentement,
  consentimento, consens[oi], toestemming, samtykke, samtycke, zgod[ay], happy to, okay to, ok to, agrees? to`);
const question =
  /^((please )?(can|may|could|shall|should|would|do|does|will|are|is) (we|i|you|it|they|he|she)|(i|yes i) (agree|consent|want|wish|would|accept|am)|(durf\w*|darf|moch\w*|woll\w*|willst|soll\w*|sind) (wir|ich|sie|du|ihr)|ich (mochte|will|stimme)|(souhaite|voule|veux|desire|accepte|pouv|puis)\w* (vous|tu|nous|je|on)|je (souhaite|veux|desire|accepte)|(quiere|desea|acepta|quieres|deseas|aceptas|quiero|deseo|acepto|podemos|deseja|quer|quero|aceita|aceito|vuoi|vuole|voglio|desider[ao]|desideri|accett[aoi]|possiamo)|(mogen|mag|wil|wilt) (wij|we|ik|u|je|jij))\b/;
/** Names of what an email has, in files for one. */
const content =
  /^(news|offers?|promotions?|promos?|updates?|announcements?|invitations?|angebote?|ofertas?|offres?|offerte|novedades|novidades|noticias|notizie|neuigkeiten|marketing|contact)$/;
/** Others who want to send email. */
const others = anyOf('partners?, partenaires?, third part(y|ies), socios, dritte\\w*, parceiros');
/** Words that turn a name into its contrary, or make it about the past. */
const negation =
  anyOf(`no, not, non, nicht, kein\\w*, ohne, never, nie, don t, doesn t, nao, nunca, sin, sans, sem,
  jamais, senza, mai, niet, geen, zonder, nooit, inte, ikke, ingen, bez, previously, formerly, was, former, ex`);

/** Names under which exports keep a status, of a subscription or of anything else. */
const status =
  /^((e ?mail|contact|customer|member|list|marketing|newsletter|subscriber|subscription|kontakt|abo) )*(status|state|type|active|enabled|group|subscription|consent status|estado|statut|etat|situacao|stato|zustand|typ|aktiv|aktiviert|tipo|actif|activo|ativo|attivo|actief)$/;

/** What the name of a column says about wanting email; undefined if nothing. */
export function consentHeader(name: string): ConsentHeader | undefined {
  const words = wordsOf(name)
    .replace(/\b(by|on) (?=((our|the|my|your) )?(e ?mails?|mailing ?list|newsletter)\b)/g, '')
    .replace(/\bup to date\b/g, 'informed');
  if (addresses.test(words)) return undefined;
  if (status.test(words)) return 'status';
  if (excluded.test(words)) return 'perhaps inverted';
  const isQuestion = question.test(words);
  if (detail.test(words) && !isQuestion) return undefined;
  if (otherChannel.test(words) || otherThing.test(words)) {
    const isSaid = inverted.test(words) || positive.test(words);
    const isShared = email.test(words) && (isSaid || isQuestion || certainly.test(words));
    if (!isShared) return undefined;
    return inverted.test(words) ? 'perhaps inverted' : 'perhaps positive';
  }
  if (inverted.test(words)) {
    const rest = words.replace(inverted, ' ');
    const isBoth = negation.test(rest) || /\b(subscribed|opt(ed)? ?in)\b/.test(rest);
    return isBoth ? 'perhaps inverted' : 'inverted';
  }
  // When somebody subscribed says nothing about now.
  if (moment.test(words) && !isQuestion) return undefined;
  if (/^newsletters?$/.test(words)) return 'likely positive';
  const isNegated = negation.test(words);
  if (positive.test(words) || consent.test(words)) {
    if (isNegated) return 'perhaps inverted';
    return others.test(words) ? 'perhaps positive' : 'positive';
  }
  if (perhapsInverted.test(words)) return 'perhaps inverted';
  if (isNegated && perhapsPositive.test(words)) return 'perhaps inverted';
  return perhapsPositive.test(words) ? 'perhaps positive' : undefined;
}

/** Whether a column is about text messages, phone, post and the like, and not about email, too. */
export function isOfOtherChannel(name: string): boolean {
  const words = wordsOf(name);
  return otherChannel.test(words) && !email.test(words);
}

/** Whether a name that may ask for consent, asks for nothing else: its values are answers, in whatever words. */
export function isCertainlyAnswered(name: string): boolean {
  const words = wordsOf(name);
  return certainly.test(words) || question.test(words);
}

/** Whether a name may be of a part of an email, such as an offer, whose text may say no to anything. */
export function mayBeContent(name: string): boolean {
  return content.test(wordsOf(name));
}

/** Whether a status may hold codes of two letters, such as `NO` and `ON`. */
export function mayHoldCodes(name: string): boolean {
  return anyOf('state, group, type, typ, tipo, stato, estado, etat, zustand').test(wordsOf(name));
}

/** Whether the name of a status is about email, and not about an order or a person. */
export function isStatusOfEmail(name: string): boolean {
  return anyOf('e ?mail, newsletter, marketing, subscriber').test(wordsOf(name));
}

/** A name as words in lower case, without accents: `HasOptedOutOfEmail` is "has opted out of email". */
function wordsOf(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
