import type { CreateTemplateBody } from '../../api/template.ts';
import { fieldIn } from '../../shared/placeholders.ts';
import { placeholdersInDocument } from '../content/editor-document.ts';
import { certainlyForeignIn } from '../content/foreign-tags.ts';
import { type Unfilled, unfilledIn, unfilledLines } from '../content/unfilled.ts';
import { UsageError } from '../errors.ts';
import type { TemplateFile } from './directory.ts';

/** The flag that stores a template although it would be sent with placeholders in it. */
export const literalTemplateFlag = [
  '--literal',
  'create it with {{ placeholders }} and local URLs as written',
] as const;

/** Throws a `UsageError` for placeholders that no email fills in, with the lines of these files. */
export function refuseUnknownTagsIn(files: readonly TemplateFile[]): void {
  refuse(
    files.flatMap(({ file, subject, html, htmlLine }) => [
      ...unfilledIn(`${file}, subject`, subject, 'line'),
      ...certainlyForeignIn(`${file}, subject`, subject, 'line'),
      ...[...unfilledIn(file, html, 'html'), ...certainlyForeignIn(file, html, 'html')].map(
        (one) => ({
          ...one,
          line: one.line === undefined ? undefined : one.line + htmlLine - 1,
        }),
      ),
    ]),
  );
}

/** The same for a template of flags. */
export function refuseUnknownTags({ subject, html, content }: CreateTemplateBody, place: string) {
  refuse([
    ...unfilledIn('--subject', subject, 'line'),
    ...unfilledIn(place, html, 'html'),
    ...certainlyForeignIn('--subject', subject, 'line'),
    ...certainlyForeignIn(place, html, 'html'),
    ...placeholdersInDocument(content ?? '').map((written) => ({ place, written })),
  ]);
}

function refuse(all: readonly Unfilled[]): void {
  const unknown = all.filter(({ written }) => fieldIn(written) === undefined);
  if (unknown.length === 0) return;
  const these = unknown.length === 1 ? 'this placeholder' : 'these placeholders';
  throw new UsageError(
    `The service does not fill in ${these}:\n${unfilledLines(unknown).join('\n')}`,
    {
      hint: 'Nothing was created. Templates fill in {{variable}} and {{variable, fallback=text}}, and nothing else; email batch has conditions and filters. To create it as it is written, add --literal.',
    },
  );
}
