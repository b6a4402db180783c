/**
 * The words of files of people: names of their columns, values, and names of files, in English, German, Spanish, French,
 * Portuguese, Italian and Dutch, with some of Danish, Swedish, Norwegian and Polish, and the statuses of Mailchimp,
 * Klaviyo, Brevo, HubSpot, MailerLite, listmonk and CiviCRM. Lists are separated by commas, in lower case, without accents,
 * hyphens and underscores; those of names and files are patterns (`\\w*`, `s?`) of words or phrases.
 */

/** Channels other than email. */
export const otherChannel = `sms, mms, rcs, text messages?, phones?, telephone, telefo+n\\w*, tel, mobile,
  mobil, mobiel, movil, celular, cellulare, handy, whatsapp, push, calls?, calling, fax, post, postal, poste, postwerbung, brief\\w*,
  courrier, direct mail, letters?, app`;

/** Agreements about other things. */
export const otherThing = `cookies?, terms, tos, privacy, datenschutz, agb, photos?, fotos?, images?, videos?, medical, data processing`;

/** Email itself. */
export const emailItself = `e ?mails?, correo, courriel, newsletters?`;

/** Reasons for anything. */
export const reasons = 'reasons?, grund, motivos?, raison, motif, motivazione, reden, cause, causa';

/** About a consent, or an email, without holding the consent. */
export const detail = `reasons?, grund, motivo, raison, campaigns?, title, count, number, rate, score, urls?, links?,
  ids?, page, tokens?, source, method, ips?, topics?, levels?, type, language, by, from name, quelle, origen, fuente,
  version, text, wording, verified, valid, validated, domain, client, provider, opens?, opened, clicks?, clicked,
  sent, delivered, dropped, received, owner, unworked`;

/** Whether a person does not want email. */
export const inverted = `un ?subscribed, un ?sub(scribe|scription|s)? (at|on|date|time|timestamp), opt(ed)? ?outs?,
  black ?list(ed)?, block ?list(ed)?, suppress(ed|ions?), do ?not ?(bulk ?)?(e ?mail|mail|contact|market|send|solicit),
  no (e ?mails?|marketing|newsletters?), dnc, dne, clean(ed)?( time)?, (hard |soft )?bounced, complained, 
  abgemeldet, abbestellt, ausgetragen, abmelde\\w*, abmeldung, werbewiderspruch,
  dado de baja, dada de baja, fecha de baja, baja, desuscri\\w*,
  desabonne\\w*, desinscri\\w*, descadastr\\w*, disiscri\\w*,
  uitgeschreven, uitschrij\\w*, afgemeld, afmeld\\w*, avmeld\\w*, avregistrer\\w*`;

/** Perhaps whether a person does not want email. */
export const perhapsInverted = `un ?sub(s|scribe|scribes)?, un ?subscriptions?, revoked, withdrawn, opt, blocked,
  widerruf\\w*, widersprochen, widerspruch, gesperrt, \\w*sperre, sperrvermerk, robinson\\w*, exclu\\w*, opposition,
  bloque\\w*, bloqueado, refus, no (contactar|enviar|molestar), ne pas (contacter|envoyer), nao (contatar|enviar),
  suppress, deny ?list(ed)?, undeliverable, quarantined?, spam( complaints?)?, (hard |soft )?bounce, deceased, banned, objected, objections?,
  non (contattare|inviare), opposizione, revocat[oa], bloccat[oa], rifiutat[oa],
  niet (mailen|contacteren|benaderen), bezwaar, geblokkeerd, ingetrokken, geweigerd, wypisan\\w*`;

