// The baseline for `email send`: the shortest script with the published client. Not in TypeScript, whose
// types Node would have to strip first.
import { UseSend } from 'usesend-js';

const [baseUrl, apiKey, email] = process.argv.slice(2);
const client = new UseSend(apiKey, baseUrl);
const { data, error } = await client.emails.send(JSON.parse(email));
if (error !== null) throw new Error(error.message);
process.stdout.write(`${data.emailId}\n`);
