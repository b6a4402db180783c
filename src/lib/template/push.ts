import type { Context } from '../command/context.ts';
import { MailerError, UsageError, withHint } from '../errors.ts';
import { quantity } from '../text/quantity.ts';
import type { TemplateFile } from './directory.ts';
import { isSameTemplate, type TemplateText } from './front-matter.ts';
import type { FileRow } from './rows.ts';
import { newestByName, storedTemplate } from './stored.ts';
import type { Writer } from './writer.ts';

/** A file beside the newest template of its name. */
export interface Compared {
  readonly template: TemplateFile;
  readonly row: FileRow;
}

/** Compares each file with the newest template of its name, or with what the service made of it. Nothing is changed. */
export async function compareWithService(
  context: Context,
  templates: readonly TemplateFile[],
  { isRewritten }: Pick<Writer, 'isRewritten'>,
): Promise<readonly Compared[]> {
  const newest = await newestByName(context);
  const compared: Compared[] = [];
  for (const [index, template] of templates.entries()) {
    context.progress.update(`Comparing ${index + 1} of ${templates.length} templates`);
    const listed = newest.get(template.name);
    const stored = listed && (await storedTemplate(context, listed));
    const isSame =
      stored !== undefined &&
      (isSameTemplate(stored, template) || isRewritten(stored.id, template, stored));
    const result = stored === undefined ? 'new' : isSame ? 'unchanged' : 'changed';
    if (!isSame) assertSubject(template);
    const { file, name } = template;
    compared.push({ template, row: { file, name, id: stored?.id ?? null, result } });
  }
  return compared;
}

function assertSubject({ file, subject }: TemplateFile): void {
  if (!/[\r\n]/.test(subject)) return;
  throw new UsageError(`${file}: subject must not contain a line break. Nothing was sent.`);
}

/** What a push has done: a row for each file, and why it ended early. */
interface Pushed {
  readonly rows: readonly FileRow[];
  readonly failure?: MailerError;
}

/**
 * Creates a template for each file that is new or changed, and stores its id at once, so that nothing is
 * lost when the program is killed. At the first error the rest stays as it was.
 */
export async function createMissing(
  context: Context,
  compared: readonly Compared[],
  writer: Writer,
): Promise<Pushed> {
  const rows = new Map(compared.map(({ row }) => [row.name, row]));
  const store = () =>
    writer.storeIds(
      new Map([...rows].flatMap(([name, { id }]) => (id === null ? [] : [[name, id]]))),
    );
  const missing = compared.filter(({ row }) => row.result !== 'unchanged');
  let created = 0;
  try {
    for (const { template, row } of missing) {
      context.progress.update(`Creating ${created + 1} of ${missing.length} templates`);
      const id = await createOnce(context, template, writer);
      rows.set(row.name, { ...row, id, result: 'created' });
      created++;
      await store();
    }
    await store();
  } catch (error) {
    if (!(error instanceof MailerError) || created === 0) throw withHint(error, again);
    return { rows: [...rows.values()], failure: afterSome(error, created, missing.length) };
  }
  return { rows: [...rows.values()] };
}

const again = 'Run the command again: it creates only what the service does not have.';

function afterSome(error: MailerError, created: number, of: number): MailerError {
  // Made of an error of this kind, so it is one.
  return withHint(error, `${created} of ${quantity(of, 'template')} were created. ${again}`);
}

/** Creates a template. When the outcome is unknown, the list tells whether it was created. */
async function createOnce(
  context: Context,
  { name, subject, html }: TemplateText,
  { keepRewritten }: Pick<Writer, 'keepRewritten'>,
): Promise<string> {
  try {
    const made = await context.call('template.create', { body: { name, subject, html } });
    const stored = { name, subject: made.subject ?? subject, html: made.html ?? html };
    const sent = { name, subject, html };
    if (!isSameTemplate(stored, sent)) keepRewritten(made.id, sent, stored);
    return made.id;
  } catch (error) {
    if (!(error instanceof MailerError && error.outcomeUnknown)) throw error;
    // What goes wrong here explains nothing better than the first error does.
    const id = await idOfNewest(context, { name, subject, html }).catch(() => undefined);
    if (id === undefined) throw error;
    return id;
  }
}

/** The id of the newest template of this name, if it is the same. */
async function idOfNewest(context: Context, wanted: TemplateText): Promise<string | undefined> {
  const listed = (await newestByName(context)).get(wanted.name);
  if (listed === undefined) return undefined;
  return isSameTemplate(await storedTemplate(context, listed), wanted) ? listed.id : undefined;
}
