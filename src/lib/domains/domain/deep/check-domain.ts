import type { Asker } from './asker.ts';
import { checkDkim } from './dkim.ts';
import { checkDmarc } from './dmarc.ts';
import type { DomainMail } from './domain-mail.ts';
import { createFindings } from './finding.ts';
import { checkFrom, checkWildcards } from './from-and-wildcards.ts';
import { compareServers, findRemembered, findZone } from './name-servers.ts';
import { factsOf, receiverRules } from './receivers.ts';
import { checkServiceRecords, questionsOf } from './service-records.ts';
import { checkSpf } from './spf.ts';

/** Checks whether mail from a domain is likely to be accepted. Asks only DNS. */
export async function checkDomain(mail: DomainMail, asker: Asker) {
  const { domain, account, from, mailFrom } = mail;
  const { tell, all } = createFindings(domain);
  const check = { mail, asker, tell };
  const zone = await findZone(check);
  const [spf, dkim, replies] = await Promise.all([
    checkSpf(check),
    checkDkim(check),
    checkFrom(check),
    checkWildcards(check),
  ]);
  const dmarc = await checkDmarc(check, { spf, dkim });
  await checkServiceRecords(check, { spf, dkim });
  const questions = questionsOf(mail);
  if (zone !== undefined) {
    await compareServers(check, zone, questions);
    await findRemembered(check, questions);
  }
  for (const loop of asker.loops()) tell('alias-loop', loop);
  const isKnown = mailFrom !== undefined;
  return {
    report: {
      ...{ domain, from, spf, dkim, dmarc },
      inAccount: account !== undefined,
      mailFrom: mailFrom ?? null,
      zone: zone?.name ?? null,
      receivers: receiverRules(factsOf(spf, dkim, dmarc, { isKnown, replies })),
      failures: asker.failures(),
    },
    findings: all(),
  };
}