/** Whether a person wants email. */
export const positive = `subscribed, is subscriber, accept(s|ed) marketing, accepts? (e ?mail )?marketing,
  accepts? (e ?mails?|newsletters?), (e ?mail |marketing |newsletter )+(consent|opt ?in|permission|subscriber),
  opt(ed)? ?in, (receive|want)s? (marketing )?(e ?mails?|newsletters?),
  (marketing|werbe|newsletter) ?einwilligung, newsletter ?(anmeldung|abo|abonnent), abonniert, angemeldet,
  suscrit[oa], acepta (el )?marketing, acepta (publicidad|correos?|boletin),
  abonnee?, inscrit[oae]?, accepte (le )?marketing, accepte (les )?(e ?mails?|newsletters?),
  assinante, aceita (o )?marketing, aceita (e ?mails?|newsletters?),
  iscritt[oa], accetta (il )?marketing, accetta (le )?(e ?mails?|newsletters?),
  ingeschreven, aangemeld, geabonneerd, tilmeldt, prenumererar`;

/** Perhaps whether a person wants email. */
export const perhapsPositive = `consents?, permissions?, gdpr, dsgvo, rgpd, lgpd, newsletters?, marketing, e?mailings?,
  mailing ?list, keep me, informed, stay in touch, notify, subscri\\w*, (e ?)?mails?, (e ?)?mailable, news, offers?, promotions?, promos?, updates?, contact,
  contactable, reachable, interested, wants?, willing, einwilligung\\w*, zustimmung, werbung, angebote,
  consentimiento, suscripcion, boletin, correos?, publicidad, ofertas?, novedades, consentement, abonnement, inscription,
  publicite, offres?, consentimento, inscricao, publicidade, novidades, rundschreiben, rundbrief\\w*, rundmail\\w*,
  consens[oi], iscrizione, pubblicita, offerte, toestemming, nieuwsbrie(f|ven), inschrijving, aanmelding, reclame,
  samtykke, samtycke, nyhedsbreve?, nyhetsbrev, pameldt, zgod[ay],
  be contacted, be (e ?)?mailed, be reached, hear from, reach out, get in touch, receive, communications?, comms, e ?news,
  bulletins?, announcements?, invitations?, correspondence, receiv(es|ing), kontaktier\\w*, kontaktaufnahme, infos, infobriefe?, infomails?,
  neuigkeiten, anschreiben, (add(ed)? (me )?to|join) (the|our|your) list, infolettres?, lettres? d information, recevoir, contact(er|ar|eren), actualites, recibir, noticias,
  comunicaciones, receber, contatar, comunicacoes, ricevere, contattar\\w*, comunicazioni, notizie, aggiornat[oaie], aggiornamenti, ontvangen, mailen, (em|en) conta[ct]+o`;

/** Words beside those of a consent that change nothing about it. */
export const filler = `e, e?mails?, mailings?, marketing, newsletters?, communications?, promotions?, news, consent, customer, contact, user, member, subscriber, person, account,
  is, has, have, do, does, you, i, we, to, for, the, our, your, a, an, of, on, in, by, via, from, and, all, any, list, general, weekly, monthly, daily, status, state, flag, value,
  yes, no, double, single, gdpr, dsgvo, rgpd, die, der, das, den, zum, fur, unseren, per, le, la, les, el, los, il, lo, de, du, des, het, o, os, as, um, y, et, und, \\d+`;

/** Of these, names that leave no sense but a consent. */
export const certainly = `consents?, opt(ed)? ?in, einwilligung\\w*, zustimmung, consentimiento, consentement,
  consentimento, consens[oi], toestemming, samtykke, samtycke, zgod[ay], happy to, okay to, ok to, agrees? to`;

/** Others who want to send email. */
export const others = `partners?, partenaires?, third part(y|ies), socios, dritte\\w*, parceiros`;

/** Words that turn a name into its contrary, or make it about the past. */
export const negation = `no, not, non, nicht, kein\\w*, ohne, never, nie, don t, doesn t, nao, nunca, sin, sans, sem,
  jamais, senza, mai, niet, geen, zonder, nooit, inte, ikke, ingen, bez, previously, formerly, was, former, ex, before, once, past, previous, no longer,
  withdrawn, withdrew, withdrawal, revoked, refused, rejected, removed, deleted, denied, declined, expired, lapsed, cancel(l)?ed, ended,
  blocked, disabled, off, stopped, withheld, invalid, missing, objection, failed, list, widerrufen, verweigert, abgelehnt, entzogen,
  retiree?, refusee?, revoquee?, retirad[oa], revocad[oa], rechazad[oa], revogad[oa], recusad[oa], ritirat[oa], ingetrokken, geweigerd`;

