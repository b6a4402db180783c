import type { Output } from '../../base/system/system.ts';
import { visible } from '../../base/text/visible.ts';
import { printBody } from './print-body.ts';
import { printList } from './print-list.ts';
import { printRecord } from './print-record.ts';
import { printSingle } from './print-single.ts';
import { type PrintOptions, print } from './print-text.ts';
import { type ListResult, linesOf, type Result } from './result.ts';

/** Prints a result. Nothing else writes a command's output to stdout. */
export async function printResult(result: Result, options: PrintOptions): Promise<void> {
  switch (result.kind) {
    case 'list':
      return await (result.file === undefined ? printList : printToFile)(result, options);
    case 'record':
      return await printRecord(result, options);
    case 'done':
      await printSingle({ reply: result.reply, text: result.ids.map(visible).join('\n') }, options);
      if (result.failure === undefined) options.notes.say(...linesOf(result.message));
      return;
    case 'body':
      return await printBody(result, options);
    case 'stream':
      for (const piece of result.pieces) await print(options, piece);
      return;
    case 'text':
      if (result.verbatim === true) return await print(options, result.text);
      return await printSingle(
        {
          ...result,
          text: options.format === 'quiet' ? visible(result.quiet ?? result.text) : result.text,
        },
        options,
      );
  }
}

/** Writes a list to the file that replaces stdout, once it is complete. */
async function printToFile(result: ListResult, options: PrintOptions): Promise<void> {
  const pieces: string[] = [];
  const stdout: Output = {
    write(text, done) {
      pieces.push(text);
      done();
    },
  };
  await printList(result, { ...options, stdout });
  await result.file?.write(pieces);
  options.notes.say(result.file?.written ?? '');
}
