import type { Template } from '../../../api/template.ts';
import { fileSize } from '../../../shared/file-size.ts';
import { type Cell, type RecordResult, record } from '../../command-line/output/result.ts';
import { htmlReader } from '../content/html-reader.ts';
import { contentText } from './template-content.ts';

/** A template as a record. */
export async function showTemplate(template: Template): Promise<RecordResult> {
  return record({
    reply: template,
    quiet: template.id,
    rows: [
      ['id', 'Id', template.id],
      ['name', 'Name', template.name],
      ['subject', 'Subject', template.subject],
      ['html', 'HTML', template.html && (await htmlReader())(template.html)],
      ['content', 'Editor', contentInShort(template)],
    ],
  });
}

/** Only its size: the editor's document is for programs. */
function contentInShort(template: Template): Cell {
  const content = contentText(template);
  return content === undefined ? undefined : `${fileSize(Buffer.byteLength(content))} of JSON`;
}
