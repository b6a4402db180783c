/** What Node adds to an error besides its message. */
const facts = ['code', 'syscall', 'hostname', 'address', 'port'] as const;

/**
 * The causes of an error, for `--debug`: each with its stack and what Node knows about it. Leaves
 * out a cause that only repeats `shown`, the message that was already printed, if another cause
 * says more.
 */
export function debugText(error: Error, shown: string): string {
  const chain = causesOf(error);
  const told = chain.filter((one, index) => one.message !== shown || index === chain.length - 1);
  return `${told.map(described).join('\n')}\n`;
}

/** An error and all its causes; an aggregate's errors follow one after the other. */
function causesOf(error: unknown, known: ReadonlySet<unknown> = new Set()): Error[] {
  if (!(error instanceof Error) || known.has(error)) return [];
  const below: unknown[] = [
    ...(error instanceof AggregateError ? error.errors : []),
    ...(error.cause === undefined ? [] : [error.cause]),
  ];
  const seen = new Set([...known, error]);
  return [error, ...below.flatMap((cause) => causesOf(cause, seen))];
}

function described(error: Error): string {
  const of = new Map<string, unknown>(Object.entries(error));
  const known = facts.flatMap((name) => (of.get(name) ? [`${name} ${String(of.get(name))}`] : []));
  const end = known.length === 0 ? '' : ` (${known.join(', ')})`;
  const frames = (error.stack ?? '').split('\n').filter((line) => /^ +at /.test(line));
  // Text of the service must not begin a line, which could look like a hint.
  const message = error.message.replaceAll('\n', '\n  ');
  return [`${error.name}: ${message}${end}`, ...frames].join('\n');
}
