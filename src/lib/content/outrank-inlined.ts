import { TokenType } from '@csstools/css-tokenizer';
import { readCss } from '../../shared/check/read-css.ts';

/**
 * A style sheet whose rules apply beside inlined ones: a `style` attribute would win over what a media query or
 * `:hover` says of the same property, so their declarations become `!important`. `inlined` has the families of
 * properties in attributes, see `familyOf`.
 */
export function outrankInlined(css: string, inlined: ReadonlySet<string>): string {
  const ends: number[] = [];
  // Fonts and steps of an animation have no selector, and must not be important.
  let isInRule = false;
  readCss(css, 0, {
    atRule: () => {
      isInRule = false;
    },
    selector: () => {
      isInRule = true;
    },
    declaration: (property, value) => {
      const last = value.findLast(
        ([type]) => type !== TokenType.Whitespace && type !== TokenType.Comment,
      );
      if (!isInRule || last === undefined || !inlined.has(familyOf(property))) return;
      const isImportant = last[0] === TokenType.Ident && /^important$/i.test(last[1]);
      if (!isImportant) ends.push(last[3] + 1);
    },
  });
  return ends.reduceRight((all, at) => `${all.slice(0, at)} !important${all.slice(at)}`, css);
}

/** What a property and its shorthand share: `background` of `background-color`. Custom properties are alone. */
export function familyOf(property: string): string {
  return property.startsWith('--') ? property : property.replace(/(?<=.)-.*/, '');
}
