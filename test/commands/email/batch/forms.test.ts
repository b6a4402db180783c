import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvRow } from '../../../../src/lib/base/text/csv.ts';
import { accept, emailsIn } from '../../../support/batch-service.ts';
import { connected } from '../../../support/connected.ts';

/** Text as people and programs write it, with everything that CSV, JSON and Liquid could take for syntax. */
const text = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
  fc
    .array(
      fc.constantFrom(
        '"',
        ',',
        ';',
        '\n',
        '\r\n',
        '\t',
        '\\',
        '{{ x }}',
        '{%',
        ' ',
        "'",
        '=',
        'é',
        '👍',
        '\ufeff',
      ),
      {
        minLength: 1,
        maxLength: 8,
      },
    )
    .map((pieces) => pieces.join('')),
);

const rows = fc.array(fc.record({ subject: text, text }), { minLength: 6, maxLength: 12 });

/** Whether an email can be sent. If not, the program reports why in every form of input. */
const isSendable = ({ subject, text: body }: { subject: string; text: string }) =>
  !/[\r\n\x85\u2028\u2029\0]/.test(subject) &&
  subject.trim() !== '' &&
  body.trim() !== '' &&
  !body.includes('\0');

test('the same rows as CSV, JSON Lines and JSON are the same emails, to the letter', async () => {
  await fc.assert(
    fc.asyncProperty(rows, async (drawn) => {
      const given = drawn.filter(isSendable).map((row, index) => ({
        to: `p${index}@example.org`,
        from: 'hello@example.com',
        ...row,
      }));
      fc.pre(given.length > 0);
      const columns = ['to', 'from', 'subject', 'text'] as const;
      const csv = [columns, ...given.map((row) => columns.map((name) => row[name]))].map((cells) =>
        csvRow(cells),
      );
      const forms = {
        csv: csv.join(''),
        jsonl: given.map((row) => `${JSON.stringify(row)}\n`).join(''),
        json: JSON.stringify(given, null, 2),
      };
      for (const [form, input] of Object.entries(forms)) {
        const { run, service } = await connected(accept);
        const { exitCode, stderr } = await run('email batch - --yes --literal', { stdin: input });
        expect({ form, exitCode, stderr }).toMatchObject({ exitCode: 0 });
        expect([form, service.requests.flatMap((request) => emailsIn(request))]).toEqual([
          form,
          given,
        ]);
      }
    }),
    // Whatever is drawn, quotes and line breaks are tried.
    { numRuns: 8, examples: [[[{ subject: 'Say "hi"', text: 'a "b",\r\nc\n""' }]]] },
  );
});
