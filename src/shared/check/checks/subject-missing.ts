import { defineCheck, stops } from '../check.ts';
import { isBlank } from '../shows-nothing.ts';

export const subjectMissing = defineCheck({
  code: 'subject-missing',
  severity: 'error',
  meaning: 'an email without a subject',
  doors: stops,
  title: () => 'Readers would see no subject:',
  find({ subject, hasTemplate = false, isPart = false }, report) {
    if (subject === undefined) {
      if (hasTemplate || isPart) return;
      // The contract says whether there must be one.
      report({ where: 'subject', message: 'The email has no subject.', isLikely: true });
    } else if (isBlank(subject)) {
      const item = 'the subject has only white space';
      report({ where: 'subject', message: 'The email has no subject.', item });
    }
  },
});
