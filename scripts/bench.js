// npm run bench: how fast the built program is, and how much memory it takes.
import { node, prepare, root, runOrExit } from './checkout.js';

prepare();
runOrExit(node, [`${root}bench/run.ts`, ...process.argv.slice(2)]);
