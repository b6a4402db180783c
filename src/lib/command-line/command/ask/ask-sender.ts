import { UsageError } from '../../../base/errors.ts';
import { quotedNames } from '../../../base/text/quoted-names.ts';
import type { Candidate } from '../../completion/offer.ts';
import { domainBehind, findSenders } from '../../completion/senders.ts';
import type { Context } from '../context.ts';

/**
 * A question for the sender: a choice of recent senders and of verified domains, before which a
 * name can be typed. It asks the service at once, so that errors come before other questions. It
 * does not accept a sender at another domain: the service would reject the email after all other
 * questions have been answered.
 */
export async function senderQuestion(context: Context): Promise<() => Promise<string>> {
  const [{ isMailbox }, { choicesOf, choicesWith }] = await Promise.all([
    import('../../../../api/address.ts'),
    import('./choose.ts'),
  ]);
  const { recent, domains } = await findSenders((id, input, options) =>
    context.call(id, input, options),
  );
  const { prompts, notes, system } = context;
  const check = (answer: string) =>
    isMailbox(answer) ? undefined : 'Not an email address, such as ana@example.com';
  if (domains.length === 0) {
    notes.warn('No domain is verified, so the service will reject the sender.');
    return () => prompts.text('From', { check });
  }
  const choices = (candidates: readonly Candidate[]) =>
    choicesOf(candidates, system.stderr.columns ?? 0);
  const known = await choices(recent.map((value) => ({ value, description: 'used recently' })));
  const nameless = await choices(
    domains.map((name) => ({ value: `@${name}`, description: 'verified; type a name' })),
  );
  const verified = new Set(domains.map((name) => name.toLowerCase()));
  return async () => {
    const sender = await prompts.choose('From', (typed) => {
      const text = typed.trim();
      if (text === '') return [...known, ...nameless];
      const made = [...domains.map((domain) => at(domain, text)), text]
        .filter((one) => isMailbox(one) && verified.has(domainBehind(one)))
        .map((value) => ({ value, line: value, name: value }));
      const found = [...choicesWith(known, text), ...made];
      const domain = domainBehind(text);
      if (found.length === 0 && domain !== '') throw notVerified(domain, domains);
      return found.filter(
        ({ value }, index) => index === found.findIndex((one) => one.value === value),
      );
    });
    if (!sender.startsWith('@')) return sender;
    const name = await prompts.text(`Name before ${sender}`, {
      check: (answer) => (answer === '' ? undefined : check(`${answer}${sender}`)),
    });
    return `${name}${sender}`;
  };
}

function notVerified(domain: string, verified: readonly string[]): UsageError {
  return new UsageError(
    `The domain ${JSON.stringify(domain)} is not verified. Verified: ${quotedNames(verified)}`,
  );
}

/**
 * The typed text, completed at a domain: `hello`, `hello@ex`, `Ana <hello`. Empty if it does not
 * fit.
 */
function at(domain: string, typed: string): string {
  const [name = '', begun = ''] = typed.replace(/>$/, '').split('@');
  if (!domain.toLowerCase().startsWith(begun.toLowerCase())) return '';
  return `${name}@${domain}${name.includes('<') ? '>' : ''}`;
}
