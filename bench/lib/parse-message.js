// The baseline for a large message: parses the file with the same library.
import { readFileSync } from 'node:fs';
import PostalMime from 'postal-mime';

const [path] = process.argv.slice(2);
const { subject } = await PostalMime.parse(readFileSync(path));
process.stdout.write(`${subject}\n`);
