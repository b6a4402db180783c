/** Which of the API's shapes an error's body has. */
export function kindOfError(body: unknown): 'text' | 'bare' | 'issues' | 'envelope' | 'none' {
  if (typeof body === 'string') return body === '' ? 'none' : 'text';
  const error = field(body, 'error');
  if (typeof error === 'string') return 'bare';
  if (Array.isArray(field(error, 'issues'))) return 'issues';
  return typeof field(error, 'code') === 'string' ? 'envelope' : 'none';
}

/** Fields of issues and errors whose values are compared, in addition to their types. */
const exact = new Set([
  ...['code', 'expected', 'received', 'validation', 'name', 'minimum', 'maximum', 'type'],
  ...['inclusive', 'exact', 'path', 'options'],
]);

/** Fields that only some servers have, and only since one of their versions. The sandbox always has them. */
const newer = new Set([
  ...['isTest', 'lastBulkOptInAt', 'doubleOptInSentAt'],
  ...['receivingEnabled', 'tlsEnforced', 'hasEverVerified'],
]);

/** The names and types in a value, and, in errors, the words that choose what the program says. */
export function shapeOf(value: unknown, path = ''): string {
  if (Array.isArray(value)) {
    const entries = value.map((entry) => shapeOf(entry, path));
    return `[${[...new Set(entries)].sort().join('|')}]`;
  }
  if (!isObject(value)) return typeof value === 'boolean' ? 'boolean' : typeName(value);
  const fields = Object.entries(value).map(([name, field]) => {
    const place = `${path}.${name}`;
    const isWord = place.startsWith('.error') && exact.has(name) && typeof field === 'string';
    return `${name}: ${isWord ? field : shapeOf(field, place)}`;
  });
  return `{${fields.sort().join(', ')}}`;
}

/** The recordings cut lists to this many entries. */
const kept = 2;

/**
 * Fields that only one of `ours` and `theirs` has, or whose types differ. Each boolean counts as a
 * type of its own; in errors, everything except messages must be equal. A list matches if each of
 * its first entries has the shape of an entry of the other list; each issue must be there, in the
 * same order.
 */
export function differences(ours: unknown, theirs: unknown, path = ''): string[] {
  if (Array.isArray(ours) && Array.isArray(theirs)) return ofLists(ours, theirs, path);
  if (!isObject(ours) || !isObject(theirs)) {
    return typeName(ours) === typeName(theirs)
      ? []
      : [`${path || 'body'}: ${typeName(ours)}, not ${typeName(theirs)}`];
  }
  const names = new Set([...Object.keys(ours), ...Object.keys(theirs)]);
  return [...names].flatMap((name) => {
    const place = path === '' ? name : `${path}.${name}`;
    if (!Object.hasOwn(theirs, name)) {
      return newer.has(name) ? [] : [`${place}: should not be there`];
    }
    if (!Object.hasOwn(ours, name)) return [`${place}: is missing`];
    if (!place.startsWith('error') || !exact.has(name)) {
      return differences(ours[name], theirs[name], place);
    }
    const [our, their] = [cut(ours[name]), cut(theirs[name])].map((value) => JSON.stringify(value));
    return our === their ? [] : [`${place}: ${our}, not ${their}`];
  });
}

function ofLists(ours: readonly unknown[], theirs: readonly unknown[], path: string): string[] {
  if (/\b(issues|unionErrors)$/.test(path)) {
    return ours.length === theirs.length
      ? ours.flatMap((one, index) => differences(one, theirs[index], `${path}[${index}]`))
      : [`${path}: ${ours.length}, not ${theirs.length}`];
  }
  if (theirs.length === 0) return ours.length === 0 ? [] : [`${path}: is not empty`];
  if (ours.length === 0) return [`${path}: is empty`];
  return ours.slice(0, kept).flatMap((one, index) => {
    const tries = theirs.map((other) => differences(one, other, `${path}[${index}]`));
    return tries.reduce((best, next) => (next.length < best.length ? next : best));
  });
}

function typeName(value: unknown): string {
  if (value === null || value === undefined || typeof value === 'boolean') return String(value);
  return Array.isArray(value) ? 'list' : typeof value;
}

function cut(value: unknown): unknown {
  return Array.isArray(value) ? value.slice(0, kept) : value;
}

function field(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
