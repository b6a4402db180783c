/** How many characters of a text are shown. */
const longestText = 60;

/**
 * A document as an example: indented, with only the first entry of each list, long texts cut, and
 * everything that differs at each run replaced.
 */
export function example(json: string, home: string): string {
  const known = new Map<string, string>();
  const plain = json
    .replaceAll(home, '/home/ana')
    .replaceAll(process.execPath, '/usr/bin/node')
    .replaceAll(process.versions.node, '24.11.0')
    .replace(/\bc[a-z0-9]{24}\b/g, (id) => {
      const name = known.get(id) ?? `cmkf0y3b4000${known.size}08l4f2gh1q9z`;
      known.set(id, name);
      return name;
    })
    .replace(/(?<="milliseconds":)[\d.]+/g, '1.5')
    .replace(/(?<=\/\/)127\.0\.0\.1:\d+/g, '127.0.0.1:4100')
    // The address of a DNS server.
    .replace(/127\.0\.0\.1:\d+/g, '9.9.9.9')
    .replace(/"port":\d+/g, '"port":4100')
    .replace(/"bytes":[1-9]\d*/g, '"bytes":12345')
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '6e0f2c1a-4d5b-4a3c-9e8f-7b6a5c4d3e2f');
  return JSON.stringify(shortened(JSON.parse(plain)), null, 2);
}

function shortened(value: unknown): unknown {
  if (typeof value === 'string') {
    return value.length > longestText ? `${value.slice(0, longestText)}…` : value;
  }
  if (Array.isArray(value)) return value.slice(0, 1).map(shortened);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shortened(one)]));
}
