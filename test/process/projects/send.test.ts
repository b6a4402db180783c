import { describe, expect, test } from 'vitest';
import { type Connected, connected, errorOf } from '../../support/connected.ts';
import { mjmlEmail, reactEmail, withPackages } from '../../support/packages.ts';

const accepted = { body: { emailId: 'email_1' } };
const line = 'email send --to a@b.example --from c@d.example --subject Hi';

/** An account, and a project with all packages installed. */
async function project(): Promise<Connected> {
  const all = await connected(accepted);
  withPackages(all.world);
  for (const [name, content] of Object.entries(reactEmail)) all.file(name, content);
  all.file('hi.mjml', mjmlEmail.replace('{{ color }}', 'red'));
  return all;
}

const including = (path: string) => `<mjml><mj-body><mj-include path="${path}" /></mj-body></mjml>`;

/** The error of a command line that sends nothing. */
async function errorIn({ run, requests }: Connected, words: string) {
  const outcome = await run(`${words} --json`);
  expect(outcome.exitCode).toBe(2);
  expect(requests()).toEqual([]);
  return errorOf(outcome);
}

describe('--mjml-file', () => {
  test('HTML by the project’s mjml, and a text part without the preview text', async () => {
    const { run, sent } = await project();
    expect(await run(`${line} --mjml-file hi.mjml --literal`)).toMatchObject({ exitCode: 0 });
    expect(sent().html).toMatch(/<!doctype html>.*color:red;"\s*>Hi \{\{ name \}\}</s);
    expect(sent().text).toBe('Hi {{ name }}\n\nOpen (https://example.com/?n={{ name }})');
  });

  test('MJML of stdin uses the packages of the current directory', async () => {
    const { run, sent } = await project();
    const stdin = mjmlEmail.replace('{{ color }}', 'red');
    expect(await run(`${line} --mjml-file - --var name=Ana`, { stdin })).toMatchObject({
      exitCode: 0,
    });
    expect(sent().html).toContain('Hi Ana');
  });

  test('a file of mj-include is read, a missing one is an error', async () => {
    const all = await project();
    all.file(
      'parts/foot.mjml',
      '<mj-section><mj-column><mj-text>Foot</mj-text></mj-column></mj-section>',
    );
    all.file('mails/a.mjml', including('../parts/foot.mjml'));
    await all.run(`${line} --mjml-file mails/a.mjml`);
    expect(all.sent()).toMatchObject({ text: 'Foot' });
    const other = await project();
    other.file('a.mjml', including('./none.mjml'));
    const { message } = await errorIn(other, `${line} --mjml-file a.mjml`);
    expect(message).toBe(
      '--mjml-file: a file of mj-include cannot be read; it must be in the folder of the template or in the current directory',
    );
  });

  test.each([
    ['<mjml><mj-body><mj-txt /></mj-body></mjml>', "line 1: Element mj-txt doesn't exist"],
    ['Hello', 'Parsing failed. Check your mjml.'],
    ['', 'Parsing failed. Check your mjml.'],
  ])('%j: an error', async (content, message) => {
    const all = await project();
    all.file('a.mjml', content);
    const error = await errorIn(all, `${line} --mjml-file a.mjml`);
    expect(error.message).toContain(`--mjml-file: ${message}`);
  });
});

describe('--react-email', () => {
  test('a component in TypeScript, with variables as its props', async () => {
    const { run, sent, file } = await project();
    file('values.json', { name: '<Ana>', items: ['Tea', 'Cake'] });
    const outcome = await run(`${line} --react-email emails/hello.tsx --vars-file values.json`);
    expect(outcome).toMatchObject({ exitCode: 0 });
    const { html, text, ...others } = sent();
    expect(others).toEqual({ to: 'a@b.example', from: 'c@d.example', subject: 'Hi' });
    expect(html).toMatch(/^<!DOCTYPE html.*<p>Hi &lt;Ana&gt;<\/p><ul><li>Tea<\/li>/s);
    expect(text).toBe('Hi <Ana>\n\n- Tea\n- Cake\n\nOpen (https://example.com/)');
  });

  test('a value that is undefined beside text stops the email with its place; an empty one does not', async () => {
    const all = await connected(accepted, accepted);
    withPackages(all.world);
    const component = (shown: string) =>
      `export default ({ name, shop }) => (\n  <p>\n    Dear ${shown}, welcome.\n    {shop && <b>Shop</b>}\n  </p>\n);\n`;
    all.file('emails/gap.tsx', component('{name}'));
    const send = `${line} --react-email emails/gap.tsx`;
    const error = await errorIn(all, send);
    expect(error.message).toMatch(
      /^--react-email: gap\.tsx:\d+:\d+: a value in the text is undefined: "Dear \{…\}, welcome\."$/,
    );
    expect(error.hint).toContain('--var name=');
    await all.run(`${send} --var name=`);
    expect(all.sent().html).toContain('Dear <!-- -->, welcome.');
    const other = await project();
    other.file('emails/link.tsx', 'export default ({ url }) => <p>Hi <a href={url}>Reset</a></p>;');
    expect((await errorIn(other, `${line} --react-email emails/link.tsx`)).message).toBe(
      '--react-email: link.tsx:1:35: the href of <a> is undefined',
    );
    all.file('emails/gap.tsx', component('{name ?? "reader"}'));
    await all.run(send);
    expect(all.sent(1).html).toContain('>reader<');
  });

  test.each([
    ['a prop in a text', '{"Hi " + name + ","}', 'Hi undefined,'],
    ['a prop to calculate with', '{2 * price} €', 'NaN €'],
    ['an object in a text', '{"For " + address}', 'For [object Object]'],
  ])('%s that is missing or misspelt stops the email', async (_, written, wrote) => {
    const all = await project();
    all.file('a.tsx', `export default ({ name, price, address }: Props) => <p>${written}</p>;`);
    all.file('vars.json', { nmae: 'Ana', address: { city: 'Rome' } });
    const { message, hint } = await errorIn(
      all,
      `${line} --react-email a.tsx --vars-file vars.json`,
    );
    expect(message).toContain('A program wrote this for a missing value:');
    expect(message).toContain(wrote);
    expect(hint).toContain('Give the component or the template its value');
  });

  test('a send uses no examples of the component, and what it prints stays out of stdout', async () => {
    const { run, sent, file } = await project();
    file(
      'a.tsx',
      `console.log('{"html":"printed"}');
      const A = ({ name = 'none' }: { name?: string }) => <p>{name}</p>;
      A.PreviewProps = { name: 'Example' };
      export default A;`,
    );
    const { exitCode, stdout } = await run(`${line} --react-email a.tsx --quiet`);
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'email_1\n' });
    expect(sent().text).toBe('none');
  });

  test.each([
    [
      'a.mjs',
      "import { createElement } from 'react';\nexport default () => createElement('p', {}, 'Hi');",
    ],
    ['a.cjs', "exports.default = () => require('react').createElement('p', {}, 'Hi');"],
    ['a.jsx', 'export default function A() { return <p>Hi</p>; }'],
  ])('%s is a component, too', async (name, content) => {
    const { run, sent, file } = await project();
    file(name, content);
    expect(await run(`${line} --react-email ${name}`)).toMatchObject({ exitCode: 0 });
    expect(sent()).toMatchObject({ text: 'Hi' });
  });

  test('the project’s code gets no variables of this program', async () => {
    const { run, sent, file } = await project();
    file('a.jsx', 'export default () => <p>{Object.keys(process.env).join(" ")}</p>;');
    const env = { OTHER: 'x', mailer_config_dir: '/x' };
    expect(await run(`${line} --react-email a.jsx`, { env })).toMatchObject({ exitCode: 0 });
    expect(sent().text).toContain('OTHER');
    expect(sent().text).not.toMatch(/mailer_/i);
  });

  test.each([
    ['export default 1;', 'it has no component as its default export'],
    ['export default () => <p>', 'a.tsx:1:25: Unexpected end of file'],
    [
      'export default ({ a }) => {\n  return <p>{a.b.c}</p>;\n};',
      "a.tsx:2:16: Cannot read properties of undefined (reading 'b')",
    ],
    ["import 'nonesuch';\nexport default () => <p />;", "Cannot find module 'nonesuch'"],
    ['export default () => process.exit(3);', 'The Node process ended with code 3'],
  ])('%j: an error', async (content, message) => {
    const all = await project();
    all.file('a.tsx', content);
    const error = await errorIn(all, `${line} --react-email a.tsx`);
    expect(error.message).toContain('--react-email: ');
    expect(error.message).toContain(message);
  });

  test('stdin is no file', async () => {
    const { message } = await errorIn(await project(), `${line} --react-email -`);
    expect(message).toBe('--react-email needs a file');
  });
});

