import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runHere } from '../../support/here.ts';
import { type Need, needing, ofNode, works } from '../../support/needs.ts';
import { patience } from '../../support/patience.ts';
import { createPlace, isExecutable, launcher, program } from '../../support/process.ts';
import { startRecorder } from '../../support/recorder.ts';

const accepted = { body: { emailId: 'email_1' } };

/** A place with the program as `sendmail`, settings, and a service that accepts two emails. */
async function setUp() {
  const service = await startRecorder(accepted, accepted);
  const place = createPlace({
    MAILER_API_KEY: 'us_key_1234567890',
    MAILER_BASE_URL: service.baseUrl,
  });
  await runHere(place, ['config', 'set', 'from', 'Acme <acme@example.com>']);
  await runHere(place, ['config', 'set', 'local-mail-to', 'ops@example.com']);
  const sendmail = join(place.home, 'bin', 'sendmail');
  mkdirSync(join(place.home, 'bin'));
  // Programs need a path: the executable, or a script that runs the program with Node.
  if (isExecutable) symlinkSync(program, sendmail);
  else {
    writeFileSync(sendmail, launcher.replace('"$@"', 'sendmail "$@"'), { mode: 0o755 });
  }
  writeFileSync(join(place.home, 'mailrc'), `set sendmail=${sendmail}\n`);
  const shell = (line: string) =>
    place.shell(line, { env: { MAILRC: join(place.home, 'mailrc'), SENDMAIL: sendmail } });
  const sent = () => service.requests.map(({ body }) => JSON.parse(body));
  return { place, sendmail, shell, sent, service };
}

test('a link called sendmail is mailer sendmail', needing(ofNode), async () => {
  const { place, sent } = await setUp();
  const link = join(place.home, 'sendmail');
  symlinkSync(program, link);
  const outcome = await place.run('-t', { file: link, input: 'To: root\nSubject: Hi\n\nHello\n' });
  expect(outcome).toMatchObject({ exitCode: 0, stdout: '', stderr: '' });
  expect(sent()).toMatchObject([{ to: 'ops@example.com', from: 'Acme <acme@example.com>' }]);
});

test('what cron hands over', async () => {
  const { shell, sent } = await setUp();
  const mail =
    'From: root (Cron Daemon)\\nTo: root\\nSubject: Cron <root@web1> job\\nContent-Type: text/plain; charset=US-ASCII\\nX-Cron-Env: <SHELL=/bin/sh>\\nX-Cron-Env: <MAILER_API_KEY=us_key>\\n\\nGr\\303\\274\\303\\237e\\n';
  const line = `printf '${mail}' | "$SENDMAIL" -i -FCronDaemon -B8BITMIME -oem root`;
  expect(await shell(line)).toMatchObject({ exitCode: 0, stdout: '', stderr: '' });
  expect(sent()).toMatchObject([
    {
      from: 'Cron Daemon <acme@example.com>',
      to: 'ops@example.com',
      subject: 'Cron <root@web1> job',
      text: 'Grüße\n',
    },
  ]);
  expect(JSON.stringify(sent())).not.toMatch(/X-Cron-Env/i);
});

const mailx = works('bsd-mailx -E -s Hi ana@example.org </dev/null', 'bsd-mailx');

test('mail(1) sends', needing(mailx), async () => {
  const { shell, sent, service } = await setUp();
  await shell('echo Hello | bsd-mailx -s Hi -b bea@example.org ana@example.org root');
  await expect.poll(() => service.requests.length, { timeout: patience }).toBe(1);
  expect(sent()).toMatchObject([
    { to: ['ana@example.org', 'ops@example.com'], bcc: 'bea@example.org', text: 'Hello\n' },
  ]);
});

const mailutils = works('mail.mailutils --version', 'mailutils');

test('mail(1) of mailutils sends', needing(mailutils), async () => {
  const { shell, sent, place } = await setUp();
  // It appends the machine's full name to users, as on a machine with a domain.
  const settings = `address { email-domain "${hostname()}.web.example.com"; };`;
  writeFileSync(join(place.home, 'mailutils.conf'), settings);
  const { exitCode } = await shell(
    'echo Hello | mail.mailutils --config-file=mailutils.conf -E "set sendmail=sendmail://$SENDMAIL" -s Hi ana@example.org root',
  );
  expect(exitCode).toBe(0);
  expect(sent()).toMatchObject([
    {
      from: 'Acme <acme@example.com>',
      to: ['ana@example.org', 'ops@example.com'],
      text: 'Hello\n',
    },
  ]);
});

test('mutt sends', needing(works('mutt -v', 'mutt')), async () => {
  const { shell, sent, service } = await setUp();
  const flags = `-n -e "set sendmail='$SENDMAIL -oem -oi'" -e 'set from=me@example.com copy=no'`;
  const { exitCode } = await shell(
    `echo Hello | mutt ${flags} -s Hi -c carl@example.org -b bea@example.org -- ana@example.org`,
  );
  expect(exitCode).toBe(0);
  expect(sent()).toMatchObject([
    { to: 'ana@example.org', cc: 'carl@example.org', bcc: 'bea@example.org', text: 'Hello\n' },
  ]);
  expect(service.requests[0]?.headers['idempotency-key']).toMatch(/^sendmail-/);
});

const php = works(`php -r 'exit(function_exists("mail") ? 0 : 1);'`, 'php-cli');

test("PHP's mail() sends, and returns false for an error", needing(php), async () => {
  const { shell, sent } = await setUp();
  const php = (to: string) =>
    `php -d sendmail_path="$SENDMAIL -t -i" -r 'var_dump(mail("${to}", "Hi", "Hello\\n.\\nx", "From: a@example.com\\r\\nBcc: b@example.org"));'`;
  expect((await shell(php('ana@example.org'))).stdout).toContain('bool(true)');
  expect(sent()).toMatchObject([
    { to: 'ana@example.org', bcc: 'b@example.org', text: 'Hello\n.\nx\n' },
  ]);
  expect((await shell(php('no@an@address'))).stdout).toContain('bool(false)');
});

/** Reads a patch and its addresses, for which it needs modules of Perl. */
const triesGit = [
  'cd "$(mktemp -d)" && trap \'rm -r "$PWD"\' EXIT',
  "printf 'From: me@example.com\\nSubject: Hi\\n\\nHello\\n' >patch",
  'git send-email --dry-run --confirm=never --from=me@example.com --to=ana@example.org --smtp-server=/bin/true patch',
].join(' && ');

const gitSendEmail: Need = {
  ...works(triesGit, 'git-email'),
  why: 'git send-email is missing (Debian packages git-email and libmailtools-perl)',
};

test('git send-email sends', needing(gitSendEmail), async () => {
  const { shell, sent } = await setUp();
  const git = 'git -c user.name=Me -c user.email=me@example.com';
  const { exitCode, stderr } = await shell(
    [
      `${git} init -q r && cd r && echo a > a && git add a && ${git} commit -qm First`,
      `${git} format-patch -q --root -1`,
      `${git} send-email --quiet --confirm=never --suppress-cc=all --to=ana@example.org --smtp-server="$SENDMAIL" *.patch`,
    ].join(' && '),
  );
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  expect(sent()).toMatchObject([
    { to: 'ana@example.org', from: 'Me <me@example.com>', subject: '[PATCH] First' },
  ]);
});
