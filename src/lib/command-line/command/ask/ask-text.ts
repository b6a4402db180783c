import type { EditedText } from '../../../base/system/system.ts';
import { nameOfEditor } from '../../../base/terminal/editor-name.ts';
import type { Context } from '../context.ts';

/** Asks for a line, or opens an editor for a text, until there is one. */
export async function askText(
  { prompts, system }: Context,
  what: 'Text' | 'HTML',
): Promise<string> {
  const editor = nameOfEditor(system);
  const question = `${what} (one line, or Enter for ${editor})`;
  const kind: EditedText = what === 'HTML' ? 'html' : 'txt';
  let problem = '';
  for (;;) {
    const line = await prompts.text(`${problem}${question}`, { optional: true });
    if (line.trim() !== '') return line;
    const text = await system.editText(kind);
    if (text !== undefined && text.trim() !== '') return text;
    problem =
      text === undefined
        ? `${editor} could not be started; set EDITOR to use another one. `
        : 'The text is empty. ';
  }
}
