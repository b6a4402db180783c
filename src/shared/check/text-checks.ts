import { charactersLost } from './checks/characters-lost.ts';
import { computedNumber } from './checks/computed-number.ts';
import { computedText } from './checks/computed-text.ts';
import { escapedLineBreak } from './checks/escaped-line-break.ts';
import { foreignMarkdown } from './checks/foreign-markdown.ts';
import { foreignTag } from './checks/foreign-tag.ts';
import { frontMatter } from './checks/front-matter.ts';
import { headerIgnored } from './checks/header-ignored.ts';
import { htmlEntity } from './checks/html-entity.ts';
import { linkValue } from './checks/link-value.ts';
import { noContent } from './checks/no-content.ts';
import { placeholder } from './checks/placeholder.ts';
import { placeholderBlank } from './checks/placeholder-blank.ts';
import { subjectMissing } from './checks/subject-missing.ts';
import { terminalCodes } from './checks/terminal-codes.ts';
import { unknownTag } from './checks/unknown-tag.ts';
import { unsubscribeLink } from './checks/unsubscribe-link.ts';
import { wrongCharset } from './checks/wrong-charset.ts';

/** Checks at the doors that read texts as they are; these load little. */
export const textChecks = [
  ...[charactersLost, wrongCharset, frontMatter, noContent, subjectMissing, unsubscribeLink],
  ...[escapedLineBreak, foreignMarkdown, foreignTag, placeholder, placeholderBlank],
  ...[
    headerIgnored,
    htmlEntity,
    terminalCodes,
    unknownTag,
    computedNumber,
    computedText,
    linkValue,
  ],
];
