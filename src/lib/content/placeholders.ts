/**
 * Stand-ins for what must pass through Markdown, a layout and the inlining of CSS unread: values of a row,
 * and placeholders that the service fills in. They are words of letters and digits, which none of these
 * change, not even in a URL.
 */
export const standIn = /zqmailer(\d+)q/g;

/** The placeholder of services, `{{name}}`. */
const ofService = /\{\{[^{}\n]*\}\}/g;

/** Collects what is hidden, in order, and puts it back. */
export interface Hidden {
  /** The stand-in for a text. */
  hide(text: string): string;
  /** Hides all placeholders of the service in a text. */
  hidePlaceholders(text: string): string;
  /** Puts everything back, each as `written` has it. */
  show(text: string, written?: (hidden: string) => string): string;
}

/** Hides nothing yet. */
export function createHidden(): Hidden {
  const hidden: string[] = [];
  const hide = (text: string) => `zqmailer${hidden.push(text) - 1}q`;
  return {
    hide,
    hidePlaceholders: (text) => text.replace(ofService, hide),
    show: (text, written = (one) => one) =>
      text.replace(standIn, (found, index: string) => {
        const one = hidden[Number(index)];
        return one === undefined ? found : written(one);
      }),
  };
}
