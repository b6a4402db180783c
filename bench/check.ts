import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Bench } from './lib/bench.ts';
import { home } from './lib/directories.ts';
import { timeInTurn } from './lib/in-turn.ts';
import { program } from './lib/measure.ts';

const row =
  '<tr><td style="color:#333;background:#fff;padding:8px"><a href="https://a.example/p?id=1"><img src="https://a.example/a.png" alt="A" width="20"></a> Text of a letter, in a paragraph.</td></tr>\n';

const parser = fileURLToPath(new URL('lib/parse-html.js', import.meta.url));
const bare = 'node -e 0';
const parsing = 'htmlparser2, parsing alone';

export const bench: Bench = {
  summary: () => 'email check, 100 kB of HTML, beside a process that only parses it',
  async run({ quick, runs }) {
    const file = join(home, 'page.html');
    const rows = row.repeat(Math.ceil(100_000 / row.length));
    writeFileSync(
      file,
      `<style>a:hover{color:red} .b>td{padding:3px}</style><table>${rows}</table>`,
    );
    const check = [process.execPath, program, 'email', 'check', file];
    const figures = await timeInTurn(
      {
        [bare]: { command: [process.execPath, '-e', '0'] },
        [parsing]: { command: [process.execPath, parser, file], prints: '\n' },
        'email check': {
          command: [...check, '--fail-on', 'never'],
          beside: { [bare]: undefined, [parsing]: 3 },
          prints: 'support/',
        },
      },
      { quick, runs },
    );
    const budget = { name: 'budget', measured: [300], ...(quick ? {} : { atMost: 1 }) };
    return figures.map((one) => ({ ...one, baselines: [budget, ...one.baselines] }));
  },
};