/** That a person or account is gone, or must be left alone, whatever else the file says. */
export const gone = `complaints?, complained, hard bounce (reason|type|date), email( \\d)? (is )?(disabled|bad|suspended|blocked), silenced,
  spam, (hard |soft )?bounce, blocked, gesperrt, deleted, discarded, erased, anonymi[sz]ed, archived, trashed, purged, banned, deceased, died, dead, death,
  passed away, on hold, account (closed|closure|suspended|terminated|deactivated|disabled|locked), closed account, suspended, deactivated,
  no longer (with|at|in|there|here|works?|working|employed), deletion, erasure, right to be forgotten, do ?not ?disturb, dnd, killed, left (the |our )?(list|group|audience|newsletter),
  geloscht, loschung, archiviert, verstorben, gestorben, deaktiviert, ausgeschieden, eliminad[oa], borrad[oa], fallecid[oa],
  archivad[oa], supprimee?, suppression du compte, archivee?, decedee?, desactivee?, excluid[oa], apagad[oa], falecid[oa], desativad[oa],
  arquivad[oa], eliminat[oa], decedut[oa], archiviat[oa], disattivat[oa], verwijderd, overleden, gearchiveerd, slettet, raderad, usuniet\\w*, zmarl\\w*`;

/** The same, which may also be of an order or a contract: it matters unless another column says who wants email. */
export const perhapsGone = `withdrawn, withdrawal, revoked, refused, (mail ?|e ?mail ?)?bounces?( ?count)?, message bounce, in trash,
  cancel(l)?ed, cancel(l)?ation, canceled, closed, churned, churn, removed, removal, expelled, resigned, resignation,
  terminated, termination, inactive, expired, lapsed, quit, rejected, returned mail, mail returned, held,
  hold, frozen, locked, disabled, unreachable, unconfirmed, not confirmed, bouncing, abuse, spammer, has left, left (at|on|us|((the|our) )?(company|firm|organi[sz]ation|business)),
  date left, left date, leaving date, leave date, exit date, exited, (former|ex) (member|customer|subscriber), moved away, gekundigt, kundigung, austritt\\w*,
  storniert, widerrufen, cancelad[oa], anulad[oa], baja, resilie\\w*, annulee?, radiee?, cancellat[oa], annullat[oa], opgezegd,
  cancelacion, cancelamento, cancelacao, cancellazione, annulation, resiliation, opzegging, geannuleerd, opsagt, uppsagd, anulowan\\w*`;

/** What else than a person may be gone, or have a status. */
export const otherSubject = `orders?, payments?, paid, financial, fulfil(l)?ment, shipping, shipment, deliver(y|ies), invoices?, billing, leads?, deals?,
  opportunit(y|ies), tickets?, tasks?, projects?, cases?, issues?, posts?, products?, items?, carts?, baskets?, marital, civil, family, employment, jobs?,
  stock, sync, relationship, tax, vat, kyc, verification, onboarding, trial, plan, loan, contract, bookings?, reservations?, registration,
  rsvp, attendance, application, subscription plan, visa, http, response, files?, documents?, fees?, quotes?, appointments?, events?, sessions?,
  courses?, bestellung\\w*, zahlung\\w*, lieferung\\w*, auftrag\\w*, versand\\w*, rechnung\\w*, \\w*(bestell|zahlungs|liefer|auftrags|versand|rechnungs|familien)status,
  pedidos?, pagos?, envios?, facturas?, commandes?, paiements?, livraisons?, factures?, pagamentos?, encomendas?, ordini, ordine, pagamenti, pagamento,
  spedizione, bestellingen, bestelling, betaling, levering`;

/** A list of what a person gets: who has none, gets none. */
export const received = `receiv(es|ing), email (lists|subscriptions|topics), mailing lists`;

