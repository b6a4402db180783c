import { noValue } from '../../no-value.ts';
import { defineCheck, stops } from '../check.ts';
import { type TextPart, textsOf } from '../message.ts';
import { quoted } from '../quoted.ts';

/** What programs write for a value that is missing, or that is no text. */
const any =
  /undefined|null|NaN|Infinity|Invalid Date|\[object [A-Z]|#(?:REF|VALUE|N\/A)|%5Bobject(?:%20|\+)[A-Z]/;

/** The same where people write it, too, and what is left around a value that is empty. */
const others =
  /NULL|\bNone\b|\bnan\b|\[Function|ranslation missing: |Liquid error|,(?<=\s(?:<\/?\w[^<>]{0,100}>){0,3},)|[€£¥](?!\s?\d)(?<=:\s?(?:<\/?\w[^<>]{0,100}>){0,3}.)/;

/** Both at once, which takes as long as one of them. */
const anyOrOthers = new RegExp(`${any.source}|${others.source}`);

/** Stands for each character of what readers do not see; for all of them in one place, once `gaps` are one. */
const gap = '\u2060';
const gaps = new RegExp(`${gap}+`, 'g');

/** Words before a name, and titles between. */
const greeting = [
  ...['hi', 'hello', 'hey', 'dear', 'welcome', 'welcome back', 'thanks', 'thank you', 'good \\w+'],
  ...[
    'hallo',
    'liebe[rs]?',
    'guten \\w+',
    'danke',
    'sehr geehrte[rs]?',
    'bonjour',
    'salut',
    'ch[eè]re?',
  ],
  ...[
    'merci',
    'hola',
    'querid[oa]',
    'estimad[oa]',
    'gracias',
    'ciao',
    'car[oa]',
    'gentile',
    'grazie',
  ],
  ...[
    'ol[aá]',
    'oi',
    'prezad[oa]',
    'obrigad[oa]',
    'hoi',
    'beste',
    'geachte',
    'bedankt',
    'hej',
    'hei',
  ],
].join('|');
const title = '(?:(?:mrs?|ms|dr|herr|frau|mme|sra?)\\.? )?';

const start = '(?<![\\p{L}\\d])';
const end = '(?![\\p{L}\\d])';

/** Words after which `undefined` is prose. */
const prose =
  '(?:is|are|be|was|were|as|or|and|not|left|checks?|tests?|(?:stay|remain|return|equal|mean)s?)';
const possessive = '(?:your|ihre?|deine?|eure?|votre|tu|su|il tuo|la tua|uw|jouw)';
const priced =
  '(?:price|total|amount|sum|cost|preis|summe|betrag|prix|montant|precio|importe|prezzo|prijs|bedrag)';

/**
 * As nobody writes these words: as a name after a greeting, twice, as an amount, after a few words that begin with
 * "your", at the end. `~` stands for tags between words.
 */
const nobodys = pattern(
  `\\[object [a-z]+\\]`,
  `(?<=${start}(?:${greeting}),?~ ~${title}~)(?:undefined|null|NaN|#(?:REF!|VALUE!|N/A))(?=~(?:[,.:!]|\\s*$))`,
  `${start}(?:undefined|null|NaN)~ ~(?:undefined|null|NaN)${end}`,
  `(?<=${start}${possessive}(?:~ ~(?!${prose}${end})[\\p{L}\\d]+){1,3}~ ~)(?:undefined|NaN)(?=~[.!]?\\s*$)`,
  `(?<=${start}${priced}:?~ ~)(?:undefined|NaN)${end}`,
  `(?<=: ~)Invalid Date(?=~\\s*$)`,
  `(?<=[€£¥$#]~ ?~)(?:undefined|NaN)${end}`,
  `(?<=[€£¥$]~)Infinity${end}`,
  `${start}(?:undefined|NaN)(?=~ ?~(?:[€£¥%]|(?:EUR|USD|GBP|CHF)${end}))`,
  `(?:${start}Infinity|#(?:REF!|VALUE!|N/A))(?=~ ?~(?:[€£¥]|(?:EUR|USD|GBP|CHF)${end}))`,
  `${start}null(?=~ ?~[€£¥])`,
);

/** Where they may be meant: alone on a line or in an element, after a colon, at the end, before a comma at the beginning. */
const doubtful = pattern(
  `(?<=(?:^|: )~)(?:undefined|NaN)(?=~\\s*$)`,
  `(?<=^~)(?:undefined|null)(?=~,)`,
  `(?<=[\\p{L}\\d]~ ~)(?<!${start}${prose}~ ~)(?:undefined|NaN)(?=~\\s*$)`,
  `${start}Invalid Date${end}`,
);

/** What names, errors of programs and sloppy writers have, too. */
const ofPeople = pattern(
  `(?<=${start}(?:${greeting}),?~ ~${title}~)(?:NULL|None|nan)(?=~(?:[,.:!]|\\s*$))`,
  `(?<=^~(?:${greeting})~ ~),`,
  `(?<=${start}${priced}: ?~)[€£¥](?=~\\s*$)`,
  `${start}nan(?=~ ?~(?:[€£¥]|(?:EUR|USD|GBP|CHF)${end}))`,
  `\\[Function(?:: \\w+| \\(anonymous\\))\\]`,
  `translation missing: (?=[a-z]{2}[\\w-]*\\.)`,
  `^~Liquid error(?=:| \\()`,
);

const asWritten = /NULL|None|nan|\[Function|ranslation missing|Liquid error|[,€£¥]/;

/** Of the cells that say they have no value, those that stop all the same. */
const ofPrograms = /undefined|NaN/;

const urls = /(?:https?:\/\/|mailto:|tel:)[^\s"'<>()]+/gi;
/** A part of a URL that is nothing but such a word, but for the extension of a file. */
const inUrl =
  /(?<=[/:=,])(?:undefined|null|NaN|(?:\[|%5B)object(?: |%20|\+)[A-Z]\w+(?:\]|%5D))(?=\.[a-z]{3,4}$|[/?&#,]|&amp;|$)/;
/** Pages about these words. */
const aboutWords = /\/(?:docs?|wiki|reference|manual|spec|tags?|tagged|questions)\/|developer\./i;
const alternatives = /\s(?:alt|title)\s*=\s*(?:"([^"]*)"|'([^']*)')/gi;

export const computedText = defineCheck({
  code: 'computed-text',
  severity: 'error',
  meaning: 'a word such as undefined, which a program writes for a missing value',
  doors: stops,
  title: ({ isLikely }) =>
    isLikely
      ? 'A program may have written this for a missing value:'
      : 'A program wrote this for a missing value:',
  advice: 'Give the component or the template its value, or a default.',
  find(message, report) {
    if (message.literal === true) return;
    // A cell may say null, which is said where rows are read.
    const told = new Set<unknown>(
      Object.values(message.values ?? {}).filter(
        (one) => typeof one === 'string' && noValue.test(one) && !ofPrograms.test(one),
      ),
    );
    for (const [where, text] of textsOf(message)) {
      if (!anyOrOthers.test(text)) continue;
      const tell = (item: string, at: number, isLikely: boolean, key: string) => {
        // The text part says it again.
        if (told.has(key) || (isLikely && told.has(`likely ${key}`))) return;
        told.add(isLikely ? `likely ${key}` : key);
        const whose = isLikely ? 'may have written' : 'wrote';
        const message = `A program ${whose} this for a missing value: ${quoted(item)}.`;
        const severity = isLikely ? 'warning' : undefined;
        report({ where, at, item: quoted(item), message, isLikely, severity, key });
      };
      const whole = seenIn(where, text);
      // Many gaps would be read again from each of them.
      const seen = whole.replace(gaps, gap);
      const certain = firstIn(seen, nobodys, any);
      const likely = () => firstIn(seen, doubtful, any) ?? firstIn(seen, ofPeople, asWritten);
      const found = certain ?? (where === 'content' ? undefined : likely());
      if (found !== undefined) {
        const at = placeIn(whole, found.index);
        tell(around(seen, found), at, certain === undefined, found[0]);
      }
      const shown = where === 'html' ? text.replace(hidden, (one) => ' '.repeat(one.length)) : text;
      for (const { 0: url, index } of shown.matchAll(urls)) {
        const word = inUrl.exec(url)?.[0];
        if (word !== undefined) tell(url, index, word === 'null' || aboutWords.test(url), url);
      }
      if (where !== 'html') continue;
      for (const { 1: double = '', 2: alt = double, index } of shown.matchAll(alternatives)) {
        const isCertain = /^\s*(?:undefined|null|NaN)\s*$|\[object Object\]/.test(alt);
        const isDoubtful = /^(?:undefined|null|NaN)\b|\b(?:undefined|NaN|Invalid Date)$/.test(alt);
        if (isCertain || isDoubtful) tell(alt, index, !isCertain, alt);
      }
    }
  },
});

function pattern(...alternatives: readonly string[]): RegExp {
  const source = alternatives.join('|').replaceAll('~', `${gap}?`).replaceAll(' ', '[ \\u00a0]');
  return new RegExp(source, 'gimu');
}

/** Names such as Null are written with a capital. */
function firstIn(seen: string, words: RegExp, spelt: RegExp): RegExpExecArray | undefined {
  return [...seen.matchAll(words)].find(([word]) => spelt.test(word));
}

/** Where a character is in a text, by its place in the same text whose gaps are one. */
function placeIn(whole: string, at: number): number {
  let place = at;
  for (const { 0: run, index } of whole.matchAll(gaps)) {
    if (index >= place) break;
    place += run.length - 1;
  }
  return place;
}

/** A text as readers see it, with each character at its place. */
function seenIn(where: TextPart, text: string): string {
  if (where === 'html') return withoutTags(text);
  if (where === 'content') return withoutTags(text.replaceAll('"', '\n'));
  return text.replaceAll(gap, ' ');
}

const unread =
  /<!--[\s\S]*?-->|<(style|script|code|pre|samp|kbd)\b[\s\S]*?<\/\1\s*>|&nbsp;|<\/?([a-z]\w*)[^>]*>/gi;

/** Where text is not seen, or is code. */
const hidden = /<!--[\s\S]*?-->|<(style|script|code|pre|samp|kbd)\b[\s\S]*?<\/\1\s*>/gi;

const inline =
  /^(?:a|abbr|b|bdi|bdo|big|cite|em|font|i|ins|mark|q|s|small|span|strong|sub|sup|u)$/i;

/** HTML without what readers do not see: elements of their own begin lines. */
function withoutTags(html: string): string {
  return html.replace(unread, (tag: string, unseen?: string, name?: string) => {
    if (tag === '&nbsp;') return ` ${gap.repeat(tag.length - 1)}`;
    const isLine = name !== undefined && !inline.test(name);
    if (unseen !== undefined) return `.${gap.repeat(tag.length - 1)}`;
    return (isLine ? '\n' : gap) + gap.repeat(tag.length - 1);
  });
}

/** The line around a finding, as far as it is short. */
function around(seen: string, { 0: word, index }: RegExpExecArray): string {
  const before =
    seen
      .slice(Math.max(0, index - 200), index)
      .split('\n')
      .at(-1) ?? '';
  const [after = ''] = seen.slice(index + word.length, index + word.length + 200).split('\n', 1);
  const plain = (text: string) => text.replaceAll(gap, '').replace(/\s+/g, ' ');
  return `${plain(before).slice(-20)}${word}${plain(after).slice(0, 20)}`.trim();
}
