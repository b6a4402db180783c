import { expect, test } from 'vitest';
import { createWorld } from '../../support/run.ts';

test('adds rules to the profile, which policy unset removes one by one', async () => {
  const world = createWorld();
  await world.run('policy set --allow-to *@example.com,x@y.org --max-recipients 5');
  const { stdout } = await world.run('policy set --campaigns off --json');
  expect(JSON.parse(stdout)).toEqual({
    profile: 'default',
    policy: { allowTo: ['*@example.com', 'x@y.org'], maxRecipients: 5, campaigns: false },
  });
  const unset = await world.run('policy unset allow-to campaigns --yes --json');
  expect(JSON.parse(unset.stdout)).toEqual({ profile: 'default', policy: { maxRecipients: 5 } });
});

test('--deny-to-file sets the list, from lines of other programs, too; --add adds to lists', async () => {
  const world = createWorld();
  const stdin = 'email\tstatus\nANA@example.com\tBOUNCED\nBo <bo@example.org>, *@example.net\n';
  const set = 'policy set --deny-to x@y.org --deny-to-file - --json';
  expect(JSON.parse((await world.run(set, { stdin })).stdout).policy).toEqual({
    denyTo: ['x@y.org', 'ANA@example.com', 'bo@example.org', '*@example.net'],
  });
  const add = 'policy set --add --deny-to-file - --max-recipients 5 --json';
  const more = await world.run(add, { stdin: 'bo@example.org\nlast@example.org\n' });
  expect(JSON.parse(more.stdout).policy).toEqual({
    denyTo: ['x@y.org', 'ANA@example.com', 'bo@example.org', '*@example.net', 'last@example.org'],
    maxRecipients: 5,
  });
  const check = await world.run('policy check ana+news@example.com');
  expect(check.stderr).toContain('deny-to in profile default denies this');
});

test.each([
  ['of mailer', 'affected,reason\nana@x.org,bounced\n"bo@x.org, cy@x.org",rejected\n'],
  ['of another program', 'Email,Name\nana@x.org,"Silva, Ana"\nbo@x.org,\ncy@x.org,Cy\n'],
  ['of Mailchimp', '"Email Address","First Name"\n"ana@x.org","Ana"\nbo@x.org,Bo\ncy@x.org,Cy\n'],
  ['of Excel', 'sep=;\nName;E-Mail\nAna;ana@x.org\nBo;bo@x.org\nCy;cy@x.org\n'],
  [
    'with the same addresses again, and senders',
    'From;Email;E-Mail lower\nhi@me.org;Ana@x.org;ana@X.org\n;bo@x.org;\n;cy@x.org;bo@x.org\n',
  ],
  ['with a cell too many', 'email,cc\nana@x.org,bo@x.org,cy@x.org\n'],
  ['of one column', '"Email Address"\nana@x.org\nbo@x.org, cy@x.org\n'],
])('--deny-to-file reads CSV %s by its header', async (_, stdin) => {
  const outcome = await createWorld().run('policy set --deny-to-file - --json', { stdin });
  expect(JSON.parse(outcome.stdout.toLowerCase()).policy).toEqual({
    denyto: ['ana@x.org', 'bo@x.org', 'cy@x.org'],
  });
});

test.each([
  ['Email,Secondary Email\nana@x.org,\nbo@x.org,cy@x.org\n', '"Email", "Secondary Email"'],
  ['email,email\nana@x.org,bo@x.org\n', '"email", "email"'],
  ['name;email;EMAIL\nAna;ana@x.org;Bo <bo@x.org>\n', '"email", "EMAIL"'],
  ['to,cc\nana@x.org,"bo@x.org, cy@x.org"\n', '"to", "cc"'],
  ['email\tname\tbackup\nana@x.org\tAna\tbo@x.org\n', '"email", "backup"'],
  ['ana@x.org\tAna\tbo@x.org\n', '"column 1", "column 3"'],
])('two columns of addresses are an error, and nothing changes: %j', async (stdin, columns) => {
  const world = createWorld();
  const outcome = await world.run('policy set --deny-to-file -', { stdin });
  expect(outcome).toMatchObject({ exitCode: 2 });
  expect(outcome.stderr).toContain(`--deny-to-file: several columns have addresses: ${columns}\n`);
  expect((await world.run('policy show --json')).stdout).toContain('"rules":[]');
  const line = 'contact update - --book Customers --unsubscribed --sandbox';
  const update = await world.run(line, { stdin });
  expect(update.exitCode).toBe(2);
  expect(update.stderr).toContain(`stdin: several columns have addresses: ${columns}\n`);
});

test.each([
  ['no column of addresses', '"Company","City"\nAcme,Porto\n', 'line 1 has no address: "Company"'],
  ['several', 'Name,To,Contact\nAna,ana@x.org,bo@x.org\n', 'line 1 has no address: "Name"'],
  [
    'a cell without an address',
    'Name,Email\nAna,ana@x.org\nBo,nobody\n',
    'line 3 has no address: "nobody"',
  ],
  [
    'several recipients',
    'id,to\n1,"ana@x.org, bo@x.org"\n',
    'line 2 has the recipients of an email',
  ],
])('--deny-to-file stops at CSV with %s', async (_, stdin, problem) => {
  const outcome = await createWorld().run('policy set --deny-to-file -', { stdin });
  expect(outcome).toMatchObject({ exitCode: 2 });
  expect(outcome.stderr).toContain(`--deny-to-file: ${problem}`);
});

