import { visible } from '../text/visible.ts';
import { printBody } from './print-body.ts';
import { printList } from './print-list.ts';
import { printRecord } from './print-record.ts';
import { printSingle } from './print-single.ts';
import type { Result } from './result.ts';
import { type PrintOptions, print } from './sink.ts';

/** Shows a result: the one place where a command's words reach stdout. */
export async function printResult(result: Result, options: PrintOptions): Promise<void> {
  switch (result.kind) {
    case 'list':
      return await printList(result, options);
    case 'record':
      return await printRecord(result, options);
    case 'done':
      await printSingle({ reply: result.reply, text: result.ids.map(visible).join('\n') }, options);
      if (result.failure === undefined) options.notes.say(result.message);
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
