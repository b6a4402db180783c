import { describe, expect, test } from 'vitest';
import { fileIn } from '../support/connected.ts';
import { faultyService } from '../support/faulty.ts';
import { createWorld } from '../support/run.ts';

// One live server responds in Portuguese. The program goes by status and code, so everything but
// the service's own messages must be the same.

const content = '--subject Hi --text Hello';
const send = `email send --to ana@example.org --from hello@example.com ${content}`;
const campaign =
  'campaign create --name March --subject News --from hello@example.com --html {{usesend_unsubscribe_url}}';

/** Stderr of a run under `--json`, without the service's message. */
function errorOf(stderr: string) {
  const { error } = JSON.parse(stderr.slice(stderr.indexOf('{"error"')));
  const { message, requestId, issues = [], ...rest } = error;
  const paths = issues.map(({ path }: { path: unknown }) => path);
  return { message: String(message), rest: { ...rest, paths } };
}

async function ending(language: string, line: string, before: readonly string[]) {
  const world = createWorld({ MAILER_SANDBOX_LANGUAGE: language });
  for (const one of before) await world.run(`${one} --sandbox`);
  const { exitCode, stdout, stderr } = await world.run(`${line} --sandbox --json`);
  return { exitCode, stdout, ...errorOf(stderr) };
}

describe('a rejection in Portuguese ends as one in English does:', () => {
  test.each<[line: string, exitCode: number, message: string, before?: string[]]>([
    [`email send --to a@b.test --from a@x.test ${content}`, 1, 'O domínio x.test do remetente'],
    [`email send --to a@b.test --from a@example.org ${content}`, 1, 'O domínio example.org não'],
    [`${send} --in-reply-to nobody`, 1, 'não é o id de um e-mail'],
    [
      `${send} --idempotency-key one --cc ben@example.org`,
      5,
      'Esta Idempotency-Key já foi usada com outro corpo',
      [`${send} --idempotency-key one`],
    ],
    [`${send} --template nobody --subject=`, 2, ''],
    ['email get nobody', 4, 'E-mail não encontrado'],
    ['email get nobody --wait', 4, 'E-mail não encontrado'],
    ['email cancel email_receipt', 1, ''],
    ['email cancel nobody', 4, 'E-mail não encontrado'],
    ['email reschedule email_receipt --scheduled-at tomorrow', 1, ''],
    ['api POST /v1/emails/email_receipt/cancel', 1, 'O e-mail já foi processado'],
    [`${campaign} --book nobody`, 4, ''],
    ['campaign get nobody', 4, ''],
    ['campaign watch nobody', 4, ''],
    ['campaign schedule nobody --yes --now', 4, 'Campanha não encontrada'],
    ['campaign delete nobody --yes', 4, 'Campanha não encontrada'],
    ['contact update nobody --book book_customers --first-name A', 4, 'Contato não encontrado'],
    ['contact delete nobody --book book_customers --yes', 4, 'Contato não encontrado'],
    ['contact delete nobody --book nobody --yes', 4, 'Lista de contatos não encontrada'],
    ['contact book delete nobody --yes', 4, 'Lista de contatos não encontrada'],
    ['domain get 99', 4, ''],
    ['domain verify 99', 4, 'Domínio não encontrado'],
    ['domain verify 99 --wait', 4, ''],
    ['domain delete 99 --yes', 4, 'Domínio não encontrado'],
    ['api POST /v1/emails -f to=1', 1, 'Valor inválido'],
    ['api GET /v1/emails/nobody', 4, 'E-mail não encontrado'],
  ])('%s', async (line, exitCode, message, before = []) => {
    const english = await ending('en', line, before);
    const portuguese = await ending('pt', line, before);
    expect(english.exitCode).toBe(exitCode);
    expect({ ...portuguese, message: '' }).toEqual({ ...english, message: '' });
    // Some messages are the program's own, always in English.
    if (message === '') expect(portuguese.message).toBe(english.message);
    else expect(portuguese.message).toContain(message);
  });
});

test('an unknown language is a usage error, with --sandbox too', async () => {
  const world = createWorld({ MAILER_SANDBOX_LANGUAGE: 'fr' });
  expect(await world.run('email list --sandbox')).toEqual({
    exitCode: 2,
    stdout: '',
    stderr: 'Error: MAILER_SANDBOX_LANGUAGE: "fr" is not one of en, pt\n',
  });
});

describe('a service that fails in Portuguese', () => {
  const effects = ['400', '400:zod', '401', '404', '404:bare', '409', '429', '500', '503:envelope'];
  const lines = [
    `${send} --idempotency-key one`,
    'campaign list',
    'contact book delete book_customers --yes',
    'domain verify 2 --wait --wait-timeout 1m',
    'reputation events',
    'whoami',
  ];

  test.each(effects.concat('expired-key'))('with %s is told from others', async (effect) => {
    for (const line of lines) {
      const end = async (language: 'en' | 'pt') => {
        const { world, requests } = await faultyService([`* * ${effect}`], undefined, language);
        const base = String(world.env.MAILER_BASE_URL);
        const { exitCode, stdout, stderr } = await world.run(`${line} --json`);
        const { rest } = errorOf(stderr.replaceAll(base, 'BASE'));
        // whoami shows an error in its result.
        const shown = stdout.replaceAll(base, 'BASE').replace(/"message":"[^"]*"/, '');
        return { line, exitCode, shown, rest, requests: requests().length };
      };
      expect(await end('pt')).toEqual(await end('en'));
    }
  });
});

test('a batch with rows rejected in Portuguese continues as in English', async () => {
  const rows = [
    'ana@b.test,hello@example.com',
    'ben@b.test,hello@x.test',
    'eva@b.test,hello@example.com',
  ];
  const end = async (language: 'en' | 'pt') => {
    const { world, recipients } = await faultyService([], undefined, language);
    fileIn(world, 'people.csv', ['to,from', ...rows].join('\n'));
    const { exitCode, stdout, stderr } = await world.run(
      `email batch people.csv ${content} --yes --fields row,to,error.code,error.message`,
    );
    return { exitCode, recipients: recipients().sort(), stdout, stderr };
  };
  const [english, portuguese] = [await end('en'), await end('pt')];
  expect(english).toMatchObject({ exitCode: 11, recipients: ['ana@b.test', 'eva@b.test'] });
  const inEnglish = 'Domain x.test of the sender is not one of this account';
  const inPortuguese = 'O domínio x.test do remetente não pertence a esta conta';
  expect(portuguese).toEqual({
    ...english,
    stdout: english.stdout.replace(inEnglish, inPortuguese),
  });
  expect(portuguese.stdout).toContain(inPortuguese);
});
