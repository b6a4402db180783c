// The first file of the executable, where nothing is gained by a loader: what is compiled is in it.
import { fixedText } from './fixed-text.ts';
import { writeAtOnce } from './stdout.ts';

async function start(): Promise<void> {
  const argv = process.argv.slice(2);
  const text = fixedText(argv);
  if (text !== undefined && writeAtOnce(text, process.platform)) return;
  const { runHere } = await import('./cli.ts');
  await runHere(argv);
}

start();
