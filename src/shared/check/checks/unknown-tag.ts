import { defineCheck, stops } from '../check.ts';
import { isBlank } from '../shows-nothing.ts';

const names = new Set(
  `a abbr acronym address applet area article aside audio b base basefont bdi bdo bgsound big blink blockquote body br
   button canvas caption center cite code col colgroup command content data datalist dd del details dfn dialog dir div dl
   dt element em embed fieldset figcaption figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr
   html i iframe image img input ins isindex kbd keygen label legend li link listing main map mark marquee math menu
   menuitem meta meter multicol nav nextid nobr noembed noframes noscript object ol optgroup option output p param
   picture plaintext pre progress q rb rbc rp rt rtc ruby s samp script search section select shadow slot small source
   spacer span strike strong style sub summary sup svg table tbody td template textarea tfoot th thead time title tr
   track tt u ul var video wbr xml xmp`.split(/\s+/),
);

/** Elements within a line of text. All others begin another sentence. */
const inline =
  /^(?:a|abbr|b|bdi|bdo|big|cite|code|data|del|dfn|em|font|i|ins|kbd|label|mark|nobr|q|s|samp|small|span|strike|strong|sub|sup|time|tt|u|var|wbr)$/;

/** Attributes without a value, and those that often have an empty one. */
const attributesAlone =
  /^(?:alt|background|bgcolor|border|class|color|content|face|height|href|id|lang|name|rel|role|size|src|srcset|style|target|title|type|value|width|allowfullscreen|async|autofocus|autoplay|checked|compact|controls|declare|default|defer|disabled|formnovalidate|hidden|inert|ismap|itemscope|loop|multiple|muted|nohref|nomodule|noresize|noshade|novalidate|nowrap|open|playsinline|readonly|required|reversed|scoped|selected|[\w-]+[-:][\w:-]+)$/i;

/** What is not shown as HTML, an end tag, a tag with what follows its name, and text. Bounded, as an input may be hostile. */
const pieces =
  /<!--[\s\S]*?(?:-->|$)|<(?:style|script|textarea|title|xmp|svg|math)\b[\s\S]*?(?:<\/(?:style|script|textarea|title|xmp|svg|math)\s*>|$)|<\/([a-z][^\s<>/]*)[^<>]*>?|(?<!<)<([a-z][^\s<>/"'=]*)((?:[^<>"']|"[^"]{0,5000}"|'[^']{0,5000}'){0,5000})>|([^<]+|<)/gi;

export const unknownTag = defineCheck({
  code: 'unknown-tag',
  severity: 'error',
  meaning: 'words in angle brackets that readers do not see',
  doors: stops,
  title: ({ isOne }) =>
    `Readers do not see ${isOne ? 'these words in angle brackets' : 'words in angle brackets'}, which are no HTML:`,
  advice: 'To show such words, write &lt;Name&gt;.',
  find({ html = '', literal = false }, report) {
    if (literal || !html.includes('<')) return;
    const all = [...html.matchAll(pieces)];
    const ended = namesOfEnds(all);
    let found: { readonly written: string; readonly at: number }[] = [];
    /** Whether readers see something of the sentence. */
    let isSeen = false;
    const endSentence = () => {
      for (const { written, at } of found) {
        report({
          ...{ where: 'html', at, item: written, key: written, isLikely: isSeen },
          message: `${written} is no HTML element, so readers do not see it.`,
          severity: isSeen ? 'warning' : 'error',
        });
      }
      [found, isSeen] = [[], false];
    };
    for (const { 0: written, 1: closed, 2: opened, 3: attributes = '', 4: text, index } of all) {
      const name = (opened ?? closed)?.toLowerCase();
      if (name === undefined) {
        isSeen ||= text !== undefined && /[\p{L}\p{N}]/u.test(text) && !isBlank(text);
      } else if (opened !== undefined && !ended.has(name) && isNoElement(name, attributes)) {
        found.push({ written, at: index });
      } else if (name === 'img') isSeen = true;
      else if (names.has(name) && !inline.test(name)) endSentence();
    }
    endSentence();
  },
});

/**
 * The names of elements that end, and show what is in them whatever their name. Converters add the end tags that are
 * missing just before that of the element around.
 */
function namesOfEnds(all: readonly RegExpMatchArray[]): ReadonlySet<string> {
  const ended = new Set<string>();
  let isAdded = true;
  for (const { 1: closed, 4: text } of all.toReversed()) {
    if (closed !== undefined && !isAdded) ended.add(closed.toLowerCase());
    if (text === undefined || !isBlank(text)) isAdded = closed !== undefined;
  }
  return ended;
}

function isNoElement(name: string, attributes: string): boolean {
  if (!names.has(name)) return !known.test(name);
  const words = attributes.replace(/\/$|=""/g, '').trim();
  return (
    words !== '' &&
    !words.split(/\s+/).some((one) => /[="']/.test(one) || attributesAlone.test(one))
  );
}

/** Elements of other programs: `<o:p>` of Word, those of AMP and of MJML. */
const known = /^(?:[a-z]\w{0,9}:[a-z][\w-]*|(?:amp|mj)-[a-z-]+|mjml)$/;
