import { Argument } from '@commander-js/extra-typings';
import { schemas } from '../json-schemas/load.ts';
import type { CompletionReply } from '../json-schemas/request-documents.ts';
import { parseChoice } from '../lib/base/input/choice.ts';
import { defineCommand } from '../lib/command-line/command/command.ts';
import type { LocalContext } from '../lib/command-line/command/context.ts';
import { documentOf } from '../lib/command-line/command/prints.ts';
import { shellScripts } from '../lib/command-line/completion/scripts.ts';
import { textResult } from '../lib/command-line/output/result.ts';

const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;

export const command = defineCommand({
  description:
    'The script completes commands, flags and their values, files, and the ids and names in your account. The examples show where to put it.',
  effects: {},
  prints: [documentOf('the script', schemas.request('completionReply'))],
  examples: {
    'mkdir -p ~/.local/share/bash-completion/completions && mailer completion bash > ~/.local/share/bash-completion/completions/mailer':
      'Bash with the package bash-completion',
    'source <(mailer completion bash)': 'Bash without it: a line for ~/.bashrc',
    'mkdir -p ~/.zfunc && mailer completion zsh > ~/.zfunc/_mailer':
      'zsh; before compinit, ~/.zshrc needs the line: fpath+=(~/.zfunc)',
    'mkdir -p ~/.config/fish/completions && mailer completion fish > ~/.config/fish/completions/mailer.fish':
      'fish',
    'New-Item -ItemType Directory -Force (Split-Path $PROFILE); mailer completion powershell >> $PROFILE':
      'PowerShell',
  },
  flags: (command) =>
    command.addArgument(
      new Argument('<bash|zsh|fish|powershell>', 'the shell to print a completion script for')
        .choices(shells)
        .argParser(parseChoice('SHELL', shells)),
    ),
  async run(context: LocalContext, _options, shell) {
    const script = shellScripts[shell];
    // The setting `output` does not apply, since a shell reads the script.
    const verbatim = context.flags.json !== true && context.flags.jq === undefined;
    return textResult({
      reply: { shell, script } satisfies CompletionReply,
      text: script,
      verbatim,
    });
  },
});
