import { MailerError, UsageError } from '../../base/errors.ts';
import type { CommandModel } from '../../command-line/command/command-model.ts';
import type { LocalContext } from '../../command-line/command/context.ts';
import { flagsOfAccount } from './account-flags.ts';
import { maySend } from './may-send.ts';
import { runInside } from './run-inside.ts';
import { readToolInput } from './tool-input.ts';
import { failedOutput, outputOf, type ToolOutput } from './tool-output.ts';
import type { Tool } from './tools.ts';

/** A tool as it is offered. */
export interface OfferedTool {
  readonly tool: Tool;
  readonly model: CommandModel;
}

/**
 * Runs the command of a tool. Whatever the fields are, it is that command, with the account of the server, as JSON and
 * without questions. A wrong field is a failure and throws nothing.
 */
export async function callTool(
  context: LocalContext,
  { tool, model }: OfferedTool,
  { root, given }: { readonly root: string | undefined; readonly given: unknown },
  signal: AbortSignal,
): Promise<ToolOutput> {
  try {
    const { words, argument, bodies, digest } = readToolInput(tool, model, root, given);
    const run = async (command: string, rest: readonly string[]) => {
      const [of = model] = command === tool.command ? [] : await context.models(command.split(' '));
      const fixed = [...flagsOfAccount(context.flags, of), '--json', '--no-input'];
      return await runInside(context, [...command.split(' '), ...fixed, ...rest], signal);
    };
    if (tool.only === 'sends' && !(await maySend(context, signal))) {
      throw new UsageError('There is no policy with allow-to any more, so nothing was sent');
    }
    if (tool.first !== undefined) {
      const before = await run(tool.first, argument);
      if (before.exitCode !== 0) return outputOf(tool, { ...before, stdout: '' }, false);
      if (tool.only === 'sends' && JSON.parse(before.stdout).digest !== digest) {
        throw new UsageError('The entry has another digest, so nothing was sent', {
          hint: 'Give the digest that prepare_email returned. To send other content, prepare a new email.',
        });
      }
    }
    return outputOf(tool, await run(tool.command, [...(tool.always ?? []), ...words]), bodies);
  } catch (error) {
    if (!(error instanceof MailerError)) throw error;
    return failedOutput(error.code, error.message, error.details.hint);
  }
}
