import { rememberLastCreated } from '../../../command-line/command/names/last-made.ts';
import { createRowWarnings } from './row-warnings.ts';
import { sendParts } from './send-parts.ts';
import { type SendRestOptions, sendingOptions } from './sending-options.ts';

/** Sends what is left of a run. The last email accepted meanwhile is then `@last`, even if this throws. */
export async function sendRest(options: SendRestOptions): Promise<void> {
  const { context, progress, run } = options;
  const { journal } = run;
  const warnings = createRowWarnings();
  const before = journal.counts().accepted;
  try {
    const sending = () => sendParts(sendingOptions(options, warnings.add));
    await context.progress.during('', sending, progress.view);
  } finally {
    for (const lines of warnings.lines()) context.notes.warn(...lines);
    const id = journal.counts().accepted > before ? journal.lastAccepted() : undefined;
    if (id !== undefined) await rememberLastCreated(context, 'email', id);
  }
}
