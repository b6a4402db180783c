import { defineCommand } from '../lib/command.ts';
import { shellNamed, shellNames } from '../lib/completion/shell.ts';
import { UsageError } from '../lib/errors.ts';
import { textResult } from '../lib/output/result.ts';
import { visible } from '../lib/text/visible.ts';

export const command = defineCommand({
  examples: [
    [
      'mailer completion bash > ~/.local/share/bash-completion/completions/mailer',
      'Bash, with the package bash-completion: read at the first TAB, not when the shell starts',
    ],
    ['source <(mailer completion bash)', 'Bash without that package, as a line of ~/.bashrc'],
    [
      'mailer completion zsh > ~/.zfunc/_mailer',
      'zsh, where ~/.zshrc has: fpath+=(~/.zfunc); autoload -Uz compinit; compinit',
    ],
    ['mailer completion fish > ~/.config/fish/completions/mailer.fish', 'fish'],
    ['mailer completion powershell >> $PROFILE', 'PowerShell'],
  ],
  flags: (command) =>
    command.argument('<bash|zsh|fish|powershell>', 'the shell to print a completion script for'),
  async run(_context, _options, name) {
    const shell = await shellNamed(name);
    if (shell !== undefined) {
      return textResult({ reply: undefined, text: shell.script, verbatim: true });
    }
    throw new UsageError(`There is no completion for "${visible(name)}".`, {
      hint: `There is one for: ${shellNames.join(', ')}`,
    });
  },
});