/** Values of a status that say nothing about email: of orders, deals, bookings and customers. */
export const otherStatuses = `shipped, delivered, out for delivery, on hold, in transit, packed, ready, picked up, dispatched, paid, unpaid, partially paid, refunded,
  partially refunded, voided, authorized, fulfilled, unfulfilled, partially fulfilled, processing, completed, complete, in progress, done,
  draft, open, new, won, lead, prospect, customer, client, opportunity, qualified, contacted, returning, repeat, trial, trialing, past due, overdue,
  invoiced, booked, confirmed, checked in, attended, registered, scheduled, vip, gold, silver, bronze, platinum, premium, basic, pro, plus, free,
  member, guest, student, teacher, employee, staff, enrolled, attending, not attending, tentative, checked out, solved, single, married, divorced, widowed, full time, part time, verified, approved,
  versendet, versandt, geliefert, bezahlt, offen, in bearbeitung, abgeschlossen, neu, kunde, interessent, bestatigt, erledigt, ledig, verheiratet,
  geschieden, enviado, entregado, pagado, en proceso, completado, nuevo, cliente, confirmado, soltero, casado,
  expedie, expediee, livre, livree, paye, payee, en cours, termine, terminee, nouveau, nouvelle, confirme, celibataire, marie,
  entregue, pago, em andamento, concluido, novo, solteiro, spedito, consegnato, pagato, in corso, completato, nuovo, confermato,
  verzonden, geleverd, betaald, in behandeling, afgerond, nieuw, klant, bevestigd`;

/** Of these, what a subscription may be, too. */
export const statusesOfBoth = `confirmed, bestatigt, confirmado, confirme, confermato, bevestigd`;

/** Yes and no in further languages, which only show that a column is a question. */
export const furtherAnswers = `evet, hayir, hayır, bəli, xeyr, ஆம், இல்லை, 希望する, 希望しない, 同意, 不同意, ○, ×, согласен, согласна, не согласен, أوافق, لا أوافق,
  מסכים, לא מסכים, zgadzam sie, nie zgadzam sie, in, out, ok, stop, igen, nem, да, нет, так, ні, не, ano, ne, nie, jah, ei, kylla, ja, taip, da, nu, ναι, οχι, כן, לא,
  نعم, لا, هاں, نہیں, हाँ, हां, नहीं, হ্যাঁ, না, 是, 否, 是的, 不是, 有, 無, 无, 対象, はい, いいえ, 可, 不可, 有り, 無し, 예, 아니오, 네, 아니요, co, khong, có,
  không, ya, tidak, oo, hindi, ndiyo, hapana, hapo, beli, po, jo, ha, yo q, ใช่, ไม่, ไม่ใช่, այո, ոչ, კი, არა, bai, ez, ie, na, tha, chan eil, iva, le, oes, igaz, hamis,
  истина, ложь, dogru, yanlis, prawda, falsz, pravda, nepravda, tosi, epatosi, sann, falsk, sant, usant`;

/** Names of columns that are plain data, whatever their values look like. */
export const plainData = `gender, sex, geschlecht, sexe, sexo, sesso, geslacht, country\\w*, land, pays, pais, paese, lang\\w*, sprache, langue, idioma, lingua, taal,
  locale, state, province, provincia, bundesland, region, size, grosse, taille, age, alter, quantity, qty, menge, anzahl, score, rating, stars?, grade,
  class, klasse, level, number, nummer, count, total, amount, sum, betrag, salutation, anrede, title, titel, prefix, suffix, zip, plz, postal\\w*,
  postcode, floor, room, seat, table, group, gruppe, team, section, currency, wahrung, timezone, month, year, day, week, quarter, birth\\w*, geburt\\w*, naissance,
  nacimiento, nascita, geboorte\\w*, anniversary, created\\w*, updated\\w*, modified\\w*, added, signed up, signup, joined, registered, registration, last, first, latest, next,
  order\\w*, purchase\\w*, renew\\w*, until, start\\w*, since, seit, login, visit\\w*, seen, hired, due, appointment, company, organi[sz]ation, firma,
  job, position, role, department, address\\w*, street, strasse, city, ort, stadt, name, vorname, nachname, plan, product\\w*, item\\w*, category, kategorie, type, typ, source, utm,
  phone, tel\\w*, mobile, url, website, sku, vip`;

