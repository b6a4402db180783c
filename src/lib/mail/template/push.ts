import {
  MailerError,
  PolicyError,
  problemOf,
  toError,
  UsageError,
  withHint,
} from '../../base/errors.ts';
import { quantity } from '../../base/text/quantity.ts';
import type { Context } from '../../command-line/command/context.ts';
import type { PlannedCall } from '../../command-line/command/plan-of.ts';
import type { Passed } from '../../service/http/passed.ts';
import { waive } from '../message/gate.ts';
import type { TemplateFile } from './directory.ts';
import type { FileRow } from './file-rows.ts';
import { newestByName, storedTemplate } from './stored-template.ts';
import { isSameTemplate, type TemplateText } from './template-front-matter.ts';
import type { Writer } from './writer.ts';

/** A file, compared with the newest template of its name. */
export interface Compared {
  readonly template: TemplateFile;
  readonly row: FileRow;
}

/** Compares each file with the newest template of its name, allowing for HTML that the service rewrote. */
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
  if (!/[\r\n\u0085\u2028\u2029]/.test(subject)) return;
  throw new UsageError(`${file}: subject must not contain a line break. Nothing was sent.`);
}

/** The requests of a push, for its plan. */
export function callsToCreate(toCreate: readonly Compared[]): PlannedCall[] {
  return toCreate.map(({ template: { name, subject, html } }) => {
    const body = { name, subject, html };
    return (client) => client.callPassed(waive('dry run'), 'template.create', { body });
  });
}

/** The outcome of a push: a row for each file, and the error that ended it early. */
interface Pushed {
  readonly rows: readonly FileRow[];
  readonly failure?: MailerError;
}

/**
 * Creates a template for each new or changed file, and stores its id at once, in case the program is killed.
 * Stops at the first error.
 */
export async function createMissing(
  context: Context,
  compared: readonly Compared[],
  writer: Writer,
  passed: Passed,
): Promise<Pushed> {
  const rows = new Map(compared.map(({ row }) => [row.name, row]));
  const store = () =>
    writer.storeIds(
      new Map([...rows].flatMap(([name, { id }]) => (id === null ? [] : [[name, id]]))),
    );
  const missing = compared.filter(({ row }) => row.result !== 'unchanged');
  const created: string[] = [];
  try {
    for (const { template, row } of missing) {
      context.progress.update(`Creating ${created.length + 1} of ${missing.length} templates`);
      const id = await createOnce(context, template, writer, passed);
      if (row.id !== null) writer.dropRewritten(row.id);
      rows.set(row.name, { ...row, id, result: 'created' });
      created.push(id);
      await store();
    }
    await store();
  } catch (error) {
    if (!(error instanceof MailerError) || created.length === 0) {
      // What a policy does not allow, it does not allow the second time.
      throw error instanceof PolicyError ? error : withHint(error, again);
    }
    const failure = afterSome(error, created, missing.length);
    // Then rows are no longer shown.
    if (context.system.signal.aborted) throw failure;
    return { rows: [...rows.values()], failure };
  }
  return { rows: [...rows.values()] };
}

const again = 'Run the command again: it creates only what the service does not have.';

/** A usage error would mean that nothing was sent. */
function afterSome(error: MailerError, created: readonly string[], of: number): MailerError {
  const { code, ...problem } = problemOf(error);
  return toError({
    ...problem,
    code: code === 'usage' ? 'output_failed' : code,
    ids: created,
    hint: `${created.length} of ${quantity(of, 'template')} were created. ${again}`,
  });
}

/** Creates a template. If the outcome is unknown, looks for it in the list. */
async function createOnce(
  context: Context,
  { name, subject, html }: TemplateText,
  { keepRewritten }: Pick<Writer, 'keepRewritten'>,
  passed: Passed,
): Promise<string> {
  try {
    const made = await context.callPassed(passed, 'template.create', {
      body: { name, subject, html },
    });
    const stored = { name, subject: made.subject ?? subject, html: made.html ?? html };
    const sent = { name, subject, html };
    if (!isSameTemplate(stored, sent)) keepRewritten(made.id, sent, stored);
    return made.id;
  } catch (error) {
    if (!(error instanceof MailerError && error.outcomeUnknown)) throw error;
    // An error here says no more than the first one.
    const id = await idOfNewest(context, { name, subject, html }).catch(() => undefined);
    if (id === undefined) throw error;
    return id;
  }
}

/** The id of the newest template of this name, if its content is the same. */
async function idOfNewest(context: Context, wanted: TemplateText): Promise<string | undefined> {
  const listed = (await newestByName(context)).get(wanted.name);
  if (listed === undefined) return undefined;
  return isSameTemplate(await storedTemplate(context, listed), wanted) ? listed.id : undefined;
}
