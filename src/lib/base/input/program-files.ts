/** How files of programs begin, read as latin1: what each is, as part of a sentence, and what to do in that program. */
const beginnings: readonly (readonly [begins: RegExp, is: string, hint: string])[] = [
  [
    /^PK[^ -~\s]{2}.*\bxl\/|^\xd0\xcf[^ -~]\xe0/s,
    'an Excel workbook',
    'In Excel: File > Save As > CSV UTF-8.',
  ],
  [
    /^PK[^ -~\s]{2}.*opendocument\.spreadsheet/s,
    'an OpenDocument spreadsheet',
    'In LibreOffice: File > Save As > Text CSV, with the character set Unicode (UTF-8).',
  ],
  [/^PK[^ -~\s]{2}.*\bIndex\//s, 'a Numbers spreadsheet', 'In Numbers: File > Export To > CSV.'],
  [
    /^PK[^ -~\s]{2}.*(?:\bword\/|opendocument\.text)/s,
    'a document of a word processor',
    'In that program, save it as plain text or HTML.',
  ],
  [/^PK[^ -~\s]{2}/, 'a ZIP archive', 'Unpack it, and give the file that is inside.'],
  [/^\{\\rtf\d/, 'a document in RTF', 'In that program, save it as plain text or HTML.'],
  [
    /^%PDF-/,
    'a PDF',
    'In the program that made it, export a table as CSV, and a text as plain text or HTML.',
  ],
  [
    /^(?:\xef\xbb\xbf)?\s*BEGIN:VCARD\b/i,
    'a vCard',
    'In the address book, export the contacts as CSV. In Google Contacts: Export > Google CSV.',
  ],
];

/** What a file is that only a program can read, by its first bytes; undefined for a text. */
export function programOf(bytes: Uint8Array) {
  const source = Buffer.from(bytes.subarray(0, 32 * 1024)).toString('latin1');
  const [, is, hint] = beginnings.find(([begins]) => begins.test(source)) ?? [];
  return is === undefined ? undefined : { is, hint };
}
