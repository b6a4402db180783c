import type { SendBody } from '../../../../api/email.ts';
import type { ErrorDetails } from '../../../base/errors.ts';
import { shortened } from '../../../base/text/shortened.ts';

type Content = Pick<SendBody, 'subject' | 'templateId'>;

/** Whether an email depends on its stored template because it has no subject of its own. */
export function needsTemplate({ templateId, subject }: Content): boolean {
  return templateId !== undefined && subject === undefined;
}

/** A hint to check the template of rejected emails; undefined if they do not depend on one. */
export function missingTemplate([first]: readonly Content[]): string | undefined {
  if (first?.templateId === undefined || !needsTemplate(first)) return undefined;
  return `Check that the template ${JSON.stringify(shortened(first.templateId))} exists.`;
}

/**
 * A hint for rejected emails that have a template but neither text nor HTML, which live servers require in
 * any case; undefined if that is not the cause.
 */
export function templateAlone(
  { status, issues = [] }: ErrorDetails,
  emails: readonly SendBody[],
): string | undefined {
  const isAlone = ({ templateId, text, html }: SendBody) =>
    templateId !== undefined && text === undefined && html === undefined;
  // An issue with a whole email: its path is empty, or only the index in a batch.
  const isWhole = issues.some(({ path }) => path.every((part) => typeof part === 'number'));
  if (status !== 400 || !isWhole || !emails.some(isAlone)) return undefined;
  return 'This service requires --text or --html in addition to --template. Add --text, the plain-text version of the email: the template replaces subject and HTML only.';
}
