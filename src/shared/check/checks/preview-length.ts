import { defineCheck } from '../check.ts';

/** Roughly how many characters mail programs show. */
const longest = 140;

export const previewLength = defineCheck({
  code: 'preview-length',
  severity: 'info',
  meaning: 'a preview text that is cut off',
  find({ previewText = '' }, report) {
    const length = [...previewText].length;
    if (length <= longest) return;
    report({
      where: 'preview',
      message: `The preview text has ${length} characters; programs show up to ${longest}.`,
      key: '',
    });
  },
});
