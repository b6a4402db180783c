/**
 * Matches stand-ins for text that must pass unchanged through Markdown, a layout and CSS inlining: values of
 * a row, and placeholders that the service fills in. These words of letters and digits stay the same
 * everywhere, even in a URL.
 */
export const standIn = /zqmailer(\d+)q/g;

/** A placeholder of the service, `{{name}}`. */
const ofService = /\{\{[^{}\n]*\}\}/g;

/** Collects hidden texts in order, and restores them. */
export interface Hidden {
  /** Hides a text, which may be HTML already, and returns its stand-in. */
  hide(text: string, isHtml?: boolean): string;
  /** Hides all placeholders of the service in a text. */
  hidePlaceholders(text: string): string;
  /** Restores all hidden texts, each passed through `written`. */
  show(text: string, written?: (hidden: string, isHtml: boolean) => string): string;
}

/** A collection in which nothing is hidden yet. */
export function createHidden(): Hidden {
  const hidden: { readonly text: string; readonly isHtml: boolean }[] = [];
  const hide = (text: string, isHtml = false) => `zqmailer${hidden.push({ text, isHtml }) - 1}q`;
  return {
    hide,
    hidePlaceholders: (text) => text.replace(ofService, (placeholder) => hide(placeholder)),
    show: (text, written = (one) => one) =>
      text.replace(standIn, (found, index: string) => {
        const one = hidden[Number(index)];
        return one === undefined ? found : written(one.text, one.isHtml);
      }),
  };
}
