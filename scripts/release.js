// npm run release: see scripts/release/make.js, which this starts in the toolchain's Node once the packages are installed.
import { node, prepare, runOrExit } from './checkout.js';

prepare();
runOrExit(node, ['scripts/release/make.js', ...process.argv.slice(2)]);
