/** Subject and preview text of a request that is not checked yet. */
export function wordsOf({ subject, previewText }: Readonly<Record<string, unknown>>) {
  return {
    subject: typeof subject === 'string' ? subject : undefined,
    previewText: typeof previewText === 'string' ? previewText : undefined,
  };
}

/** Its variables. */
export function valuesOf({ variables }: Readonly<Record<string, unknown>>) {
  return typeof variables === 'object' && variables !== null ? { ...variables } : undefined;
}