test.each([
  ['--mjml-file hi.mjml', 'npm install mjml'],
  ['--react-email emails/hello.tsx', 'npm install react @react-email/render react-dom esbuild'],
  ['--react-email a.mjs', 'npm install react @react-email/render react-dom'],
])('%s in a project without the packages: what to install', async (flags, install) => {
  const all = await connected(accepted);
  for (const [name, content] of Object.entries(reactEmail)) all.file(name, content);
  all.file('hi.mjml', mjmlEmail);
  all.file('a.mjs', '');
  const { message, hint } = await errorIn(all, `${line} ${flags}`);
  expect(message).toMatch(/^--[a-z-]+ needs packages that are not installed: /);
  expect(hint).toBe(`Install them where the file is: ${install}`);
});

test('several bodies are an error', async () => {
  const all = await project();
  const several = await errorIn(all, `${line} --mjml-file hi.mjml --react-email emails/hello.tsx`);
  expect(several.message).toBe('--mjml-file and --react-email cannot be used together');
});

describe('email check', () => {
  const codes = async ({ run }: Connected, words: string) => {
    const { stdout } = await run(`email check ${words} --json`);
    return JSON.parse(stdout).findings.map(({ code }: { code: string }) => code);
  };

  test('of a component without values checks it with its examples', async () => {
    const all = await project();
    expect(await codes(all, 'emails/hello.tsx')).not.toContain('placeholder');
    all.file(
      'emails/a.jsx',
      'const A = ({ t }) => <p>{t}</p>; A.PreviewProps = { t: "{{ x }}" }; export default A;',
    );
    expect(await codes(all, 'emails/a.jsx')).toContain('placeholder');
    expect(await codes(all, 'emails/a.jsx --var t=y')).not.toContain('placeholder');
  });

  test('of MJML checks the HTML that becomes of it, alone', async () => {
    const found = await codes(await project(), 'hi.mjml');
    expect(found).toContain('placeholder');
    expect(found).not.toContain('subject-missing');
  });
});

test('--var gives a component no "true" or "false", which it would both take for true', async () => {
  const all = await project();
  const vip =
    'export default (props: object) => <html><p>{{ ...props }.vip ? "VIP" : "Guest"}</p></html>';
  all.file('vip.tsx', vip);
  all.file('vars.json', { vip: false });
  for (const command of [line, 'email check']) {
    const outcome = await all.run(`${command} --react-email vip.tsx --var vip=false --json`);
    expect(outcome.exitCode).toBe(2);
    expect(errorOf(outcome).message).toBe(
      '--react-email: "vip" is the text "false", and a component takes any text for true',
    );
    expect(errorOf(outcome).hint).toBe(
      'Give it in a JSON file, with --vars-file: "vip": false. There, a text has quotes.',
    );
  }
  expect(all.requests()).toEqual([]);
  await all.run(`${line} --react-email vip.tsx --vars-file vars.json`);
  expect(all.sent()).toMatchObject({ text: 'Guest' });
});
