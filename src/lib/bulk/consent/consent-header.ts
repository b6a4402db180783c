/**
 * What the name of a column says about wanting email:
 * - `positive`, `inverted`: it asks whether a person wants email, or does not want it
 * - `perhaps positive`, `perhaps inverted`: it may ask that
 * - `status`: its values decide
 */
export type ConsentHeader =
  | 'positive'
  | 'inverted'
  | 'perhaps positive'
  | 'perhaps inverted'
  | 'status';

/** Channels other than email, and agreements about other things. */
const otherChannel =
  /\b(sms|mms|rcs|text messages?|phones?|telephone|telefon\w*|telefono|tel|mobile|mobil|movil|celular|handy|whatsapp|push|calls?|calling|fax|post|postal|poste|postwerbung|brief\w*|courrier|direct mail|letters?|app|cookies?|terms|tos|privacy|datenschutz|agb)\b/;
const email = /\b(e ?mails?|correo|courriel|newsletters?)\b/;

/** Columns about a consent that do not hold it. */
const detail =
  /\b(reasons?|grund|motivo|raison|campaigns?|title|count|number|rate|score|urls?|links?|ids?|page|tokens?|source|method|ips?|topics?|level|type|language|by|from name|quelle|origen|fuente|levels?|version|text|wording)\b/;
const moment =
  /\b(at|on|date|time|timestamp|datum|fecha|data|zeit|zeitpunkt|since|seit)\b|(date|datum)$/;

const inverted =
  /\b(un ?sub(s|scribe|scribes|scribed)?|un ?subscriptions?|opt(ed)? ?outs?|black ?list(ed)?|block ?list(ed)?|suppress(ed|ion)|do ?not ?(e ?mail|contact|market|send|solicit)|no (e ?mails?|marketing|newsletters?)|dnc|dne|clean(ed)?( time)?|(hard )?bounced|complained|abgemeldet|abbestellt|ausgetragen|abmelde\w*|abmeldung|werbewiderspruch|desabonne\w*|desinscri\w*|dado de baja|dada de baja|fecha de baja|baja|desuscri\w*|descadastr\w*)\b/;
const perhapsInverted =
  /\b(revoked|withdrawn|widerruf\w*|widersprochen|widerspruch|gesperrt|sperre|werbesperre|exclu\w*|opposition|opt|blocked|bloque\w*|bloqueado)\b/;

const positive =
  /\b(subscribed|is subscriber|accepts? (e ?mail )?marketing|accepts? (e ?mails?|newsletters?)|accepts marketing|accepted marketing|(e ?mail |marketing |newsletter )+(consent|opt ?in|permission|consent given|subscriber)|opt(ed)? ?in|(marketing|werbe|newsletter) ?einwilligung|newsletter ?(anmeldung|abo|abonnent)|receives? (marketing )?(e ?mails?|newsletters?)|wants? (marketing )?(e ?mails?|newsletters?)|abonniert|angemeldet|suscrit[oa]|acepta (el )?marketing|acepta (publicidad|correos?|boletin)|abonnee?|inscrit[oae]?|accepte (le )?marketing|accepte (les )?(e ?mails?|newsletters?)|assinante|aceita (o )?marketing|aceita (e ?mails?|newsletters?))\b|^newsletters?$|^((e ?mail|marketing|customer) )*consent( state| status)?$/;
const perhapsPositive =
  /\b(consents?|permissions?|gdpr|dsgvo|rgpd|lgpd|newsletters?|marketing|mailings?|mailing ?list|subscribers?|subscri\w*|einwilligung\w*|zustimmung|werbung|consentimiento|suscripcion|boletin|consentement|abonnement|inscription|inscricao|consentimento|publicidad|publicidade|publicite)\b/;

/** Names under which exports keep a status, of a subscription or of anything else. */
const status =
  /^((e ?mail|contact|customer|member|list|marketing|newsletter|subscriber|subscription|kontakt|abo) )*(status|state|type|active|group|subscription|consent status|estado|statut|etat|situacao|zustand|typ|aktiv|tipo|actif|activo|ativo)$/;

/** What the name of a column says about wanting email; undefined if nothing. */
export function consentHeader(name: string): ConsentHeader | undefined {
  const words = wordsOf(name);
  if (status.test(words)) return 'status';
  if (detail.test(words)) return undefined;
  if (otherChannel.test(words)) {
    const isShared = email.test(words) && (inverted.test(words) || positive.test(words));
    if (!isShared) return undefined;
    return inverted.test(words) ? 'perhaps inverted' : 'perhaps positive';
  }
  if (inverted.test(words)) return 'inverted';
  // When somebody subscribed says nothing about now.
  if (moment.test(words)) return undefined;
  if (positive.test(words)) return 'positive';
  if (perhapsInverted.test(words)) return 'perhaps inverted';
  return perhapsPositive.test(words) ? 'perhaps positive' : undefined;
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
