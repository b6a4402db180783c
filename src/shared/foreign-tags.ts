import { outsideCode, type Placeholder } from './placeholders.ts';

/** A merge tag of another service or program. */
export interface ForeignTag extends Placeholder {
  /** Whether it cannot be anything else, such as a link between notes. */
  readonly isCertain: boolean;
}

/** Tags by which a service is known: nobody writes them but to have them replaced. */
const certain = [
  // Mailchimp and Mandrill, also as editors encode it in a link.
  /\*\|[A-Za-z_][\w:./-]{0,60}\|\*/,
  /\*%7[Cc][A-Za-z_][\w:./-]{0,60}%7[Cc]\*/,
  // Mailgun
  /%(?:recipient(?:\.\w{1,40}|_\w{1,20})|(?:tag_|mailing_list_)?unsubscribe_url)%/,
  // Salesforce and Pardot
  /%%[A-Za-z_]\w{1,60}%%/,
  /%%=[^%=\n]{1,100}=%%/,
  /\{![A-Z]\w{1,40}\.\w{1,60}\}/,
  // ActiveCampaign
  /%(?:FIRSTNAME|LASTNAME|FULLNAME|UNSUBSCRIBELINK)%/,
  // SendGrid
  /<%asm_\w{1,40}%>/,
  /\[(?:Sender_(?:Name|Address|City|State|Zip)|Unsubscribe_Preferences)\]/,
  /\[%[A-Za-z_]\w{0,40}(?: ?\|[^%\]\n]{0,40})?%\]/,
  // Mailjet, GetResponse, Omnisend, Constant Contact
  /\[\[(?:data|var):\w{1,60}(?::[^\]\n]{0,60})?\]\]/,
  /\[\[(?:UNSUB_LINK|PERMALINK)\w{0,20}\]\]/,
  /\[\[(?:contact\.\w{1,40}|[Ff]irst_?[Nn]ame|[Ll]ast_?[Nn]ame|[A-Z_]{2,30} OR "[^"\]\n]{0,40}")\]\]/,
  // Campaign Monitor
  /\[\w{1,40}, ?fallback=[^\]\n]{0,60}\]/,
  // AWeber
  /\{!(?:firstname|lastname|name|email)\w{0,10}\}/,
  // MailerLite
  /\{\$(?:name|last_name|email|unsubscribe)\}/,
  // Zoho
  /\$\[[A-Z_:]{2,40}(?:\|[^\]\n]{0,40})?\]\$/,
  // MailPoet, Mautic
  /\[(?:subscriber:\w{1,40}|link:(?:subscription|newsletter)_\w{1,40})(?: ?\|[^\]\n]{0,60})?\]/,
  /\{(?:contactfield=\w{1,40}(?:\|[^{}\n]{0,40})?|(?:unsubscribe|webview)_(?:text|url))\}/,
  // Those of newsletters by their fields
  /\[MERGE_(?:(?:FIRST|LAST|FULL)_?)?(?:NAME|EMAIL)\]/,
  // Brevo, phpList
  /\[(?:FIRSTNAME|LASTNAME|UNSUBSCRIBEURL|PREFERENCESURL)\](?![([:])/,
];

/**
 * What looks like one. What Word puts between « and » is told from quoted words by the names that it uses.
 */
const likely = [
  /\*\|[\w:.]{1,60}\|\*/,
  /%[A-Za-z_]\w{0,60}\.[\w.]{1,60}%/,
  /\[\[[A-Za-z_][\w. -]{0,60}\]\]/,
  /\$\{[A-Za-z_][\w.]{0,60}\}/,
  /\{\$[A-Za-z_][\w.]{0,60}\}/,
  /(?:<|&lt;)%[^%<>]{0,200}%(?:>|&gt;)/,
  /(?:<<|&lt;&lt;)[A-Za-z_][\w.]{0,40}(?: [\w.]{1,40}){0,2}(?:>>|&gt;&gt;)/,
  /(?:«|&laquo;)(?:\w{1,40}_\w{1,40}|[a-z]{1,40}[A-Z]\w{0,40}|(?:[A-Za-z]{1,20} ?)?[Nn]ame|[Ee]-?[Mm]ail|Company)(?:»|&raquo;)/,
  /\[(?:(?:(?:First|Last|Full|Your|Company|Customer|Recipient)[ _]?)?Name|UNSUBSCRIBE)\](?![([:])/,
  /(?<![{$])\{(?:(?:[Ff]irst|[Ll]ast|[Ff]ull)[ _]?)?[Nn]ame\}(?!\})/,
  /\{(?:[A-Z_]{0,30}NAME|EMAIL|CITY|COMPANY|(?:[Ff]irst|[Ll]ast|[Ff]ull)[ _]?[Nn]ame)\|[^{}|\n]{0,40}\}/,
  // One brace too few, and a remark of Jinja
  /(?<![{$])\{[A-Za-z_][\w.]{1,60}\}\}/,
  /\{#[^{}#\n]{1,200}#\}/,
  // Template Toolkit, TYPO3, and others by their signs
  /\[% [A-Za-z_][\w.]{0,60} %\]/,
  /(?<!#)#{2,3}[A-Za-z_][\w.]{1,40}#{2,3}(?!#)/,
  /::[a-z]\w{1,40}\.[a-z]\w{1,40}::/,
  // In the URL of a link, where nobody writes such signs; editors encode them
  /(?:(?<![{$])\{[A-Za-z_][\w.]{0,60}\}|(?<!%7[Bb])%7[Bb]\w{1,60}%7[Dd])(?<=\bhref\s{0,9}=\s{0,9}["']?(?:https?|mailto):[^"'<>\s]{0,500})/,
  /(?<=[=/])(?:\[[A-Z][A-Z_]{1,40}\]|%5[Bb][A-Z][A-Z_]{1,40}%5[Dd])(?<=\bhref\s{0,9}=\s{0,9}["']?(?:https?|mailto):[^"'<>\s]{0,500})/,
  // PHP, Python
  /(?:<|&lt;)\?(?:=|php\b)[^?<>]{1,200}\?(?:>|&gt;)/,
  /%\([A-Za-z_]\w{0,40}\)s/,
  // A shell that did not expand it, because of single quotes
  /(?<![\w$])\$[A-Z][A-Z0-9]{0,40}(?:_[A-Z0-9]{1,40}){1,8}(?!\w)/,
  /\$\((?:date|cat|echo|git|hostname|pwd|uname|wc|whoami)(?: [^()\n]{0,100})?\)/,
];

const sourceOf = (patterns: readonly RegExp[]) => patterns.map(({ source }) => source).join('|');

export const anyForeignTag = new RegExp(`${sourceOf(certain)}|${sourceOf(likely)}`, 'g');

/** A tag by which a service is known. */
export const knownTag = new RegExp(sourceOf(certain));

const isCertain = new RegExp(`^(?:${knownTag.source})$`);

/** Merge tags of other services in a text, except in code. */
export function foreignTagsIn(text: string, format: 'html' | 'text'): readonly ForeignTag[] {
  return outsideCode(text, format, anyForeignTag).map((one) => ({
    ...one,
    isCertain: isCertain.test(one.written),
  }));
}
