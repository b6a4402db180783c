import { dkimKeyAt } from '../../mail-authentication/dkim-key.ts';
import type { DkimReport } from './deep-shapes.ts';
import { doubledName } from './doubled-name.ts';
import type { DomainCheck } from './finding.ts';

/** Checks the key of every selector. */
export async function checkDkim({ mail, asker, tell }: DomainCheck): Promise<DkimReport[]> {
  return await Promise.all(
    mail.selectors.map(async ({ selector, domain }): Promise<DkimReport> => {
      const name = `${selector}._domainkey.${domain}`;
      const base = { selector, domain, type: null, bits: null };
      const answer = await asker.ask(name, 'TXT');
      if (answer.kind === 'failed') return { ...base, usable: null };
      const publish = (mail.account?.wanted ?? []).filter(({ fqdn }) => fqdn === name);
      const more = { evidence: [await asker.evidence(name, 'TXT')], publish };
      const at = dkimKeyAt(answer.kind === 'found' ? answer.values : []);
      if (at.state !== 'found') {
        const [code, sentence] = problemsAt[at.state];
        const registered = at.state === 'none' ? mail.account?.registered : undefined;
        const doubled = await doubledName(name, 'TXT', registered, asker);
        tell(code, `${name} ${sentence}${doubled}`, more);
        return { ...base, usable: false };
      }
      const { type, bits = null, problems } = at.key;
      for (const { code, sentence } of problems) {
        // The service decides the size and the mode of its keys, so its record would not help.
        const repairs = code === 'short' || code === 'testing' ? [] : publish;
        tell(`dkim-${code}`, `${name}: ${sentence}`, { ...more, publish: repairs });
      }
      const usable = !problems.some(({ effect }) => effect === 'unusable');
      return { ...base, type, bits, usable };
    }),
  );
}

const problemsAt = {
  none: ['dkim-missing', 'has no key, so receivers cannot verify signatures.'],
  several: ['dkim-several', 'has several records; which one receivers use is undefined.'],
  split: ['dkim-split', 'has its key in several records; put it in one, as several strings.'],
} as const;
