import type { Shell } from './shell.ts';

/**
 * Fish quotes what it inserts, and chooses what matches. Where the condition fails, the other two
 * settings do not count either, and it completes files by itself.
 */
const script = `# fish completion for mailer

function __mailer_complete
    set -l words (commandline -xpc 2>/dev/null; or commandline -opc)
    set -l current (commandline -ct)
    set -g __mailer_candidates (command mailer __complete fish $words[2..] "$current" 2>/dev/null </dev/null)
end

complete -c mailer -n __mailer_complete -f -k -a '$__mailer_candidates'
`;

export const fish: Shell = {
  script,
  read(typed) {
    return {
      words: typed.slice(0, -1),
      // Fish gives it as it was typed; only its beginning matters here.
      current: (typed.at(-1) ?? '').replace(/^["']/, ''),
      answer: (candidates, prefix) =>
        candidates.map(({ value, description }) => `${prefix}${value}\t${description}`),
    };
  },
};
