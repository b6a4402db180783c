import type { DnsAnswer } from '../../shared/dns-answer.ts';

interface RecordSet {
  readonly values: string[];
  ttl: number;
}

/** All record sets of one place, by `TYPE name`. */
type Place = Map<string, RecordSet>;

/** The domain below which blocks are. */
const base = 'fixtures.example';
const everywhere = '';
const resolver = 'resolver';
const usualTtl = 300;
/** Seconds for which a name may be remembered as missing. */
const negativeTtl = 3600;

/**
 * Reads DNS as written in `fixture-zones.ts`, whose first lines explain it. Returns a function that looks up what a server
 * says, by its address; without one, a resolver. It returns undefined for names of no zone.
 */
export function readZones(text: string) {
  const places = new Map<string, Place>();
  const defaults: string[] = [];
  const blocks = new Map<string, string[]>();
  let lines = defaults;
  for (const line of text.split('\n').map((one) => one.trim())) {
    const [, name] = /^\[(.+)\]$/.exec(line) ?? [];
    if (name !== undefined) {
      lines = name === 'defaults' ? defaults : [];
      if (name !== 'defaults') blocks.set(nameIn(name, base), lines);
    } else if (line !== '' && !line.startsWith(';')) lines.push(line);
  }
  for (const [block, own] of blocks) {
    const isBelow = block.endsWith(`.${base}`);
    let place = placeAt(places, everywhere);
    for (const line of isBelow ? [...withoutOwn(defaults, own), ...own] : own) {
      const [, at] = /^at (\S+)$/.exec(line) ?? [];
      if (at === undefined) add(place, line, block);
      else place = placeAt(places, at);
    }
  }
  const names = [...blocks.keys()];
  return (given: string, type: string, server?: string): DnsAnswer | undefined => {
    const name = given.toLowerCase();
    const isKnown = names.some((one) => name === one || name.endsWith(`.${one}`));
    if (!isKnown && name !== base && !name.endsWith(`.${base}`)) return undefined;
    return answer(places, { name, type, server });
  };
}

interface Question {
  readonly name: string;
  readonly type: string;
  readonly server: string | undefined;
}

function answer(places: ReadonlyMap<string, Place>, { name, type, server }: Question): DnsAnswer {
  const common = placeAt(places, everywhere);
  const own = places.get(server ?? resolver) ?? new Map<string, RecordSet>();
  const given = server === undefined ? {} : { authoritative: true, server };
  for (const above of parents(name)) {
    const referred = own.get(`refers ${above}`);
    if (referred !== undefined) {
      const referral = referred.values.flatMap((one) => one.split(' '));
      return { kind: 'none', exists: true, referral, ...given, authoritative: false };
    }
    if (own.has(`REFUSED ${above}`)) {
      return { kind: 'failed', reason: `${server} refused the query (REFUSED).` };
    }
  }
  // The start of a zone is where its name servers are.
  if (type === 'SOA' && common.has(`NS ${name}`))
    return { kind: 'found', values: [name], ...given };
  const sets = parents(name).flatMap((above, index) => {
    const at = index === 0 ? name : `*.${above}`;
    return [own.get(`${type} ${at}`), common.get(`${type} ${at}`)];
  });
  const found = sets.find((one) => one !== undefined);
  if (found !== undefined && found.values.length > 0) {
    return { kind: 'found', values: found.values, ttl: found.ttl, ...given };
  }
  const isHere = (key: string) => key.endsWith(` ${name}`) || key.endsWith(`.${name}`);
  const exists = [...common].some(([key, { values }]) => isHere(key) && values.length > 0);
  return { kind: 'none', exists, ttl: found?.ttl ?? negativeTtl, ...given };
}

/** The name and all names above it. */
function parents(name: string): string[] {
  const labels = name.split('.');
  return labels.map((_, index) => labels.slice(index).join('.'));
}

/** The default records of which a block has none of the same name and type. */
function withoutOwn(defaults: readonly string[], own: readonly string[]): string[] {
  const keys = new Set(own.map((line) => keyOf(line)));
  return defaults.filter((line) => !keys.has(keyOf(line)));
}

function keyOf(line: string): string {
  const { name, type } = fields(line);
  return `${type} ${name}`;
}

function add(place: Place, line: string, block: string): void {
  const { name, type, ttl, value } = fields(line);
  const key = `${type} ${nameIn(name, block)}`;
  const set = place.get(key) ?? { values: [], ttl };
  place.set(key, set);
  set.ttl = ttl;
  if (value !== '') set.values.push(value);
}

function fields(line: string) {
  const [, name = '', ttl = String(usualTtl), type = '', value = ''] =
    /^(\S+)(?: (\d+))? (\S+)(?: (.*))?$/.exec(line) ?? [];
  return { name, ttl: Number(ttl), type, value };
}

function nameIn(name: string, above: string): string {
  if (name === '@') return above;
  return name.endsWith('.') ? name.slice(0, -1) : `${name}.${above}`;
}

function placeAt(places: ReadonlyMap<string, Place>, at: string): Place {
  const known = places.get(at);
  if (known !== undefined) return known;
  const place: Place = new Map();
  (places as Map<string, Place>).set(at, place);
  return place;
}
