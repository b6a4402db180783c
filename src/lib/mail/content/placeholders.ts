import { anyPlaceholder } from '../../../shared/placeholders.ts';

/**
 * Matches stand-ins for text that must pass unchanged through Markdown, a layout and CSS inlining: values of
 * a row, and placeholders that the service fills in. These words of letters and digits stay the same
 * everywhere, even in a URL.
 */
export const standIn = /zqmailer(\d+)q/g;

interface HiddenText {
  readonly text: string;
  readonly isHtml: boolean;
}

/** Collects hidden texts in order, and restores them. */
export function createHidden() {
  const hidden: HiddenText[] = [];
  const hide = (one: HiddenText) => `zqmailer${hidden.push(one) - 1}q`;
  return {
    /** Hides a text, which may be HTML already, and returns its stand-in. */
    hide: (text: string, isHtml = false) => hide({ text, isHtml }),
    /** Hides all placeholders in a text, except one whose first brace has a backslash before it. */
    hidePlaceholders: (source: string) =>
      source.replace(anyPlaceholder, (text, at: number) =>
        source[at - 1] === '\\' ? text : hide({ text, isHtml: false }),
      ),
    /** Restores all hidden texts, each passed through `written`. */
    show: (text: string, written: (hidden: string, isHtml: boolean) => string = (one) => one) =>
      text.replace(standIn, (found, index: string) => {
        const one = hidden[Number(index)];
        return one === undefined ? found : written(one.text, one.isHtml);
      }),
  };
}
