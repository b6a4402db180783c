// npm start: sends real requests to the sandbox. A person could type every command it runs.
import { spawnSync } from 'node:child_process';
import { node, prepare, root } from './checkout.js';

prepare();

const send =
  'email send --sandbox --from hello@example.com --to opened+you@example.org --wait=OPENED';
const texts = ['--subject', 'Hello from mailer', '--text', 'It works.'];
const sent = show([...send.split(' '), ...texts]);
const listed = sent && show('email list --sandbox --limit 5'.split(' '));
if (!listed) process.exit(1);

process.stdout.write(`
That was the embedded sandbox, a complete local service.
Nothing has left this machine.

Three commands to try next:

  bin/mailer.js sandbox start      the same with an inbox, at the URL it prints
  bin/mailer.js email send --help  everything a send can do
  bin/mailer.js login              use a real account

To have mailer everywhere, as long as this folder stays:

  npm install --global ${quoted(root.replace(/[\\/]$/, ''))}
`);

/** Shows a command line, runs it on this terminal, and returns whether it succeeded. */
function show(words) {
  process.stdout.write(`\n$ mailer ${words.map(quoted).join(' ')}\n`);
  const result = spawnSync(node, [`${root}bin/mailer.js`, ...words], { stdio: 'inherit' });
  return result.status === 0;
}

function quoted(word) {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `"${word}"`;
}