/** Values, by what they say: see `ConsentValue`. */
export const values = {
  yes: `subscribed, subscriber, opted in, opt in, optin, optedin, single opt in, double opt in, confirmed opt in,
    implicit opt in, explicit opt in, explicitly opted in, abonniert, abonnent, angemeldet, suscrito, suscrita, suscripto, suscripta,
    suscriptor, abonne, abonnee, inscrit, inscrite, inscrito, inscrita, assinante, iscritto, iscritta,
    ingeschreven, aangemeld, geabonneerd, tilmeldt, pameldt`,
  no: `unsubscribed, unsubscribe, unsub, opted out, opt out, optout, optedout, cleaned, bounced, bounce,
    hard bounced, hard bounce, soft bounced, complained, complaint, complainer, spam, spam complaint,
    marked as spam, reported as spam, blacklisted, blocklisted, suppressed, user suppressed, invalid email, never subscribed, not subscribed,
    nonsubscribed, non subscribed, nonsubscriber, non subscriber, junk, undeliverable, unreachable, do not contact,
    do not email, do not mail, dnc, dne, did not subscribe, no longer subscribed, revoked, withdrawn, abgemeldet, ausgetragen, abbestellt,
    nicht abonniert, nicht angemeldet, widerrufen, gesperrt, no suscrito, no suscrita, dado de baja,
    dada de baja, de baja, baja, desuscrito, desuscrita, desuscripto, desuscripta, no suscripto, no suscripta, rebotado, desabonne, desabonnee, non abonne,
    desinscrit, desinscrite, non inscrit, descadastrado, descadastrada, desinscrito, desinscrita,
    nao inscrito, cancelou inscricao, non iscritto, non iscritta, disiscritto, disiscritta, uitgeschreven, afgemeld,
    niet ingeschreven, niet aangemeld, afmeldt, avmeldt, avregistrerad`,
  true: `true, t, yes, y, 1, 1.0, on, x, ✓, ✔, ☑, ✅, 👍, checked, ticked, yep, yeah, wahr, ja, j, verdadero, si, s, vrai, oui, o, verdadeiro, sim,
    vero, waar, tak`,
  false: `false, f, no, n, 0, 0.0, off, ✗, ✘, ☐, ❌, 👎, 🚫, ⛔, unchecked, unticked, nope, nah, falsch, nein, falso, nao, faux, non, nee,
    onwaar, nej, nei`,
  granted: `allow, accept, permit, agree, granted, given, accepted, accepts, agreed, allowed, permitted, consented,
    i agree, i accept, i consent, signed up, wants, i want, ok, okay, sure, ich stimme zu, zugestimmt, einverstanden,
    j accepte, d accord, acepto, de acuerdo, accetto, aceito, akkoord, erlaubt, erteilt, aceptado, accepte, accettato, concesso, toegestaan`,
  denied: `deny, decline, reject, disagree, not agreed, do not agree, i do not agree, i disagree, i decline, do not accept,
    i do not accept, do not consent, i do not consent, not consented, no consent, not signed up, does not want,
    do not want, i do not want, nicht einverstanden, ich stimme nicht zu, nicht zugestimmt, pas d accord, no acepto,
    non accetto, nao aceito, niet akkoord, denied, declined, refused, rejected, disagreed, disallowed, do not allow, not allowed,
    not accepted, not given, not granted, nicht erlaubt, nicht erteilt, verweigert, abgelehnt, rechazado, refuse,
    recusado, rifiutato, negato, geweigerd, niet toegestaan`,
  never: 'never, nie, niemals, nunca, jamais, mai, nooit, nigdy',
  active:
    'active, enabled, aktiv, activo, activa, actif, active, ativo, ativa, attivo, attiva, actief',
  inactive: `inactive, disabled, archived, deleted, removed, deactivated, suspended, blocked, banned, deaktiviert, inaktiv, inactivo, inactiva, inactif, inactive, inativo, inativa, inattivo, inattiva, inactief, geloscht, entfernt,
    removido, removida, eliminado, eliminada, bloqueado, bloqueada, suspendido, suspendida, suspenso, suspensa, excluido, excluida,
    supprime, supprimee, bloque, bloquee, suspendu, suspendue, rimosso, rimossa, eliminato, eliminata, bloccato, bloccata, sospeso, sospesa,
    verwijderd, geblokkeerd`,
  unconfirmed: `unconfirmed, not confirmed, awaiting confirmation, confirmation pending, unbestatigt, nicht bestatigt,
    sin confirmar, no confirmado, non confirme, nao confirmado, non confermato, niet bevestigd, onbevestigd`,
  pending: 'pending, ausstehend, pendiente, en attente, pendente, in attesa',
  ended: `cancelled, canceled, storniert, gekundigt, cancelado, cancelada, anulado, anulada, annule, annulee, resilie, resiliee,
    cancellato, cancellata, annullato, annullata, geannuleerd, opgezegd`,
  transactional: 'transactional',
  none: 'none, nothing, keine, keiner, keines, ninguno, ninguna, aucun, aucune, nenhum, nenhuma, nessuno, nessuna, geen',
  empty: `[], {}, "", '', --, null, n/a, #n/a, nil, undefined, \\n, -, –, —, 0000-00-00, 0000-00-00 00:00:00, not applicable, not available,
    not set, not specified, not provided, no answer, no response, keine angabe`,
} as const;

