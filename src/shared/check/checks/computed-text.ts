import { defineCheck, stopsIfOwn } from '../check.ts';
import { type TextPart, textsOf } from '../message.ts';
import { quoted } from '../quoted.ts';

/** What programs write for a value that is missing, or that is no text. */
const any = /undefined|null|NaN|\[object Object\]/;

/** Stands for each character of what readers do not see. */
const gap = '\u2060';

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

/** As nobody writes these words: as a name after a greeting, twice, as an amount. `~` stands for tags between words. */
const nobodys = pattern(
  `\\[object Object\\]`,
  `(?<=${start}(?:${greeting}),?~ ~${title}~)(?:undefined|null)(?=~(?:[,.:!]|\\s*$))`,
  `${start}(undefined|null)~ ~\\1${end}`,
  `(?<=[€£¥$#]~ ?~)(?:undefined|NaN)${end}`,
  `${start}(?:undefined|NaN)(?=~ ?~(?:[€£¥%]|(?:EUR|USD|GBP|CHF)${end}))`,
  `${start}null(?=~ ?~[€£¥])`,
);

/** Where they may be meant: alone on a line or in an element, after a colon, before a comma at the beginning. */
const doubtful = pattern(
  `(?<=(?:^|: )~)(?:undefined|NaN)(?=~\\s*$)`,
  `(?<=^~)(?:undefined|null)(?=~,)`,
);

export const computedText = defineCheck({
  code: 'computed-text',
  severity: 'error',
  meaning: 'a word such as undefined, which a program writes for a missing value',
  doors: stopsIfOwn,
  title: ({ isLikely }) =>
    isLikely
      ? 'A program may have written this for a missing value:'
      : 'A program wrote this for a missing value:',
  advice: 'Give the component or the template its value, or a default.',
  find(message, report) {
    if (message.literal === true) return;
    // A cell may say null, which is said where rows are read.
    const told = new Set<unknown>(
      Object.values(message.values ?? {}).filter((one) => one === 'null'),
    );
    for (const [where, text] of textsOf(message)) {
      if (!any.test(text)) continue;
      const seen = seenIn(where, text);
      const certain = firstIn(seen, nobodys);
      const found = certain ?? (where === 'content' ? undefined : firstIn(seen, doubtful));
      // The text part says it again.
      if (found === undefined || told.has(found[0])) continue;
      told.add(found[0]);
      const item = quoted(around(seen, found));
      const isLikely = certain === undefined;
      const whose = isLikely ? 'may have written' : 'wrote';
      const message = `A program ${whose} this for a missing value: ${item}.`;
      const severity = isLikely ? 'warning' : undefined;
      report({ where, at: found.index, item, message, isLikely, severity, key: found[0] });
    }
  },
});

function pattern(...alternatives: readonly string[]): RegExp {
  const source = alternatives.join('|').replaceAll('~', `${gap}*`).replaceAll(' ', '[ \\u00a0]');
  return new RegExp(source, 'gimu');
}

/** Names such as Null are written with a capital. */
function firstIn(seen: string, words: RegExp): RegExpExecArray | undefined {
  return [...seen.matchAll(words)].find(([word]) => any.test(word));
}

/** A text as readers see it, with each character at its place. */
function seenIn(where: TextPart, text: string): string {
  if (where === 'html') return withoutTags(text);
  if (where === 'content') return withoutTags(text.replaceAll('"', '\n'));
  return text.replaceAll(gap, ' ');
}

const unread =
  /<!--[\s\S]*?-->|<(style|script|code|pre|samp|kbd)\b[\s\S]*?<\/\1\s*>|&nbsp;|<\/?([a-z]\w*)[^>]*>/gi;

const inline =
  /^(?:a|abbr|b|bdi|bdo|big|cite|em|font|i|ins|mark|q|s|small|span|strong|sub|sup|u)$/i;

/** HTML without what readers do not see: elements of their own begin lines. */
function withoutTags(html: string): string {
  return html.replace(unread, (tag: string, hidden?: string, name?: string) => {
    if (tag === '&nbsp;') return ` ${gap.repeat(tag.length - 1)}`;
    const isLine = name !== undefined && !inline.test(name);
    if (hidden !== undefined) return `.${gap.repeat(tag.length - 1)}`;
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