test('an address is in a list once, however its letters are written', async () => {
  const world = createWorld();
  const set = 'policy set --add --deny-to A@x.org,*@NET.org,a@X.org,*@net.org --json';
  expect(JSON.parse((await world.run(set)).stdout).policy).toEqual({
    denyTo: ['A@x.org', '*@NET.org'],
  });
  const more = await world.run('policy set --add --deny-to-file - --json', {
    stdin: 'a@x.ORG\nb@x.org\nB@x.org\n',
  });
  expect(JSON.parse(more.stdout).policy).toEqual({ denyTo: ['A@x.org', '*@NET.org', 'b@x.org'] });
});

test('an empty --deny-to-file changes nothing, and ends with 0 only with --allow-empty', async () => {
  const world = createWorld();
  await world.run('policy set --deny-to x@y.org');
  const empty = await world.run('policy set --deny-to-file -', { stdin: '\n' });
  expect(empty).toMatchObject({ exitCode: 2 });
  expect(empty.stderr).toContain('--deny-to-file has no addresses.');
  const allowed = await world.run('policy set --deny-to-file - --allow-empty --json', {
    stdin: '',
  });
  expect(allowed.exitCode).toBe(0);
  expect(JSON.parse(allowed.stdout).policy).toEqual({ denyTo: ['x@y.org'] });
  const wrong = await world.run('policy set --deny-to-file -', { stdin: 'a@b.org\nnobody\n' });
  expect(wrong.stderr).toContain('--deny-to-file: line 2 has no address: "nobody"');
});

test('policy unset names the rules that it removed, and says so if there were none', async () => {
  const world = createWorld();
  await world.run('policy set --max-recipients 5');
  const some = await world.run('policy unset campaigns max-recipients --yes');
  expect(some.stderr).toBe(
    [
      'This makes the policy of profile default looser:\n  max-recipients: 5 → no rule\n',
      'Removed max-recipients from profile default. Rules in other places still apply: mailer policy show\n',
    ].join(''),
  );
  const none = await world.run('policy unset campaigns max-recipients --yes');
  expect(none).toMatchObject({
    exitCode: 0,
    stderr:
      'Profile default has no rule campaigns or max-recipients. To see the rules of all places: mailer policy show\n',
  });
});

test('loses no rule that another process sets at the same time', async () => {
  const world = createWorld();
  const lines = ['--max-per-day 5', '--allow-to *@example.com', '--campaigns off'];
  await Promise.all(lines.map(async (rule) => await world.run(`policy set ${rule}`)));
  const { stdout } = await world.run('policy show --quiet');
  expect(stdout).toBe('allow-to\nmax-per-day\ncampaigns\n');
});

test.each([
  ['policy set', 'There is no rule to set.'],
  [
    'policy set --allow-to nonsense',
    '--allow-to: "nonsense" is neither an email address nor a pattern',
  ],
  ['policy set --campaigns maybe', '"maybe" is not one of on, off'],
  ['policy set --redirect-to a@b@c', '--redirect-to: "a@b@c" is not an email address'],
  [
    'policy set --redirect-to *@example.com',
    '--redirect-to: "*@example.com" is not an email address\nHint: Patterns are not allowed here.',
  ],
  [
    'policy set --allow-to=',
    "--allow-to has no addresses.\nHint: To allow nobody: --deny-to '*@*'. To remove the rule: mailer policy unset allow-to",
  ],
  ['policy set --allow-from=,', '--allow-from has no addresses.'],
  [
    'policy set --max-per-day 5 --deny-to=',
    '--deny-to has no addresses.\nHint: To remove the rule: mailer policy unset deny-to',
  ],
  ['policy unset allow-too', 'There is no rule "allow-too".'],
  ['policy unset', 'Name the rules to remove'],
])('%s is an error, and nothing changes', async (line, message) => {
  const world = createWorld();
  await world.run('policy set --deny-to ana@example.org');
  const outcome = await world.run(line);
  expect(outcome).toMatchObject({
    exitCode: /^There is no (profile|rule ")/.test(message) ? 4 : 2,
    stdout: '',
  });
  expect(outcome.stderr).toContain(message);
  const { stdout } = await world.run('policy show --json');
  expect(JSON.parse(stdout).rules).toEqual([
    { rule: 'deny-to', value: 'ana@example.org', place: 'profile default' },
  ]);
});

test('policy unset --all asks, and needs --yes without a terminal: a guard is not removed by accident', async () => {
  const world = createWorld();
  await world.run('policy set --deny-to ana@example.org');
  const kept = await world.run('policy unset --all');
  expect(kept).toMatchObject({ exitCode: 2, stdout: '' });
  expect(kept.stderr).toContain('--yes');
  const rules = async () => JSON.parse((await world.run('policy show --json')).stdout).rules;
  expect(await rules()).toHaveLength(1);
  expect(await world.run('policy unset --all --yes')).toMatchObject({ exitCode: 0 });
  expect(await rules()).toEqual([]);
  expect(await world.run('policy unset --all')).toMatchObject({
    exitCode: 0,
    stderr: 'Profile default has no rules. To see the rules of all places: mailer policy show\n',
  });
});

test('a pattern that no address could match is an error of the flag that gave it', async () => {
  const { exitCode, stderr } = await createWorld().run('policy set --deny-to-file -', {
    stdin: 'a@b.org\n*\n',
  });
  expect(exitCode).toBe(2);
  expect(stderr).toContain('Error: --deny-to-file: "*" is neither an email address nor a pattern');
});
