// What `email check` has to be compared with: only to read the HTML. Not in TypeScript, so that its types do
// not have to be removed first.
import { readFileSync } from 'node:fs';
import { parseDocument } from 'htmlparser2';

const [path] = process.argv.slice(2);
const { children } = parseDocument(readFileSync(path, 'utf8'), { withStartIndices: true });
process.stdout.write(`${children.length}\n`);
