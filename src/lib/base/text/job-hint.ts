const account = 'Set MAILER_API_KEY and MAILER_BASE_URL from the secrets of this job.';

/** Sentences that help a person at a machine, but no job. */
const forPerson = /mailer login|add --sandbox/;

/**
 * A hint as whoever reads it can follow it: with `CI` set, nobody can log in, and an email to a sandbox would be none.
 * Every hint passes here, so that no other place needs to ask.
 */
export function hintFor({ CI = '' }: Readonly<Record<string, string | undefined>>, hint: string) {
  if (CI === '' || !forPerson.test(hint)) return hint;
  const sentences = hint
    .split(/(?<=\.)(?=\s)/)
    .map((sentence) => (forPerson.test(sentence) ? ` ${account}` : sentence));
  return sentences
    .filter((one, index) => sentences.indexOf(one) === index)
    .join('')
    .trim();
}
