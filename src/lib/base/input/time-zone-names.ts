import { attempt } from '../../../shared/attempt.ts';

/** Areas in IANA names; cities are below them. */
const areas = [
  ...['Africa', 'America', 'Antarctica', 'Asia', 'Atlantic', 'Australia', 'Europe', 'Indian'],
  ...['Pacific', 'America/Argentina', 'America/Indiana', 'America/Kentucky'],
];

/** Abbreviations, and the zones that people mean by them. Source: the IANA database. */
const abbreviated: readonly (readonly [abbreviations: RegExp, zones: readonly string[]])[] = [
  [/^(?:CES?T|MES?[TZ])$/, ['Europe/Berlin']],
  [/^EES?T$/, ['Europe/Helsinki']],
  [/^WES?T$/, ['Europe/Lisbon']],
  [/^BST$/, ['Europe/London', 'Asia/Dhaka']],
  [/^IST$/, ['Asia/Kolkata', 'Asia/Jerusalem', 'Europe/Dublin']],
  [/^MSK$/, ['Europe/Moscow']],
  [/^E[SD]?T$/, ['America/New_York']],
  [/^C[SD]?T$/, ['America/Chicago', 'Asia/Shanghai', 'America/Havana']],
  [/^M[SD]?T$/, ['America/Denver', 'America/Phoenix']],
  [/^P[SD]?T$/, ['America/Los_Angeles', 'Asia/Manila']],
  [/^A[SD]T$/, ['America/Halifax', 'Asia/Riyadh']],
  [/^AK[SD]T$/, ['America/Anchorage']],
  [/^H[SD]?T$/, ['Pacific/Honolulu']],
  [/^N[SD]T$/, ['America/St_Johns']],
  [/^BRT$/, ['America/Sao_Paulo']],
  [/^ART$/, ['America/Argentina/Buenos_Aires']],
  [/^JST$/, ['Asia/Tokyo']],
  [/^KST$/, ['Asia/Seoul']],
  [/^HKT$/, ['Asia/Hong_Kong']],
  [/^SGT$/, ['Asia/Singapore']],
  [/^WIB$/, ['Asia/Jakarta']],
  [/^PKT$/, ['Asia/Karachi']],
  [/^GST$/, ['Asia/Dubai', 'Atlantic/South_Georgia']],
  [/^AE[SD]?T$/, ['Australia/Sydney', 'Australia/Brisbane']],
  [/^AC[SD]T$/, ['Australia/Adelaide', 'Australia/Darwin']],
  [/^AWST$/, ['Australia/Perth']],
  [/^NZ[SD]?T$/, ['Pacific/Auckland']],
  [/^SAST$/, ['Africa/Johannesburg']],
  [/^CAT$/, ['Africa/Maputo']],
  [/^EAT$/, ['Africa/Nairobi']],
  [/^WAT$/, ['Africa/Lagos']],
];

/** The IANA names that an abbreviation or a city may stand for. */
export function zonesNamed(name: string): readonly string[] {
  const known = abbreviated.find(([abbreviations]) => abbreviations.test(name.toUpperCase()));
  if (known !== undefined) return known[1];
  const city = (name.split('/').at(-1) ?? '').trim().replaceAll(/[ _]+/g, '_');
  const title = city.toLowerCase().replaceAll(/(?<![a-z])[a-z]/g, (letter) => letter.toUpperCase());
  // Some cities are in a second area, under an older name.
  return areas
    .map((area) => `${area}/${title}`)
    .filter(isZone)
    .slice(0, 1);
}

/** Whether `Intl` knows a zone by this name. */
export function isZone(timeZone: string): boolean {
  return attempt(() => new Intl.DateTimeFormat('en', { timeZone }), undefined) !== undefined;
}
