import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Bench } from './lib/bench.ts';
import { temporaryDirectory } from './lib/directories.ts';
import { writeReports } from './lib/report-files.ts';

const parser = fileURLToPath(new URL('lib/parse-reports.js', import.meta.url));

const filesOf = (quick: boolean) => (quick ? 100 : 2000);

export const bench: Bench = {
  summary: (quick) =>
    `dmarc report, ${filesOf(quick).toLocaleString('en')} files of gzip and ZIP, beside a process that only unpacks and parses them`,
  async run({ quick, samples }) {
    const files = filesOf(quick);
    const directory = temporaryDirectory();
    const of = (count: number) => {
      const path = join(directory, String(count));
      writeReports(path, count);
      return path;
    };
    const report = (path: string) => ({
      words: ['dmarc', 'report', path, '--selector', 's1', '--quiet'],
    });
    try {
      const all = of(files);
      const taken = await samples({
        mailer: report(all),
        parsing: { file: parser, words: [all] },
        few: report(of(files / 10)),
      });
      const values = (name: string, what: 'wall' | 'memory') =>
        (taken.get(name) ?? []).map((one) => one[what]);
      const goal = quick ? {} : { atMost: 1.5 };
      return [
        {
          what: 'all files',
          measured: values('mailer', 'wall'),
          unit: 'ms',
          amount: files,
          baselines: [
            { name: 'only unpacking and parsing', measured: values('parsing', 'wall'), ...goal },
          ],
        },
        {
          what: 'peak memory',
          measured: values('mailer', 'memory'),
          unit: 'KiB',
          baselines: [
            { name: `${files / 10} files`, measured: values('few', 'memory'), ...goal },
            { name: 'only unpacking and parsing', measured: values('parsing', 'memory') },
          ],
        },
      ];
    } finally {
      rmSync(directory, { recursive: true });
    }
  },
};