/** What checks of addresses and logs of email say: that it arrives or may, and, in any column or only in one about that, not. */
export const arrivals = {
  good: `valid, deliverable, ok, good, risky, unknown, catch all, accept all, acceptall, accept all unverifiable, webmail, role, role based,
    free, disposable, low quality, delivered, processed, deferred, open, opened, click, clicked, sent, delivery`,
  bad: `undeliverable, spamtrap, spam trap, spamtraps, spamreport, spam report, bounce, bounced, hard bounce, hard bounced, complaint, unsubscribe,
    group unsubscribe, do not mail, invalid email, invalid mailbox`,
  badOfEmail: 'invalid, bad, risky, dropped, blocked, abuse, toxic',
} as const;

/** Names of columns that may hold these. */
export const arrivalNames = `e ?mails?, verif\\w*, validat\\w*, validit\\w*, valid, deliverab\\w*, zustellbar\\w*, results?, check, events?, quality,
  ergebnis, resultado, resultat, risultato, resultaat`;

/** Values that say no in a column about anything, such as tags: of `no`, those that hardly mean anything else. */
export const denials = `unsubscribed, unsubscribe, unsubscribes, unsub, opted out, opt out, optout, optedout, bounced, nomail, do not solicit, suppression list,
  deceased, verstorben, gestorben, decede, decedee, fallecido, fallecida, falecido, deceduto, overleden, †, do not contact, do not email, do not mail,
  do not send, dnc, no email, no emails, no mail, no mails, no newsletter, no marketing, never subscribed,
  not subscribed, nonsubscribed, non marketing contact, blacklisted, blocklisted, suppressed, complained, spam complaint, marked as spam,
  reported as spam, hard bounced, hard bounce, abgemeldet, abbestellt, nicht abonniert, kein newsletter, keine mails,
  keine e mails, keine werbung, werbesperre, no suscrito, no suscrita, dado de baja, dada de baja, desuscrito,
  desuscrita, desuscripto, desuscripta, no contactar, no enviar, desabonne, desabonnee, non abonne, desinscrit, desinscrite, ne pas contacter,
  descadastrado, descadastrada, desinscrito, desinscrita, cancelou inscricao, nao contatar, non iscritto, disiscritto,
  disiscritta, non contattare, non inviare, uitgeschreven, niet mailen, niet benaderen, geen mail, geen e mail,
  geen nieuwsbrief, geen reclame, afmeldt, avmeldt, avregistrerad`;

