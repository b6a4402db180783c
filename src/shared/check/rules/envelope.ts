import { isReservedHeader } from '../../reserved-headers.ts';
import type { CheckedEmail, EmailPart, Report } from '../finding.ts';
import { quoted } from '../quoted.ts';

/** Roughly how many characters mail programs show of a subject and of a preview text. */
const longest = { subject: 78, preview: 140 };

/** Extensions of files that Amazon SES rejects. Services of this kind send through it. */
const rejectedTypes = new Set(
  `ade adp app asp bas bat cer chm cmd com cpl crt csh der exe fxp gadget hlp hta inf ins isp its js jse
   ksh lib lnk mad maf mag mam maq mar mas mat mau mav maw mda mdb mde mdt mdw mdz msc msh msh1 msh2
   mshxml msh1xml msh2xml msi msp mst ops pcd pif plg prf prg reg scf scr sct shb shs sys ps1 ps1xml
   ps2 ps2xml psc1 psc2 tmp url vb vbe vbs vps vsmacros vss vst vsw vxd ws wsc wsf wsh xnk`.split(
    /\s+/,
  ),
);

/** The most bytes of attachments that fit into the 25 MB of large mailboxes: base64 adds a third. */
const mostAttached = 18 * 1024 * 1024;

/** Checks subject and preview text. */
export function checkSubject(email: CheckedEmail, report: Report): void {
  const { subject, previewText, kind, isPart = false } = email;
  if (subject === undefined ? !(email.hasTemplate || isPart) : subject.trim() === '') {
    report({ code: 'subject-missing', where: 'subject', message: 'The email has no subject.' });
  }
  const length = [...(subject ?? '')].length;
  if (length > longest.subject) {
    report({
      code: 'subject-length',
      where: 'subject',
      message: `The subject has ${length} characters; most programs show fewer than ${longest.subject}.`,
      key: '',
    });
  }
  const preview = [...(previewText ?? '')].length;
  if (preview > longest.preview) {
    report({
      code: 'preview-length',
      where: 'preview',
      message: `The preview text has ${preview} characters; programs show up to ${longest.preview}.`,
      key: '',
    });
  }
  if (kind === 'campaign' && preview === 0 && !isPart) {
    report({
      code: 'preview-missing',
      where: 'preview',
      message: 'There is no preview text, so programs show the beginning of the email.',
    });
  }
}

/** Reports characters that another program has replaced, because it could not read them. */
export function checkCharacters(email: CheckedEmail, report: Report): void {
  if (email.literal === true) return;
  const { subject, previewText, html, text } = email;
  // A text is usually generated from the HTML.
  const parts = { subject, preview: previewText, html, text: html?.includes('\ufffd') ? '' : text };
  for (const [where, value = ''] of Object.entries(parts)) {
    for (const { index } of value.matchAll(/\ufffd+/g)) {
      report({
        code: 'characters-lost',
        // The keys of the object above.
        where: where as EmailPart,
        at: index,
        message: 'Characters are lost: U+FFFD stands for them.',
      });
    }
  }
}

/** Checks that there is something to read, and a text version besides HTML. */
export function checkParts(email: CheckedEmail, report: Report): void {
  const { html, text, hasTemplate, kind, isPart } = email;
  if (isPart) return;
  if (!html && !text && !hasTemplate) {
    report({ code: 'no-content', where: 'html', message: 'The email has neither text nor HTML.' });
  }
  // For a campaign, services create the text version themselves.
  if (html && !text && kind === 'email') {
    report({
      code: 'text-missing',
      where: 'text',
      message:
        'There is no text part for programs that do not show HTML; spam filters look for one, too.',
    });
  }
}

/** Reports headers that services leave out, and headers that a campaign needs. */
export function checkHeaders({ headers, kind }: CheckedEmail, report: Report): void {
  const names = Object.keys(headers ?? {});
  for (const name of names.filter(isReservedHeader)) {
    report({
      code: 'header-ignored',
      where: 'headers',
      message: `Services drop the header ${quoted(name)}.`,
    });
  }
  const hasList = names.some((name) => name.toLowerCase() === 'list-unsubscribe');
  if (kind === 'campaign' && headers !== undefined && !hasList) {
    report({
      code: 'unsubscribe-header',
      where: 'headers',
      message: 'There is no header List-Unsubscribe, which Gmail and Yahoo require for campaigns.',
    });
  }
}

/** Recognises a link to unsubscribe by the service's placeholder or by its words. */
const unsubscribes =
  /\{\{\s*(?:usesend|unsend)_unsubscribe_url\s*\}\}|href\s{0,9}=\s{0,9}["']?[^"'>\s]{0,500}(?:unsub|opt-?out)/i;

/** A campaign needs a way to unsubscribe; services reject one without. */
export function checkUnsubscribe({ html, kind }: CheckedEmail, report: Report): void {
  if (kind !== 'campaign' || html === undefined || unsubscribes.test(html)) return;
  report({
    code: 'unsubscribe-link',
    where: 'html',
    message: 'The campaign has no unsubscribe link: use {{usesend_unsubscribe_url}}.',
  });
}

/** Checks types, number and size of the attachments. */
export function checkAttachments({ attachments = [] }: CheckedEmail, report: Report): void {
  for (const { filename } of attachments) {
    const ending = filename.split('.').at(-1)?.toLowerCase() ?? '';
    if (!filename.includes('.') || !rejectedTypes.has(ending)) continue;
    report({
      code: 'attachment-type',
      where: 'attachments',
      message: `${quoted(filename)} is rejected, because files of the type .${ending} may be harmful.`,
    });
  }
  if (attachments.length > 10) {
    report({
      code: 'attachment-count',
      where: 'attachments',
      message: `There are ${attachments.length} attachments; the service takes up to 10.`,
    });
  }
  const bytes = attachments.reduce((sum, one) => sum + one.bytes, 0);
  if (bytes > mostAttached) {
    report({
      code: 'attachment-size',
      where: 'attachments',
      message: `The attachments have ${Math.ceil(bytes / 1024 / 1024)} MiB; Gmail rejects emails of more than 25 MB.`,
    });
  }
}
