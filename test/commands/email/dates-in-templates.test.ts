import { describe, expect, test } from 'vitest';
import { errorOf, fileIn } from '../../support/connected.ts';
import { createWorld, type World } from '../../support/run.ts';

const common = ['--from', 'a@example.com', '--text', 'x', '--sandbox'];

/** The subject of the one row of a file, or the error. */
async function subjectOf(
  value: unknown,
  output: string,
  flags: readonly string[] = [],
  world: World = createWorld({ TZ: 'America/New_York' }),
) {
  fileIn(world, 'rows.json', [{ to: 'ana@example.org', variables: { d: value } }]);
  const words = ['email', 'batch', 'rows.json', ...common, '--subject', output, ...flags];
  const { stdout, stderr, exitCode } = await world.run([
    ...words,
    ...['--preview', '1', '--fields', 'subject', '--no-header'],
  ]);
  return exitCode === 0 && !stderr.includes('row 1') ? stdout.trimEnd() : stderr;
}

const day = '{{ d | date: "%d %B %Y" }}';
const time = '{{ d | date: "%Y-%m-%d %H:%M %z" }}';

describe('a date in a template', () => {
  test.each([
    ['2026-12-24', '24 December 2026'],
    ['1965-05-01', '01 May 1965'],
    ['2026/12/24', '24 December 2026'],
    ['Dec 24, 2026', '24 December 2026'],
    ['24 December 2026', '24 December 2026'],
  ])('without an hour is that day everywhere: %s', async (value, expected) => {
    for (const zone of ['America/New_York', 'UTC', 'Asia/Tokyo', 'Pacific/Auckland']) {
      const world = createWorld({ TZ: zone });
      expect(await subjectOf(value, day, [], world)).toBe(expected);
      expect(await subjectOf(value, day, ['--timezone', 'Europe/Berlin'])).toBe(expected);
    }
    expect(await subjectOf(value, '{{ d | date: "%d %B %Y", "Asia/Tokyo" }}')).toBe(expected);
    expect(await subjectOf(value, '{{ d | date: "%d %B %Y", 360 }}')).toBe(expected);
  });

  test.each([
    ['{{ d | date: "%s" }}', '1798088400'],
    ['{{ d | date_to_string }}', '24 Dec 2026'],
    ['{{ d | date_to_long_string: "ordinal", "US" }}', 'December 24th, 2026'],
    ['{{ d | date_to_xmlschema }}', '2026-12-24T00:00:00-05:00'],
    ['{{ d | date_to_rfc822 }}', 'Thu, 24 Dec 2026 00:00:00 -0500'],
    ['{{ d | date: "%Z" }}', 'America/New_York'],
    ['{% assign e = d | date: "%d.%m." %}{{ e }}', '24.12.'],
  ])('is written by %s', async (output, expected) => {
    expect(await subjectOf('2026-12-24', output)).toBe(expected);
  });

  test.each([
    ['2026-12-24T23:30:00Z', [], '2026-12-24 18:30 -0500'],
    ['2026-12-24T23:30:00Z', ['--timezone', 'Europe/Berlin'], '2026-12-25 00:30 +0100'],
    ['2026-12-24 18:00', [], '2026-12-24 18:00 -0500'],
    ['2026-12-24 18:00', ['--timezone', 'Asia/Tokyo'], '2026-12-24 18:00 +0900'],
    [1_798_154_400, ['--timezone', 'UTC'], '2026-12-24 23:20 +0000'],
    ['1798154400', ['--timezone', 'UTC'], '2026-12-24 23:20 +0000'],
  ])('with an hour is shown in the zone in use: %s %s', async (value, flags, expected) => {
    expect(await subjectOf(value, time, flags)).toBe(expected);
  });

  test('is read in the zone of the settings', async () => {
    const world = createWorld({ TZ: 'America/New_York' });
    await world.run('config set timezone Asia/Tokyo');
    expect(await subjectOf('2026-12-24T23:30:00Z', time, [], world)).toBe('2026-12-25 08:30 +0900');
  });

  test('that a template names a zone for is shown in it', async () => {
    const output = '{{ d | date: "%H:%M", "Asia/Tokyo" }}';
    expect(await subjectOf('2026-12-24T23:30:00Z', output)).toBe('08:30');
    expect(await subjectOf('2026-12-24T23:30:00Z', '{{ d | date: "%H:%M", -540 }}')).toBe('08:30');
    expect(await subjectOf('2026-12-24', '{{ d | date: "%H", "Nowhere" }}')).toContain(
      '"Nowhere" is not a time zone',
    );
  });

  test('now is the time of the service', async () => {
    const world = createWorld({ TZ: 'UTC' });
    world.clock.now = Date.parse('2031-05-06T07:08:00Z');
    expect(await subjectOf('x', '{{ "now" | date: "%Y" }}', [], world)).toBe('2031');
  });

  test.each([
    ['03.04.2027', /date: "03.04.2027" is ambiguous/],
    ['24.12.2026', /date: "24.12.2026" is ambiguous/],
    ['3/4/2027', /is ambiguous/],
    ['2027-02-30', /date: "2027-02-30" is not a time/],
    ['TBD', /date: "TBD" is not a time/],
    ['20270403', /is not a date/],
    ['46380', /is not a date/],
    [1_798_070_400_000, /is not a date/],
    [2027, /is not a date/],
    [true, /is not a date/],
  ])('that is ambiguous or none is an error of the row: %s', async (value, problem) => {
    const error = await subjectOf(value, day);
    expect(error).toMatch(problem);
    expect(error).toMatch(/--subject: date: .*Write year, month and day|Write ISO 8601/);
    expect(error).toContain('row 1');
  });

  test.each([
    ['DD.MM.YYYY', /date: "DD\.MM\.YYYY" has no directive such as %d\. .*"%d\.%m\.%Y"/],
    ['', /date: "" has no directive/],
    ['%d.%m.%Q', /date: "%Q" in "%d\.%m\.%Q" is not known/],
    ['%F', /date: "%F" in "%F" is not known/],
    ['%d.%m.%', /date: "%" in "%d\.%m\.%" is not known/],
  ])(
    'in a format that Liquid writes as it stands is an error of the row: %s',
    async (format, problem) => {
      const error = await subjectOf('2026-12-24', `due {{ d | date: "${format}" }}`);
      expect(error).toMatch(problem);
      expect(error).toContain('row 1');
    },
  );

  test('in a format with flags and widths is written', async () => {
    expect(await subjectOf('2026-12-04', '{{ d | date: "%-d. %^b %10N %%" }}')).toBe(
      '4. DEC 0000000000 %',
    );
  });

  test('of a variable of email send is read alike', async () => {
    const send = async (value: string) =>
      await createWorld({ TZ: 'America/New_York' }).run([
        ...['email', 'send', '--to', 'ana@example.org', ...common, '--subject', day],
        ...['--var', `d=${value}`, '--dry-run', '--json'],
      ]);
    expect((await send('2026-12-24')).stdout).toContain('24 December 2026');
    const refused = await send('03.04.2027');
    expect(refused.exitCode).toBe(2);
    expect(errorOf(refused).message).toContain('"03.04.2027" is ambiguous');
  });

  test('in Markdown and HTML is read alike', async () => {
    const world = createWorld({ TZ: 'America/New_York' });
    fileIn(world, 'a.md', `# Due ${day}\n`);
    fileIn(world, 'rows.csv', 'to,d\nana@example.org,2026-12-24\n');
    const line =
      'email batch rows.csv --from a@example.com --subject Hi --sandbox --preview 1 --fields html';
    expect((await world.run(`${line} --markdown-file a.md`)).stdout).toContain('24 December 2026');
    fileIn(world, 'a.html', `<p>Due ${day}</p>`);
    expect((await world.run(`${line} --html-file a.html`)).stdout).toContain('24 December 2026');
  });
});
