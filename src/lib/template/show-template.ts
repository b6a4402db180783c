import type { Template } from '../../api/template.ts';
import { fileSize } from '../../shared/file-size.ts';
import { htmlInShort } from '../output/html-in-short.ts';
import { type Cell, type RecordResult, record } from '../output/result.ts';
import { contentText } from './template-content.ts';

/** A template as a record. */
export function showTemplate(template: Template): RecordResult {
  return record({
    reply: template,
    quiet: template.id,
    rows: [
      ['id', 'Id', template.id],
      ['name', 'Name', template.name],
      ['subject', 'Subject', template.subject],
      ['html', 'HTML', htmlInShort(template.html)],
      ['content', 'Editor', contentInShort(template)],
    ],
  });
}

/** Only its size: the editor's document is for programs. */
function contentInShort(template: Template): Cell {
  const content = contentText(template);
  return content === undefined ? undefined : `${fileSize(Buffer.byteLength(content))} of JSON`;
}
