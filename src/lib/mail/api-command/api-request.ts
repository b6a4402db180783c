import { methods } from '../../../api/operation.ts';
import { UsageError } from '../../base/errors.ts';
import { parseChoice } from '../../base/input/choice.ts';
import { readJsonSource } from '../../base/input/json-input.ts';
import type { Context } from '../../command-line/command/context.ts';
import type { OrderedFlag } from '../../command-line/command/flags/repeatable.ts';
import type { AnyRequest } from '../../service/http/build-request.ts';
import { bodyOf, readFields, withQuery } from './api-fields.ts';
import { endpointPath } from './endpoint-path.ts';
import { withLastId } from './last-id.ts';

/** The flags that make up a request. */
export interface RequestFlags {
  /** The values of `-f` and `-F`, in the order of the command line. */
  readonly rawField?: readonly OrderedFlag[] | undefined;
  /** The same. */
  readonly field?: readonly OrderedFlag[] | undefined;
  readonly input?: string | undefined;
}

/**
 * The request from words and flags: fields become the query of a GET, else the JSON body. The default method
 * is GET, or POST if there are fields or a body.
 */
export async function readRequest(
  context: Context,
  methodGiven: string | undefined,
  pathGiven: string,
  flags: RequestFlags,
): Promise<AnyRequest> {
  const given = flags.rawField ?? flags.field ?? [];
  if (!methodGiven && methods.some((one) => one === pathGiven.toUpperCase())) {
    throw new UsageError('PATH is missing', {
      hint: `For example: mailer api ${pathGiven} /v1/domains`,
    });
  }
  const byDefault = given.length > 0 || flags.input ? 'POST' : 'GET';
  const method = parseChoice('METHOD', methods)(methodGiven || byDefault);
  const whole = await endpointPath(pathGiven, () => baseUrlOf(context));
  const path = await withLastId(context, whole);
  const fields = readFields(given);
  if (!flags.input) {
    if (method === 'GET') return { method, path: withQuery(path, fields) };
    return fields.length === 0 ? { method, path } : { method, path, body: bodyOf(fields) };
  }
  if (method === 'GET') throw new UsageError('--input: GET has no body');
  if (fields.length > 0) {
    throw new UsageError('--input cannot be used together with -f or -F', {
      hint: 'A query goes into PATH.',
    });
  }
  const { text } = await readJsonSource(flags.input, context.files, '--input');
  return { method, path, body: text };
}

async function baseUrlOf({ account, flags }: Pick<Context, 'account' | 'flags'>) {
  const resolved = await account();
  return flags.dryRun === true ? resolved.baseUrl : resolved.service();
}
