// The baseline for `email check`: only parses the HTML. Not in TypeScript, whose types Node would have to
// strip first.
import { readFileSync } from 'node:fs';
import { parseDocument } from 'htmlparser2';

const [path] = process.argv.slice(2);
const { children } = parseDocument(readFileSync(path, 'utf8'), { withStartIndices: true });
process.stdout.write(`${children.length}\n`);
