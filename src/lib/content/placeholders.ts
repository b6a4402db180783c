import { anyPlaceholder, outsideCode } from '../../shared/placeholders.ts';

/**
 * Matches stand-ins for text that must pass unchanged through Markdown, a layout and CSS inlining: values of
 * a row, and placeholders that the service fills in. These words of letters and digits stay the same
 * everywhere, even in a URL.
 */
export const standIn = /zqmailer(\d+)q/g;

/** A text that is hidden, and its offset if it is a placeholder. */
interface HiddenText {
  readonly text: string;
  readonly isHtml: boolean;
  readonly origin?: Origin & { readonly at: number };
}

/** The part of an email that has a placeholder, and its source. */
interface Origin {
  readonly part: 'body' | 'layout' | 'subject' | 'preview';
  readonly source: string;
}

/** Collects hidden texts in order, and restores them. */
export interface Hidden {
  /** Hides a text, which may be HTML already, and returns its stand-in. */
  hide(text: string, isHtml?: boolean): string;
  /** Hides all placeholders in a text, except one whose first brace has a backslash before it. */
  hidePlaceholders(text: string, origin: Origin): string;
  /** Restores all hidden texts, each passed through `written`. */
  show(text: string, written?: (hidden: string, isHtml: boolean) => string): string;
  /** The placeholders in HTML, hidden ones too, except in code. */
  placeholdersIn(
    html: string,
  ): readonly { readonly written: string; readonly origin?: HiddenText['origin'] }[];
}

/** A collection in which nothing is hidden yet. */
export function createHidden(): Hidden {
  const hidden: HiddenText[] = [];
  const hide = (one: HiddenText) => `zqmailer${hidden.push(one) - 1}q`;
  return {
    hide: (text, isHtml = false) => hide({ text, isHtml }),
    hidePlaceholders: (source, origin) =>
      source.replace(anyPlaceholder, (text, at: number) =>
        source[at - 1] === '\\' ? text : hide({ text, isHtml: false, origin: { ...origin, at } }),
      ),
    show: (text, written = (one) => one) =>
      text.replace(standIn, (found, index: string) => {
        const one = hidden[Number(index)];
        return one === undefined ? found : written(one.text, one.isHtml);
      }),
    placeholdersIn: (html) =>
      outsideCode(html, 'html', new RegExp(`${anyPlaceholder.source}|${standIn.source}`, 'g')).map(
        ({ written }) => {
          const one = hidden[Number(new RegExp(standIn.source).exec(written)?.[1])];
          return one === undefined ? { written } : { written: one.text, origin: one.origin };
        },
      ),
  };
}