/** What notes say, among other words, of people who are gone or do not want email; besides `denials`. */
export const refusalsInText = `don't mail, don't email, don't contact, don't write, don't send, do not write, does not want, doesn't want,
  not to be contacted, no longer wants, no more mail, no more mails, no more email, no more emails, no more newsletters, no more contact, stop mailing,
  stop emailing, stop sending, stop writing, stop contacting, remove me, remove him, remove her, remove them, remove from, take me off, take off the list,
  wants off, passed away, died, left the company, left company, no longer with, no longer at,
  no longer in, no longer there, no longer here, no longer works, no longer working, no longer employed, has left, never write, never mail, never contact, stop spamming, to be removed, legal hold, gdpr delete,
  not interested, junk lead, no thanks, no thank you, r.i.p, address bounces, mail bounces, email bounces,
  nicht mehr bei, nicht mehr im unternehmen, ya no trabaja, ya no esta, nao trabalha mais, non lavora piu, n'est plus, ne travaille plus,
  werkt niet meer, niet meer werkzaam, do not use, estate of, objected to, objects to, withdrew consent, consent withdrawn, keine mail,
  keine email, keine post mehr, keine newsletter, keinen newsletter, keine weiteren, nicht mehr anschreiben, nicht anschreiben, nicht kontaktieren,
  nicht mehr kontaktieren, nicht mailen, bitte loschen, will nicht mehr, mochte keine, mochte nicht, widersprochen, ausgeschieden, ist tot,
  ne plus contacter, ne plus ecrire, ne plus envoyer, plus de mail, plus de mails, ne souhaite plus, ne veut plus, est decede, no mas correos, nur per post, nur telefonisch, by post only, by phone only, only by post, only by phone, alleen per post, solo per posta, uniquement par courrier,
  no quiere, no desea, no escribir, no enviar, ha fallecido, nao quer, nao deseja, nao enviar, non vuole, non desidera, niet meer mailen, wil geen,
  niet meer aanschrijven, no such user, user unknown, unknown user, user not found, address is unknown, known bad domain, mailbox full,
  mailbox unavailable, does not exist`;

/** What says no as a whole value, and anything among other words; besides `no`. */
export const refusalsAlone =
  'stop, dead, erased, suppression, suppressions, blocklist, blacklist, unsub';

/** What people write behind an answer: `Yes, please`. */
export const polite = `please, thanks, thank you, many thanks, thx, of course, danke, bitte, gerne?, vielen dank, por favor, gracias, claro,
  merci, s il vous plait, svp, volontiers, per favore, grazie, volentieri, obrigad[oa], graag, dank (u|je), bedankt`;

/** Names of exports of people who do not want email, or must not get any. */
export const suppressedFiles = `un ?sub(s|scribe[ds]?|scribers|scriptions?)?, (not|non|never) ?subscribe[ds]?, non ?subscribers?,
  suppress(ed|ions?)?( list)?, ((hard|soft) ?)?bounce[ds]?, cleaned, opt(ed)? ?outs?, black ?list(ed|en?)?,
  block ?list(ed)?, (lista|liste) (negra|nera|noire), sperr ?listen?, blocks, blocked, deny ?list, (spam )?complain(ts?|ed|ers), spam\\w*, junk, rejects, invalids?,
  undeliver(able|ed), (do not|don t|never) (e ?mail|mail|contact|send), no (consents?|contacts?|e ?mails?|mails?),
  legal holds?, erasures?, churn(ed)?, (former|ex) (members?|customers?|clients?|donors?|subscribers?|employees?), npai, dnc,
  ^(exclude[ds]?|exclusions?|removed|removals)(?= *$), robinson\\w*, gesperrte?n?, werbesperren?,
  ungultige?n?, abgemeldete?n?, abmeld(er|ungen|eliste), abbesteller, austragungen, ausgetragene?n?, widerspru?e?che?n?, nicht (anschreiben|mailen|kontaktieren), bajas,
  rebotados, rebotes, desabonne\\w*, desinscri\\w*, non abonne\\w*, descadastr\\w*, disiscritt[io], disiscrizioni,
  non iscritt[io], deceased, verstorbene?n?, decedes?, fallecid[oa]s?,
  falecid[oa]s?, decedut[oi], overleden\\w*, resiliations?, resilies?, wypisan\\w*, inactive, archived, deleted, banned, uitgeschreven, uitschrijving(en)?, afmeldingen, afgemelden?`;
