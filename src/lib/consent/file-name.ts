import { basename } from 'node:path';
import { UsageError } from '../errors.ts';
import { anyOf } from './consent-header.ts';
import { plain } from './consent-value.ts';

/** Names of exports of people who do not want email, or must not get any. */
const suppressed =
  anyOf(`un ?sub(s|scribe[ds]?|scribers|scriptions?)?, (not|non|never) ?subscribe[ds]?, non ?subscribers?,
  suppress(ed|ions?)?( list)?, ((hard|soft) ?)?bounce[ds]?, cleaned, opt(ed)? ?outs?, black ?list(ed)?,
  block ?list(ed)?, blocks, blocked, deny ?list, (spam )?complain(ts?|ed|ers), spam\\w*, junk, rejects, invalids?,
  undeliver(able|ed), do not (e ?mail|mail|contact|send), dnc, robinson\\w*, sperrliste, gesperrte?n?, werbesperren?,
  ungultige?n?, abgemeldete?n?, abmeld(er|ungen|eliste), abbesteller, austragungen, ausgetragene?n?, widerspruche?, bajas,
  rebotados, rebotes, desabonne\\w*, desinscri\\w*, non abonne\\w*, descadastr\\w*, disiscritt[io], disiscrizioni,
  non iscritt[io], uitgeschreven, afmeldingen, afgemelden?`);
/** Words that turn such a name into its contrary: `customers-without-bounces.csv`. */
const negation =
  /\b(not|non|no|without|minus|except|excl\w*|removed|ohne|nicht|sans|sin|senza|zonder)\b/;

/**
 * Throws a `UsageError` if the name of a file says that its people do not want email, and no column of it says who
 * does.
 */
export function refuseSuppressed(file: string): void {
  const words = plain(basename(file).replace(/\.[a-z]+(\.gz)?$/i, '')).replace(/[^\p{L}]+/gu, ' ');
  const [word] = suppressed.exec(words) ?? [];
  if (word === undefined || negation.test(words.replace(word, ''))) return;
  throw new UsageError(
    `${file}: by its name, these people may not want email (${JSON.stringify(word)}), and no column says who does.`,
    {
      hint: [
        'Nothing was sent.',
        'If they do not want email: --map unsubscribed=COLUMN, for a column that has yes or a date in each row.',
        'If the name means something else: --ignore-file-name',
      ].join('\n'),
    },
  );
}
