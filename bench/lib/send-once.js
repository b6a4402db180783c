// What `email send` has to be compared with: the shortest script with the published client. Not in
// TypeScript, so that its types do not have to be removed first.
import { UseSend } from 'usesend-js';

const [baseUrl, apiKey, email] = process.argv.slice(2);
const client = new UseSend(apiKey, baseUrl);
const { data, error } = await client.emails.send(JSON.parse(email));
if (error !== null) throw new Error(error.message);
process.stdout.write(`${data.emailId}\n`);
