import type { SendBody } from '../../../api/email.ts';
import type { ErrorDetails } from '../../errors.ts';
import { shortened } from '../../text/shortened.ts';

type Content = Pick<SendBody, 'subject' | 'templateId'>;

/** Whether an email cannot be created without its stored template: it has no subject of its own. */
export function needsTemplate({ templateId, subject }: Content): boolean {
  return templateId !== undefined && subject === undefined;
}

/** What to check of emails that were not created; undefined where it is not their template. */
export function missingTemplate([first]: readonly Content[]): string | undefined {
  if (first?.templateId === undefined || !needsTemplate(first)) return undefined;
  return `Check that the template ${JSON.stringify(shortened(first.templateId))} exists.`;
}

/**
 * What to do about emails that were rejected as a whole, each with a template alone; undefined where it
 * is not that. Live servers want a text or HTML even so.
 */
export function templateAlone(
  { status, issues = [] }: ErrorDetails,
  emails: readonly SendBody[],
): string | undefined {
  const isAlone = ({ templateId, text, html }: SendBody) =>
    templateId !== undefined && text === undefined && html === undefined;
  // An issue with a whole email; its path has the place in a batch alone.
  const isWhole = issues.some(({ path }) => path.every((part) => typeof part === 'number'));
  if (status !== 400 || !isWhole || !emails.some(isAlone)) return undefined;
  return 'This service requires --text or --html in addition to --template. Add --text, the plain-text version of the email: the template replaces subject and HTML only.';
}
