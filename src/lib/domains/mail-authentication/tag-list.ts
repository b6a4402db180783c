/** A `tag=value` of a DKIM key or a DMARC record. */
export interface Tag {
  readonly name: string;
  /** Without white space around it. */
  readonly value: string;
}

/**
 * Reads a tag-list (RFC 6376, 3.2). Names keep their case, because it counts. A `;` at the end is optional.
 */
export function parseTagList(text: string) {
  const pieces = text.split(';');
  if (pieces.length > 1 && pieces.at(-1)?.trim() === '') pieces.pop();
  /** In order, without those that have errors. */
  const tags: Tag[] = [];
  /** Sentences about what the grammar does not allow. */
  const errors: string[] = [];
  for (const piece of pieces) {
    const [, name, value] =
      /^[ \t\r\n]*([A-Za-z]\w*)[ \t\r\n]*=[ \t\r\n]*(.*?)[ \t\r\n]*$/s.exec(piece) ?? [];
    if (name === undefined || value === undefined) {
      errors.push(
        piece.trim() === ''
          ? 'Two semicolons follow each other.'
          : `${piece.trim()} is not tag=value.`,
      );
    } else if (/[^\x21-\x7e \t\r\n]/.test(value)) {
      errors.push(`The value of ${name}= has characters other than visible ASCII.`);
    } else tags.push({ name, value });
  }
  /** The first tag that occurs twice, which makes the whole list invalid. */
  const repeated = tags.find(
    ({ name }, index) => tags.findIndex((one) => one.name === name) < index,
  );
  return { tags, errors, repeated: repeated?.name };
}

/** The value of the tag, if there is one. */
export function tagValue(
  { tags }: ReturnType<typeof parseTagList>,
  name: string,
): string | undefined {
  return tags.find((one) => one.name === name)?.value;
}
