import { parse } from 'yaml';
import * as z from 'zod';
import { read } from './sources.ts';

// The composite action of this repository, as GitHub's runner reads it.

const action = z.strictObject({
  name: z.string(),
  description: z.string(),
  inputs: z.record(
    z.string(),
    z.strictObject({
      description: z.string(),
      required: z.boolean().optional(),
      default: z.string().optional(),
    }),
  ),
  runs: z.strictObject({
    using: z.literal('composite'),
    steps: z.array(
      z.union([
        z.strictObject({
          // Only GitHub's own, by commit, because a tag can be moved.
          uses: z.string().regex(/^actions\/cache@[\da-f]{40}$/),
          if: z.string(),
          with: z.record(z.string(), z.string()),
        }),
        z.strictObject({
          id: z.string().optional(),
          shell: z.literal('bash'),
          env: z.record(z.string(), z.string()),
          // Expressions in scripts allow command injection.
          run: z.string().refine((text) => !text.includes('${{'), 'no expressions in scripts'),
        }),
      ]),
    ),
  }),
});

export const actionFile = '.github/actions/setup-mailer/action.yml';

export const setupMailer = action.parse(parse(read(actionFile)));

/** A text with its expressions replaced: values by what is between the braces, of alternatives the first that is there. */
export function filledIn(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\$\{\{ (.*?) \}\}/g, (expression, inner: string) => {
    const found = inner.split(' || ').map((name) => values[name]);
    if (found.includes(undefined)) throw new Error(`unknown: ${expression}`);
    return found.find((value) => value !== '') ?? '';
  });
}
