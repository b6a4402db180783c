/** Texts of a request that has not been checked yet. */
export function uncheckedTexts({ subject, previewText }: Readonly<Record<string, unknown>>) {
  return {
    subject: typeof subject === 'string' ? subject : undefined,
    previewText: typeof previewText === 'string' ? previewText : undefined,
  };
}

/** The variables of such a request. */
export function uncheckedVariables({ variables }: Readonly<Record<string, unknown>>) {
  return typeof variables === 'object' && variables !== null ? { ...variables } : undefined;
}
