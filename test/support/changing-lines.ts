import { create } from '../commands/campaign/draft.ts';
import { fileIn } from './connected.ts';
import { createWorld, type World } from './run.ts';

/** A line of each command that changes or deletes something and has dry runs, what it says it does, and its stdin. */
export const changingLines: Readonly<
  Record<string, readonly [line: string, effect: string, stdin?: string]>
> = {
  'campaign create': [
    'campaign create --name N --from hello@example.com --subject S --book book_customers --html-file c.html --yes',
    'creates 1 campaign',
  ],
  'campaign delete': ['campaign delete CAMPAIGN', 'deletes 1 campaign, with its unsent emails'],
  'campaign pause': ['campaign pause SCHEDULED', 'pauses 1 campaign'],
  'campaign replace': [
    'campaign replace CAMPAIGN --subject Other',
    'creates 1 campaign; deletes 1 campaign, with its unsent emails',
  ],
  'contact add': [
    'contact add --book book_customers --email new@example.org',
    'adds or changes 1 contact, who may be mailed to confirm',
  ],
  'contact delete': ['contact delete contact_ana --book book_customers', 'deletes 1 contact'],
  'contact import': [
    'contact import people.csv --book book_customers',
    'adds or changes 2 contacts',
  ],
  'contact sync': [
    'contact sync people.csv --book book_customers --unsubscribe-missing --max-missing 100%',
    'adds or changes 2 contacts; unsubscribes 11 contacts',
  ],
  'contact update': [
    'contact update contact_ana --book book_customers --first-name A',
    'changes 1 contact',
  ],
  'contact book create': [
    'contact book create --name New --double-opt-in off',
    'creates 1 contact book',
  ],
  'contact book update': [
    'contact book update book_customers --name Other',
    'changes 1 contact book',
  ],
  'contact book delete': [
    'contact book delete book_customers',
    'deletes 1 contact book, with its contacts',
  ],
  'domain add': ['domain add new.example --region us-east-1', 'adds 1 domain'],
  'domain delete': [
    'domain delete 3',
    'deletes 1 domain, from which campaigns and scheduled emails may be left',
  ],
  'domain verify': ['domain verify 3', 'verifies 1 domain'],
  'email cancel': ['email cancel EMAIL', 'cancels 1 email'],
  'email reschedule': [
    'email reschedule EMAIL --scheduled-at 2027-01-31T09:00:00Z',
    'reschedules 1 email',
  ],
  'event send': ['event send upgraded --contact contact_ana', 'sends 1 event'],
  'segment create': [
    'segment create --name S --book book_customers --where firstName=Ana',
    'creates 1 segment',
  ],
  'segment delete': ['segment delete SEGMENT', 'deletes 1 segment'],
  'segment materialize': [
    'segment materialize SEGMENT --name M',
    'creates 1 contact book, with the contacts of a segment',
  ],
  'template create': [
    'template create --name T --subject S --html-file t.html',
    'creates 1 template',
  ],
  'template push': ['template push mails', 'creates 1 template'],
  api: [
    'api DELETE /v1/domains/3',
    'deletes 1 domain, from which campaigns and scheduled emails may be left',
  ],
};

/** A machine with a sandbox in which the lines make sense, and a line with the ids there. */
export async function prepared(): Promise<{ world: World; filled: (line: string) => string }> {
  const world = createWorld();
  fileIn(world, 'people.csv', 'email\na@new.example\nb@new.example\n');
  fileIn(world, 'c.html', '<a href="{{usesend_unsubscribe_url}}">x</a>');
  fileIn(world, 't.html', '<p>Hello</p>');
  fileIn(world, 'mails/hello.html', '---\nname: hello\nsubject: Hello\n---\n<p>Hello</p>');
  const id = async (line: string) => {
    const { stdout, stderr } = await world.run(`${line} --sandbox -q`);
    if (stdout === '') throw new Error(stderr);
    return stdout.trim();
  };
  const ids = {
    CAMPAIGN: await create(world, 'Draft'),
    SCHEDULED: await create(world, 'Scheduled', '--scheduled-at', 'tomorrow 9am'),
    EMAIL: await id(
      'email send --from hello@example.com --to a@example.org --subject s --text t --scheduled-at 2027-01-01T00:00:00Z',
    ),
    SEGMENT: await id('segment create --name Some --book book_customers --where firstName=Ben'),
  };
  return {
    world,
    filled: (line) =>
      Object.entries(ids).reduce((text, [name, value]) => text.replace(name, value), line),
  };
}
