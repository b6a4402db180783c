import { defineCheck, stops } from '../check.ts';

/** What is between two lines of `---` (YAML) or `+++` (TOML) at the start of a file. */
const fenced = /(?<![\s\S])\ufeff?(-{3}|\+{3})[ \t]*\r?\n(.*?)^\1[ \t]*$/ms;

/** Whether a text begins with front matter, of whatever program: fields, and no HTML, between two lines. */
export function hasFrontMatter(text: string): boolean {
  const block = fenced.exec(text)?.[2] ?? '';
  return (
    /^[ \t]*["']?[\w.-]+["']?[ \t]*(?::[ \t]|:\r?$|=)/m.test(block) && !/^[ \t]*</m.test(block)
  );
}

export const frontMatter = defineCheck({
  code: 'front-matter',
  severity: 'error',
  meaning: 'HTML that begins with front matter, as files of template push do',
  doors: stops,
  title: () => 'Readers would see the front matter of a file:',
  advice: 'Leave it out, or, if the file is a stored template, use template push.',
  find({ html = '' }, report) {
    if (!hasFrontMatter(html)) return;
    const item = 'the HTML begins with front matter';
    report({ where: 'html', at: 0, item, message: 'The HTML begins with front matter.' });
  },
});
