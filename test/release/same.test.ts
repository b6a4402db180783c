import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { needing } from '../support/needs.ts';
import { node, root, temporaryDirectory } from '../support/process.ts';
import { folder, made, released, tarball, x64 } from './released.ts';

const email = '--from hello@example.com --to ana@example.org --subject S --text T';
const campaign = '--book Customers --from hello@example.com --subject S';

/** What people and scripts use most, in an order in which a later one finds what an earlier one has made. */
const lines = `
--version
--help
help email
email --help
email send --help
emial send
email sned
email send --sandbox
email send --sandbox --from x --to y --subject S --text T
email send --sandbox ${email}
email send --sandbox ${email} --json
email send --sandbox ${email} --quiet
email send --sandbox ${email} --wait
email send --sandbox ${email} --dry-run
email send --sandbox ${email} --dry-run --json
email send --sandbox ${email} --var name=Ana
email send --sandbox ${email} --attach people.csv --dry-run --json
email send --sandbox ${email} --cc b@example.org --reply-to c@example.org
email send --sandbox --from hello@example.com --to bounced@example.org --subject S --text T --wait --json
email send --sandbox --from hello@elsewhere.test --to a@example.org --subject S --text T
email send --sandbox --file email.json
email send --sandbox ${email} --scheduled-at 2099-01-01T00:00:00Z
email list --sandbox
email list --sandbox --json
email list --sandbox --jsonl --fields to,subject
email list --sandbox --csv --fields to,subject
email list --sandbox --limit 1
email list --sandbox --limit x
email list --sandbox --jq length
email list --sandbox --jq .[
email get none --sandbox
email check letter.html
email check letter.html --json
email check none.html
email list --sandbox --search ana
email batch people.csv --sandbox --from hello@example.com --subject {{name}} --text T --dry-run
email batch people.csv --sandbox --from hello@example.com --subject {{name}} --text T --yes --quiet
email batch people.csv --sandbox --from hello@example.com --subject {{name}} --text T --yes
email batch people.csv --sandbox --from hello@example.com --subject {{nme}} --text T --yes
email batch none.csv --sandbox --from hello@example.com --subject S --text T --yes
email export --sandbox --output -
run list
run list --json
domain list --sandbox
domain list --sandbox --json
domain list --sandbox --jsonl
domain list --sandbox --csv
domain list --sandbox --fields name,status
domain get example.com --sandbox
domain get example.com --sandbox --json
domain get none.test --sandbox
domain add new.test --sandbox --region us-east-1
domain records new.test --sandbox
domain check example.com --sandbox
domain check example.net --sandbox --json
domain verify example.org --sandbox
contact list --sandbox --book Customers
contact list --sandbox --book Customers --json
contact list --sandbox --book None
contact add --email ben@example.org --sandbox --book Customers
contact get ben@example.org --sandbox --book Customers --json
contact import people.csv --sandbox --book Customers --map email=to --dry-run
contact export --sandbox --book Customers
contact book list --sandbox
contact book list --sandbox --json
contact book create --sandbox --name Friends --double-opt-in off
segment list --sandbox
segment create --sandbox --name Pro --book Customers --where plan=pro
segment preview Pro --sandbox
template list --sandbox
template list --sandbox --json
campaign list --sandbox
campaign list --sandbox --json
campaign create --sandbox --name C ${campaign} --html letter.html
campaign create --sandbox --name C ${campaign} --html <p>Hello</p>
campaign create --sandbox --name C ${campaign} --html <a_href="{{usesend_unsubscribe_url}}">x</a>
campaign get C --sandbox
stats --sandbox
stats --sandbox --json
reputation --sandbox
whoami
whoami --sandbox
whoami --sandbox --json
doctor --sandbox --nothing
config list
config set timeout 5s
config set timeout soon
profile list
profile use none
policy show
policy set --allow-to *@example.org
email send --sandbox --from hello@example.com --to a@example.com --subject S --text T
policy unset --all
outbox list
outbox list --json
webhook events
commands
commands --json
commands email send --json
api GET /v1/domains --sandbox
api GET /v1/nothing --sandbox
webhook example email.delivered
webhook verify
skill
sandbox path
sandbox reset --yes
completion bash
completion zsh
completion fish
completion csh
__complete fish email s
__complete bash campaign list --status DR
logout
`
  .trim()
  .split('\n');

