import { defineCheck } from '../check.ts';

/** Roughly how many characters mail programs show. */
const longest = 78;

export const subjectLength = defineCheck({
  code: 'subject-length',
  severity: 'warning',
  meaning: 'a subject that is cut off',
  find({ subject = '' }, report) {
    const length = [...subject].length;
    if (length <= longest) return;
    report({
      where: 'subject',
      message: `The subject has ${length} characters; most programs show fewer than ${longest}.`,
      key: '',
    });
  },
});
