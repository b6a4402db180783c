import type { SendBody } from '../../api/email.ts';
import { shortened } from '../text/shortened.ts';

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
