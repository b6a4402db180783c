import * as z from 'zod';
import { lostInParsing } from '../../base/input/json-loss.ts';
import { whereNotJson } from '../../base/json/not-json.ts';
import { parseContext } from '../../base/json/zod-context.ts';
import { policyShape } from './policy-shape.ts';

/** Everything a project file may contain. */
const projectShape = z.strictObject({
  /** Tells editors where the schema is. */
  $schema: z.string().optional(),
  policy: policyShape.optional(),
  check: z.strictObject({ ignore: z.array(z.string().min(1)).optional() }).optional(),
});

export type ProjectContent = z.infer<typeof projectShape>;

/** The content of a project file, or a text that says what is wrong with it. */
export function parseProject(text: string): ProjectContent | string {
  const json = text.replace(/^\uFEFF/, '');
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return `it is not JSON (${whereNotJson(json)})`;
  }
  const parsed = projectShape.safeParse(value, parseContext);
  return parsed.success
    ? (lostInParsing(json, 'the file') ?? parsed.data)
    : problemIn(parsed.error);
}

function problemIn({ issues: [issue] }: z.ZodError): string {
  if (issue === undefined) return 'it is not a project file';
  const where = issue.path.join('.');
  if (issue.code === 'unrecognized_keys') {
    const unknown = issue.keys.map((key) => [where, key].filter(Boolean).join('.'));
    return `unknown field ${unknown.join(', ')}`;
  }
  return [where, issue.message].filter(Boolean).join(': ');
}
