// The baseline for a large response: reads it, parses it, and prints it again.
const [url] = process.argv.slice(2);
const text = await (await fetch(url)).text();
process.stdout.write(`${JSON.stringify(JSON.parse(text))}\n`);