/** Output without what differs each time: ids, times, ports, and what of the sandbox is drawn. */
function masked(text: string, home: string): string {
  return (
    text
      .replaceAll(home, 'HOME')
      .replace(/\bc[a-z0-9]{24}\b/g, 'ID')
      .replace(/\b[0-9a-f]{8}-[0-9a-f-]{27}\b/g, 'UUID')
      .replace(/\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?Z?/g, 'TIME')
      .replace(/\b\d\d:\d\d(:\d\d)?\b/g, 'TIME')
      // Between two commands an email goes on or not.
      .replace(/\b(QUEUED|SENT|DELIVERED)\b/g, 'STATUS')
      .replace(/\b\d+(\.\d+)? (ms|s|seconds?)\b/g, 'DURATION')
      .replace(/[A-Za-z0-9+/=_-]{40,}/g, 'KEY')
  );
}

/** Runs the lines one after the other on a machine of their own. */
async function outcomes(program: readonly [string, ...string[]]) {
  const home = temporaryDirectory();
  const cwd = join(home, 'here');
  mkdirSync(cwd);
  writeFileSync(join(cwd, 'people.csv'), 'to,name\nana@example.org,Ana\nben@example.org,Ben\n');
  writeFileSync(join(cwd, 'letter.html'), '<p>Hello <a href="http://example.com">x</a></p>\n');
  const file = { from: 'hello@example.com', to: 'a@example.org', subject: 'S', text: 'T' };
  writeFileSync(join(cwd, 'email.json'), JSON.stringify(file));
  const [first, ...before] = program;
  const all: { line: string; exitCode: number | undefined; stdout: string; stderr: string }[] = [];
  for (const line of lines) {
    const words = line
      .split(' ')
      .map((word) => word.replace('_', word.startsWith('<') ? ' ' : '_'));
    const { exitCode, stdout, stderr } = await execa(first, [...before, ...words], {
      cwd,
      env: { HOME: home, PATH: `${dirname(node)}:${process.env.PATH}`, TZ: 'UTC' },
      extendEnv: false,
      input: '',
      reject: false,
    });
    all.push({ line, exitCode, stdout: masked(stdout, home), stderr: masked(stderr, home) });
  }
  return all;
}

test(
  'a hundred common commands print the same and end with the same code in package and executable',
  needing(x64, made(tarball), made(`${folder}.tar.gz`)),
  async () => {
    const directory = join(root, 'node_modules', '.cache', 'release', 'same');
    mkdirSync(directory, { recursive: true });
    await execa('tar', ['-xzf', released(`${folder}.tar.gz`), '-C', directory]);
    await execa('tar', ['-xzf', released(tarball), '-C', directory]);
    const [byPackage, byExecutable] = await Promise.all([
      outcomes([node, join(directory, 'package/bin/mailer.js')]),
      outcomes([join(directory, folder, 'bin/mailer')]),
    ]);
    expect(byPackage.length).toBeGreaterThanOrEqual(100);
    expect(byExecutable).toEqual(byPackage);
    // Most of them do what they say.
    const failed = byPackage.filter(({ exitCode }) => exitCode !== 0);
    expect(failed.map(({ line }) => line)).toMatchInlineSnapshot(`
      [
        "emial send",
        "email sned",
        "email send --sandbox",
        "email send --sandbox --from x --to y --subject S --text T",
        "email send --sandbox --from hello@example.com --to ana@example.org --subject S --text T --var name=Ana",
        "email send --sandbox --from hello@example.com --to bounced@example.org --subject S --text T --wait --json",
        "email send --sandbox --from hello@elsewhere.test --to a@example.org --subject S --text T",
        "email list --sandbox --limit x",
        "email list --sandbox --jq .[",
        "email get none --sandbox",
        "email check none.html",
        "email list --sandbox --search ana",
        "email batch people.csv --sandbox --from hello@example.com --subject {{nme}} --text T --yes",
        "email batch none.csv --sandbox --from hello@example.com --subject S --text T --yes",
        "email export --sandbox --output -",
        "domain get none.test --sandbox",
        "domain check example.net --sandbox --json",
        "contact list --sandbox --book None",
        "campaign create --sandbox --name C --book Customers --from hello@example.com --subject S --html letter.html",
        "campaign create --sandbox --name C --book Customers --from hello@example.com --subject S --html <p>Hello</p>",
        "whoami",
        "doctor --sandbox --nothing",
        "config set timeout soon",
        "profile use none",
        "email send --sandbox --from hello@example.com --to a@example.com --subject S --text T",
        "policy unset --all",
        "api GET /v1/nothing --sandbox",
        "webhook verify",
        "completion csh",
      ]
    `);
  },
);
