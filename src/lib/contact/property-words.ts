/** Properties as people write them: `plan=pro`. */
export function propertyWords(
  properties: Readonly<Record<string, unknown>> | null | undefined,
): readonly string[] {
  return Object.entries(properties ?? {}).map(([name, value]) => {
    return `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`;
  });
}
