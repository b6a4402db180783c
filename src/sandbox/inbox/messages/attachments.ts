import { html } from 'hono/html';
import { fileSize } from '../../../shared/file-size.ts';
import type { Attachment } from '../../model/email/message.ts';
import type { Html } from '../page/html.ts';

/** Kinds of files by extension. */
const kinds = [
  ['PDF', 'page', 'pdf'],
  ['Image', 'picture', 'png jpg jpeg gif webp svg avif heic bmp tiff'],
  ['Document', 'page', 'doc docx odt rtf pages'],
  ['Spreadsheet', 'page', 'xls xlsx ods csv tsv'],
  ['Presentation', 'page', 'ppt pptx odp'],
  ['Text', 'page', 'txt md log'],
  ['Web page', 'page', 'html htm'],
  ['Calendar entry', 'page', 'ics'],
  ['Contact', 'page', 'vcf'],
  ['Message', 'page', 'eml'],
  ['Archive', 'box', 'zip gz tgz tar 7z rar'],
] as const;

/** The strokes of each icon. */
const icons = {
  page: 'M5 2.500h6.500l3.500 3.500v11.500H5zM11.500 2.500v3.500H15',
  picture: 'M3 4h14v12H3zM3 13.500l4-4 4.500 4.500 2.500-2.500 3 3M13 7.500v.1',
  box: 'M3 4h14v3.500H3zM4 7.500h12v8.500H4zM8 11h4',
} as const;

/** The attachments of a message, to download. `url` is that of the message. */
export function attachmentList(attachments: readonly Attachment[], url: string): Html {
  return html`<ul class="files">${attachments.map(({ position, filename, size }) => {
    const [kind, icon] = kindOf(filename);
    return html`<li><a class="file" href="${url}/attachments/${position}" download><svg width="24"
height="24" viewBox="0 0 20 20" fill="none" stroke="currentColor" stroke-width="1.300"
stroke-linejoin="round" stroke-linecap="round" aria-hidden="true"><path d="${icons[icon]}"/></svg>
<div><bdi>${filename}</bdi> <div class="muted small">${kind}, ${fileSize(size)}</div></div></a></li>`;
  })}</ul>`;
}

function kindOf(filename: string): readonly [string, keyof typeof icons] {
  const ending = /\.(\w{1,5})$/.exec(filename)?.[1]?.toLowerCase() ?? '';
  const [kind = 'File', icon = 'page'] =
    kinds.find(([, , endings]) => endings.split(' ').includes(ending)) ?? [];
  return [kind, icon];
}
