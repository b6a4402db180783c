import type { SendBody } from '../../../../api/email.ts';
import { attempt } from '../../../../shared/attempt.ts';
import { canonicalJson } from '../../../../shared/canonical-json.ts';
import { MailerError, type Problem, problemOf, toError } from '../../../base/errors.ts';
import { fileErrorReason, isFileError } from '../../../base/files/file-errors.ts';
import type { System } from '../../../base/system/system.ts';
import { bodyText, type WireReply } from '../../../base/system/wire.ts';
import { sha256 } from '../../../base/text/sha256.ts';
import { createClocks, type Moment } from '../../../service/http/clocks.ts';
import type { Doubt, Doubts, KeyedRequest } from '../../../service/http/doubt.ts';
import { operationOf } from '../../../service/http/request-rules.ts';
import { isObject } from '../../output/fields.ts';
import type { BegunRecords } from './begun-records.ts';
import { createLook, longestWork, mustLook } from './look.ts';
import { type Begun, signatureOf } from './match-emails.ts';

interface DoubtsOptions {
  readonly records: () => BegunRecords;
  readonly system: Pick<System, 'monotonic' | 'sleep' | 'signal'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly report: (text: string) => void;
  readonly say: (text: string) => void;
}

/** Keeps when requests began that no run records, and looks for their emails before they are repeated. */
export function createDoubts(options: DoubtsOptions): Doubts {
  return (keyed) => {
    const emails = emailsIn(keyed);
    return emails === undefined ? undefined : doubtOf(keyed, emails, options);
  };
}

function doubtOf(
  keyed: KeyedRequest,
  emails: readonly SendBody[],
  { records, system, now, report, say }: DoubtsOptions,
): Doubt {
  const { request, call } = keyed;
  const content = digest(canonicalJson([operationOf(request)?.id, emails]));
  const signatures = [...new Set(emails.map((email) => digest(signatureOf(email))))];
  const before = attempt(() => records().find(keyed), undefined);
  if (before?.content !== undefined && before.content !== content) throw toError(otherContent);
  const clocks = createClocks(now, system);
  let begun: Moment | undefined = before && { here: before.begun, service: undefined };
  let unrecorded: string | undefined;
  const look = createLook({
    list: (input) => call('email.list', input, clocks.listen()),
    clocks,
    system,
    report,
  });
  /** By how many requests an email may be owned: this one, and others without an outcome. */
  const owners = (begun: Moment) => () => {
    const others = attempt(() => records().others(keyed), []).filter(
      (one) => one.begun > begun.here - longestWork,
    );
    return (signature: string) =>
      1 + others.filter((one) => one.signatures.includes(digest(signature))).length;
  };
  return {
    age: before && Math.abs(now() - before.begun),
    mustLook: begun !== undefined && mustLook(begun, clocks),
    onSend() {
      if (begun !== undefined) return undefined;
      begun = { here: now(), service: undefined };
      try {
        records().write(keyed, { begun: begun.here, content, signatures });
        unrecorded = undefined;
      } catch (error) {
        unrecorded = reasonOf(error);
      }
      return unrecorded;
    },
    unrecorded: () => unrecorded,
    async look() {
      if (begun === undefined) return { kind: 'none' };
      let found: Begun | undefined;
      try {
        found = await look({ emails, begun, isOthers: () => false, owners: owners(begun) });
      } catch (error) {
        if (!(error instanceof MailerError)) throw error;
        const problem = system.signal.aborted ? problemOf(error) : cannotLook(error);
        return { kind: 'unclear', problem, isLasting: false };
      }
      if (found?.kind === 'all') {
        say(
          `The service has ${emails.length === 1 ? 'this email' : 'these emails'} already, so nothing was sent again.`,
        );
        return { kind: 'all', reply: replyWith(request, found.ids) };
      }
      if (found?.kind !== 'none') return { kind: 'unclear', problem: unclear, isLasting: true };
      // A repetition begins anew.
      begun = undefined;
      return { kind: 'none' };
    },
    settled: () => attempt(() => records().remove(keyed), undefined),
  };
}

const checkFirst =
  'Check with mailer email list whether it was sent. To send it in any case, use another idempotency key.';

const otherContent: Problem = {
  code: 'conflict',
  message:
    'This idempotency key was used for another request before, and the outcome of that one is not known. Nothing was sent.',
  hint: checkFirst,
};

const unclear: Problem = {
  code: 'unavailable',
  message:
    'The response to this request was lost, and the service has emails like it that may belong to another request. Nothing was sent again.',
  hint: checkFirst,
};

/** A look that fails proves nothing. */
function cannotLook(error: MailerError): Problem {
  const message = `Cannot check whether the service has the email whose response was lost, so it was not sent again: ${error.message}`;
  return { ...problemOf(error), code: 'unavailable', message };
}

/** The emails in a request; undefined if they cannot be read. */
function emailsIn({ request: { body } }: KeyedRequest): readonly SendBody[] | undefined {
  const emails: unknown[] = attempt(() => [JSON.parse(bodyText(body ?? ''))].flat(), []);
  const isComplete = emails.every((one) => isObject(one) && typeof one.from === 'string');
  // What else they lack, or have, the look can compare.
  return isComplete && emails.length > 0 ? (emails as SendBody[]) : undefined;
}

/** The response that the service gives to a request, or to its repetition. */
function replyWith(request: KeyedRequest['request'], ids: readonly string[]): WireReply {
  const [first, ...others] = ids.map((emailId) => ({ emailId }));
  const body = operationOf(request)?.id === 'email.send' ? first : { data: [first, ...others] };
  return { status: 200, headers: {}, body: JSON.stringify(body) };
}

function digest(text: string): string {
  return sha256(text).slice(0, 24);
}

function reasonOf(error: unknown): string {
  if (isFileError(error)) return `${error.path ?? 'its file'}: ${fileErrorReason(error)}`;
  return error instanceof Error ? error.message : String(error);
}
